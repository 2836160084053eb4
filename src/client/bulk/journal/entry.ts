import { createHash } from 'node:crypto'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/** A point in time on two clocks, from which src/money calculates the age of a write. */
export interface JournalMoment {
  readonly wallMs: number
  /** Milliseconds since the system booted. */
  readonly monotonicMs: number
  /** The ID of that boot; `null` if the system does not report one. */
  readonly boot: string | null
}

/** The purpose of a journal. Two runs share a journal only if all of these members are equal. */
export interface JournalFor {
  readonly command: string
  /** The base URL, or `sandbox`. */
  readonly service: string
  /** `null` if no profile was used. */
  readonly profile: string | null
}

/** Identifies an input line. */
export interface LineKey {
  /** The line number, starting at 1. */
  readonly line: number
  /** A sale ID or customer ID. */
  readonly id: string
  /** A digest of the line's content, which does not depend on formatting. */
  readonly digest: string
}

/**
 * The outcome of a write. `already-there` means that the service already had the record, apparently from another
 * client.
 */
export type WriteOutcome = 'accepted' | 'already-there' | 'rejected' | 'unknown'

/** A write that is about to be sent, or its outcome. */
export type Entry = {
  /** The seal of the previous line. `undefined` in version 1. */
  readonly after?: string
} & (
  | (LineKey & { readonly state: 'sending'; readonly at: JournalMoment; readonly operation: string | null })
  | (LineKey & { readonly state: WriteOutcome; readonly status: number | null; readonly message: string | null })
)

const KIND = 'partner bulk'
const VERSION = 2
const STATES = ['sending', 'accepted', 'already-there', 'rejected', 'unknown']

export function headerLine(what: JournalFor): string {
  return addSeal({ journal: KIND, version: VERSION, ...what })
}

/** Formats an entry. `after` is the seal of the previous line. */
export function entryLine(entry: Entry, after: string): string {
  return addSeal({ ...entry, after })
}

export function readSeal(line: string): string {
  return SEALED.exec(line.trimEnd())?.[2] ?? ''
}

/**
 * Reads the first line of a journal. Returns `newer` if a later release wrote it, and `null` if it is damaged or not a
 * journal.
 */
export function readHeader(text: string): (JournalFor & { readonly isChained: boolean }) | 'newer' | null {
  const stated: Record<string, unknown> | null = parseJsonOrNull(text)
  if (stated?.['journal'] !== KIND) return null
  if (Number(stated['version']) > VERSION) return 'newer'
  const { command, service, profile } = parseSealed(text) ?? {}
  if (typeof command !== 'string' || typeof service !== 'string') return null
  const isChained = Number(stated['version']) > 1
  return { command, service, profile: typeof profile === 'string' ? profile : null, isChained }
}

/** Parses an entry. Returns `null` if the line is damaged or not an entry. */
export function readEntry(text: string): Entry | null {
  const entry = parseSealed(text)
  if (entry === null || !STATES.includes(String(entry['state']))) return null
  return entry as unknown as Entry
}

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** Formats a line with a checksum, which detects bit errors and incomplete lines. */
function addSeal(value: object): string {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)},"seal":"${computeSeal(text)}"}\n`
}

const SEALED = /^(\{.*),"seal":"([\w-]{11})"\}$/s

function parseSealed(text: string): Record<string, unknown> | null {
  const [, rest = '', seal = ''] = SEALED.exec(text) ?? []
  return seal !== '' && computeSeal(`${rest}}`) === seal ? parseJsonOrNull(`${rest}}`) : null
}

function computeSeal(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
