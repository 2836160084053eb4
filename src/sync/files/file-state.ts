import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import type { CopyState, Counts, ResourceName } from '../copy.ts'

/** The format that is written. A newer one is left alone. */
const FORMAT = 1

/** What is known of a file, beside it: `x.ndjson.state`. */
export interface FileState {
  readonly source: string
  readonly resource: ResourceName
  /** ISO 8601; null before the first commit. */
  readonly cursor: string | null
  /** How many bytes of the file belong to the copy. */
  readonly length: number
  /** Names the last of these bytes. */
  readonly tail: string
  /** How many versions the file has. */
  readonly rows: number
  /** A run has appended, or is about to: what is beyond the length is the rest of one that was cut off. */
  readonly writing: boolean
  readonly lastRun: CopyState['lastRun']
  readonly memo: string | null
  /** The versions that the service may send again, by hash, each with the time until which it may (epoch milliseconds). */
  readonly versions: readonly (readonly [hash: string, ms: number])[]
  /** The file is being written anew, without some lines: how it was before. It has either all of them or none. */
  readonly before?: Rest | undefined
}

/** What a file that is written anew has otherwise. */
export type Rest = Pick<FileState, 'length' | 'tail' | 'rows' | 'versions'>

/** The state of a file that has nothing yet. */
export function emptyState(source: string, resource: ResourceName): FileState {
  const nothing = { cursor: null, length: 0, tail: '', rows: 0, lastRun: null, memo: null, versions: [] }
  return { source, resource, ...nothing, writing: false }
}

/** The cursor in epoch milliseconds. */
export function cursorOf({ cursor }: FileState): number | null {
  return cursor === null ? null : Date.parse(cursor)
}

/** A state as it is kept. */
export function formatState(state: FileState): string {
  return `${JSON.stringify({ format: FORMAT, ...state })}\n`
}

/**
 * Reads a state; null when there is none. Fails: USAGE when it is newer; INTERNAL when it cannot be read.
 */
export function readState(path: string): FileState | 'damaged' | null {
  let text: string | null
  try {
    text = readOwnText(path)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('INTERNAL', `cannot read ${path}: ${describeSystemError(error)}`, { cause: error })
  }
  if (text === null) return null
  const { format, ...state }: Readonly<Record<string, unknown>> = Object(parseJsonOrNull(text))
  if (typeof format === 'number' && format > FORMAT)
    throw new Failure('USAGE', `${path} was written by a newer version of partner`, {
      hint: 'use that version; nothing was changed',
    })
  return format === FORMAT && isState(state) ? state : 'damaged'
}

/** Reads a state that must be sound. Fails: as {@link readState}; USAGE, with how to go on, when it is damaged. */
export function readSoundState(path: string, how: string): FileState | null {
  const state = readState(path)
  if (state === 'damaged')
    throw new Failure('USAGE', `${path} is damaged: it does not say how far the copy goes`, { hint: how })
  return state
}

function isState(value: unknown): value is FileState {
  const { source, resource, cursor, length, tail, rows, writing, lastRun, memo, versions, before } = value as Partial<
    Record<keyof FileState, unknown>
  >
  return (
    typeof source === 'string' &&
    typeof resource === 'string' &&
    (cursor === null || (typeof cursor === 'string' && !Number.isNaN(Date.parse(cursor)))) &&
    isCount(length) &&
    typeof tail === 'string' &&
    isCount(rows) &&
    typeof writing === 'boolean' &&
    (lastRun === null || isRun(lastRun)) &&
    (memo === null || typeof memo === 'string') &&
    Array.isArray(versions) &&
    versions.every(isVersion) &&
    (before === undefined || isRest(before))
  )
}

function isRest(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { length, tail, rows, versions } = value as Partial<Record<keyof Rest, unknown>>
  const isCounted = isCount(length) && isCount(rows)
  return isCounted && typeof tail === 'string' && Array.isArray(versions) && versions.every(isVersion)
}

function isVersion(value: unknown): boolean {
  return Array.isArray(value) && /^[0-9a-f]{24}$/.test(String(value[0])) && typeof value[1] === 'number'
}

function isRun(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { startedMs, requests, added, changed, unchanged } = value as Partial<
    Record<keyof Counts | 'startedMs' | 'requests', unknown>
  >
  return [requests, added, changed, unchanged].every(isCount) && typeof startedMs === 'number'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
