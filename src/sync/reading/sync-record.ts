import { isJsonObject, type JsonValue, numberText, parseExact } from '../../base/json/exact.ts'
import { minify } from '../../base/json/minify.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { cleanText } from '../tables/values.ts'
import { topStrings } from './top-members.ts'

/** How the version begins that the content of a record makes. No ID of a service begins so. */
const OF_CONTENT = 'content:'

/**
 * A record of a resource, from the text that the service sent, and what tells it apart. `willParse`: somebody will parse all of it,
 * so that this is done at once, and the text is not looked through before.
 */
export function toSyncRecord(sent: string, resource: Resource, willParse = false): SyncRecord {
  const text = oneLine(sent)
  const parsed: unknown = willParse ? JSON.parse(text) : undefined
  const { id, changed } = identityIn(parsed, resource) ?? identityOf(text, resource)
  const changedMs = changed === null ? null : readInstant(changed)
  const version = versionOf(id, changed) ?? contentVersion(text)
  return willParse ? { text, id, changedMs, version, parsed } : { text, id, changedMs, version }
}

/** The version that an ID and a date of change make; null when one of them is missing. */
export function versionOf(id: string | null, changed: string | null): string | null {
  return id === null || changed === null ? null : `${id} ${changed}`
}

/** Whether a version is named by the content of its record. */
export function isOfContent(version: string): boolean {
  return version.startsWith(OF_CONTENT)
}

/** Puts the values of the ID's members together, as a database holds them; null when the first is missing. */
export function joinId(parts: readonly (string | null | undefined)[]): string | null {
  const [first] = parts
  if (first === null || first === undefined || first === '') return null
  // A database gives an ID back without U+0000: with it, the record would not be known again.
  return cleanText(parts.filter((part) => part !== null && part !== undefined && part !== '').join('/'))
}

function contentVersion(text: string): string {
  // Loaded when it is needed, as most records have a date.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return OF_CONTENT + createHash('sha256').update(text).digest('base64url')
}

/** As {@link identityOf}; null when it is not there in two strings: the digits of a number are in the text alone. */
function identityIn(parsed: unknown, { idPaths, versionMember }: Resource) {
  if (typeof parsed !== 'object' || parsed === null || versionMember === null || idPaths.length > 1) return null
  const members = parsed as Readonly<Record<string, unknown>>
  const [id, changed] = [members[idPaths[0]], members[versionMember]]
  return typeof id === 'string' && typeof changed === 'string' ? { id: joinId([id]), changed: changed || null } : null
}

function identityOf(text: string, { idPaths, versionMember }: Resource) {
  const [only, ...others] = idPaths
  if (versionMember !== null && others.length === 0) {
    const found = topStrings(text, [only, versionMember])
    if (found !== null) return { id: joinId([found[0]]), changed: found[1] || null }
  }
  const record = parsed(text)
  const changed = versionMember === null ? null : textOf(valueAt(record, versionMember))
  return { id: joinId(idPaths.map((path) => textOf(valueAt(record, path)))), changed: changed || null }
}

function parsed(text: string): JsonValue {
  const value = parseExact(text)
  return isJsonObject(value) ? value : null
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : numberText(value)
}

/** Reads an ISO 8601 instant; one without an offset is in UTC. Null for anything else. */
export function readInstant(text: string): number | null {
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = Date.parse(hasOffset || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : ms
}

function oneLine(sent: string): string {
  // A pattern would take several times as long, for every record of a long list.
  return sent.includes('\n') || sent.includes('\r') ? minify(sent.trim()) : sent
}
