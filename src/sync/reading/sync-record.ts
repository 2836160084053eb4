import { isJsonObject, type JsonValue, numberText, parseExact } from '../../base/json/exact.ts'
import { minify } from '../../base/json/minify.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { cleanText } from '../tables/values.ts'
import { topStrings } from './top-members.ts'

/** The prefix of versions that are hashes of content. None of the service's IDs starts with it. */
const CONTENT_PREFIX = 'content:'

/** Creates a record from the service's text. If `willParse` is true, includes the parsed value. */
export function toSyncRecord(sent: string, resource: Resource, willParse = false): SyncRecord {
  const text = oneLine(sent)
  const parsed: unknown = willParse ? JSON.parse(text) : undefined
  const { id, changed } = identityIn(parsed, resource) ?? identityOf(text, resource)
  const changedMs = changed === null ? null : readInstant(changed)
  const version = versionOf(id, changed) ?? contentVersion(text)
  return willParse ? { text, id, changedMs, version, parsed } : { text, id, changedMs, version }
}

export function versionOf(id: string | null, changed: string | null): string | null {
  return id === null || changed === null ? null : `${id} ${changed}`
}

export function isContentVersion(version: string): boolean {
  return version.startsWith(CONTENT_PREFIX)
}

/**
 * Joins the parts of an ID and replaces characters that databases cannot store. Returns `null` if the first part is
 * missing.
 */
export function joinId(parts: readonly (string | null | undefined)[]): string | null {
  const [first] = parts
  if (first === null || first === undefined || first === '') return null
  // Databases replace U+0000. If the ID kept it, the stored record would not be recognized.
  return cleanText(parts.filter((part) => part !== null && part !== undefined && part !== '').join('/'))
}

function contentVersion(text: string): string {
  // `node:crypto` is loaded on demand, because most records have a date and do not need a hash.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return CONTENT_PREFIX + createHash('sha256').update(text).digest('base64url')
}

/**
 * Returns the ID and change date. Returns `null` unless both are strings, because `JSON.parse` loses digits of numbers.
 */
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
  const value = parseExact(text)
  const record = isJsonObject(value) ? value : null
  const changed = versionMember === null ? null : textOf(valueAt(record, versionMember))
  return { id: joinId(idPaths.map((path) => textOf(valueAt(record, path)))), changed: changed || null }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : numberText(value)
}

/** Parses an ISO 8601 instant. Assumes UTC if it has no offset. Returns `null` if the text is not an instant. */
export function readInstant(text: string): number | null {
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text)
  const ms = Date.parse(hasOffset || !text.includes('T') ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : ms
}

function oneLine(sent: string): string {
  // `includes` is several times faster than a regular expression.
  return sent.includes('\n') || sent.includes('\r') ? minify(sent.trim()) : sent
}
