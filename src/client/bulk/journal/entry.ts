import { createHash } from 'node:crypto'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/** The time of a write on two clocks, so that the write's age can be calculated later. */
export interface JournalMoment {
  readonly wallMs: number
  /** The number of milliseconds since the system booted. */
  readonly monotonicMs: number
  /** The ID of the boot session; `null` if the operating system does not report one. */
  readonly boot: string | null
}

/**
 * The command, service and profile that a journal belongs to. Two runs share a journal only if all three are the same.
 */
export interface JournalFor {
  readonly command: string
  /** The base URL, or `sandbox`. */
  readonly service: string
  /** The profile's name. `null` if no profile was used. */
  readonly profile: string | null
}

/** Identifies a line of the input. */
export interface LineKey {
  /** The line number, starting at 1. */
  readonly line: number
  /** The ID of the sale or customer. */
  readonly id: string
  /** A digest of the line's content that does not depend on its formatting. */
  readonly digest: string
}

/**
 * The outcome of a write. `already-there` means that the service already had the record, apparently because another
 * client had sent it.
 */
export type WriteOutcome = 'accepted' | 'already-there' | 'rejected' | 'unknown'

/** An entry for a write that is about to be sent, or for the outcome of a write. */
export type Entry = {
  /** The seal of the previous line. Missing from version 1 journals. */
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
 * Reads the first line of a journal. Returns `newer` if a later release wrote the journal, and `null` if it is damaged
 * or not a journal.
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

/** Formats a line with a checksum, so that bit errors and incomplete lines can be detected. */
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
