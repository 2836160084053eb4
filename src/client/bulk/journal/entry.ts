import { createHash } from 'node:crypto'
import { parseJsonOrNull } from '../../../base/json/parse.ts'

/** A moment by two clocks, as src/money measures how long ago a write left. */
export interface JournalMoment {
  /** Epoch milliseconds. */
  readonly wallMs: number
  /** Milliseconds since the system started. */
  readonly monotonicMs: number
  /** Identifies that start; null where the system does not say. */
  readonly boot: string | null
}

/** What a journal is for. Two runs share one only when all of this is the same. */
export interface JournalFor {
  /** `sales import` */
  readonly command: string
  /** The service, as a name that outlives a run: its base URL, or `sandbox`. */
  readonly service: string
  /** Null when no profile was used. */
  readonly profile: string | null
}

/** Which line an entry is about. */
export interface LineKey {
  /** Where it stood, from 1. */
  readonly line: number
  /** What it is about: a sale ID, a customer ID. */
  readonly id: string
  /** Of what it says, however it was written. */
  readonly digest: string
}

/** How the write of a line ended. `already-there`: the service had it before, from somebody else as far as is known. */
export type WriteOutcome = 'accepted' | 'already-there' | 'rejected' | 'unknown'

/** An entry: the write is about to leave, or how it ended. */
export type Entry = {
  /** The seal of the line before; undefined in entries of version 1. */
  readonly after?: string
} & (
  | (LineKey & { readonly state: 'sending'; readonly at: JournalMoment; readonly operation: string | null })
  | (LineKey & { readonly state: WriteOutcome; readonly status: number | null; readonly message: string | null })
)

const KIND = 'partner bulk'
/** Since version 2, each entry names the seal of the line before. */
const VERSION = 2
const STATES = ['sending', 'accepted', 'already-there', 'rejected', 'unknown']

/** The first line of a journal. */
export function headerLine(what: JournalFor): string {
  return sealed({ journal: KIND, version: VERSION, ...what })
}

/** The line of an entry. `after`: the seal of the line before. */
export function entryLine(entry: Entry, after: string): string {
  return sealed({ ...entry, after })
}

/** Returns the seal at the end of an intact line. */
export function sealIn(line: string): string {
  return SEALED.exec(line.trimEnd())?.[2] ?? ''
}

/** Reads the first line; `newer`: a later release wrote it; null: it is no journal, or damaged. */
export function readHeader(text: string): (JournalFor & { readonly isChained: boolean }) | 'newer' | null {
  const stated: Record<string, unknown> | null = parseJsonOrNull(text)
  if (stated?.['journal'] !== KIND) return null
  if (Number(stated['version']) > VERSION) return 'newer'
  const { command, service, profile } = unsealed(text) ?? {}
  if (typeof command !== 'string' || typeof service !== 'string') return null
  const isChained = Number(stated['version']) > 1
  return { command, service, profile: typeof profile === 'string' ? profile : null, isChained }
}

/** Reads the line of an entry; null: it is none, or damaged. */
export function readEntry(text: string): Entry | null {
  const entry = unsealed(text)
  if (entry === null || !STATES.includes(String(entry['state']))) return null
  return entry as unknown as Entry
}

/** The digest of what a line says. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

/** A seal over the rest, so that a flipped bit is no other line, and half a line no whole one. */
function sealed(value: object): string {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)},"seal":"${sealOf(text)}"}\n`
}

const SEALED = /^(\{.*),"seal":"([\w-]{11})"\}$/s

function unsealed(text: string): Record<string, unknown> | null {
  const [, rest = '', seal = ''] = SEALED.exec(text) ?? []
  return seal !== '' && sealOf(`${rest}}`) === seal ? parseJsonOrNull(`${rest}}`) : null
}

function sealOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
