import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import {
  type CopyKey,
  type CopyState,
  type Counts,
  type Holder,
  plus,
  type ResourceName,
  type RunNote,
} from '../copy.ts'

/** The format that is written. A newer one is left alone. */
const FORMAT = 1

/** What is known of a file, beside it: `x.ndjson.state`. */
export interface FileState extends CopyKey {
  /** ISO 8601; null before the first commit. */
  readonly cursor: string | null
  /** How many bytes of the file belong to the copy. */
  readonly length: number
  /** Names the last of these bytes. */
  readonly tail: string
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

/** The state after a commit of records, in a file that is as it is said to be now. */
export function stateAfter(
  state: FileState,
  cursorMs: number,
  { startedMs, requests, before, memo }: RunNote,
  done: Counts,
): FileState {
  return {
    ...state,
    cursor: new Date(cursorMs).toISOString(),
    rows: state.rows + done.added + done.changed,
    writing: false,
    lastRun: { startedMs, requests, ...plus(before, done) },
    memo,
  }
}

/** What is known of the copy of which this is the state. */
export function copyStateOf(state: FileState, holder: Holder | null): CopyState {
  const { source, resource, rows, lastRun, memo } = state
  return { source, resource, rows, lastRun, memo, cursorMs: cursorOf(state), holder }
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

type Check = (value: unknown) => boolean

const CHECKS: Readonly<Record<keyof FileState, Check>> = {
  source: isText,
  resource: isText,
  cursor: (value) => value === null || (typeof value === 'string' && !Number.isNaN(Date.parse(value))),
  length: isCount,
  tail: isText,
  rows: isCount,
  writing: (value) => typeof value === 'boolean',
  lastRun: (value) => value === null || hasMembers(value, RUN_CHECKS),
  memo: (value) => value === null || isText(value),
  versions: (value) => Array.isArray(value) && value.every(isVersion),
  before: (value) => value === undefined || hasMembers(value, REST_CHECKS),
}
const { length, tail, rows, versions } = CHECKS
const REST_CHECKS: Readonly<Record<keyof Rest, Check>> = { length, tail, rows, versions }
const RUN_CHECKS: Readonly<Record<keyof NonNullable<FileState['lastRun']>, Check>> = {
  startedMs: (value) => typeof value === 'number',
  ...{ requests: isCount, added: isCount, changed: isCount, unchanged: isCount },
}

function isState(value: unknown): value is FileState {
  return hasMembers(value, CHECKS)
}

function hasMembers(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = value as Readonly<Record<string, unknown>>
  return Object.entries(checks).every(([name, isRight]) => isRight(members[name]))
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isVersion(value: unknown): boolean {
  return Array.isArray(value) && /^[0-9a-f]{24}$/.test(String(value[0])) && typeof value[1] === 'number'
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
