import { Failure } from '../../base/failure/failure.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { readOwnText } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import type { CopyKey, CopyState, Counts, Holder, ResourceName, RunNote } from '../copy.ts'
import { plus } from '../copy.ts'

/** The state file format that this version of partner writes. State files in newer formats are rejected. */
const FORMAT = 1

/** The content of the state file, `x.ndjson.state`. */
export interface FileState extends CopyKey {
  /** The cursor in ISO 8601, or `null` before the first commit. */
  readonly cursor: string | null
  /** The number of bytes in the data file that belong to the copy. */
  readonly length: number
  /** A hash of the copy's last bytes. */
  readonly tail: string
  readonly rows: number
  /** Whether a run was writing. If it was, any bytes after `length` are left over from an interrupted run. */
  readonly writing: boolean
  readonly lastRun: CopyState['lastRun']
  readonly memo: string | null
  /**
   * The versions that the service may send again. Each entry contains the version's hash and the time, in epoch
   * milliseconds, when the version can be forgotten.
   */
  readonly versions: readonly (readonly [hash: string, ms: number])[]
  /**
   * The state before a rewrite, stored until the shorter file has replaced the data file. Until then, the data file
   * matches one of the two states.
   */
  readonly before?: RewrittenState | undefined
}

/** The members of the state that change when the data file is rewritten. */
export type RewrittenState = Pick<FileState, 'length' | 'tail' | 'rows' | 'versions'>

export function emptyState(source: string, resource: ResourceName): FileState {
  const nothing = { cursor: null, length: 0, tail: '', rows: 0, lastRun: null, memo: null, versions: [] }
  return { source, resource, ...nothing, writing: false }
}

/** Returns the state's cursor in epoch milliseconds. */
export function cursorOf({ cursor }: FileState): number | null {
  return cursor === null ? null : Date.parse(cursor)
}

/** Returns the state after a commit. The caller must set the members that describe the file itself. */
export function stateAfter(state: FileState, cursorMs: number, { before, memo, ...ran }: RunNote, done: Counts) {
  return {
    ...state,
    cursor: new Date(cursorMs).toISOString(),
    rows: state.rows + done.added + done.changed,
    writing: false,
    lastRun: { ...ran, ...plus(before, done) },
    memo,
  }
}

/** Converts a state file's content to a {@link CopyState}. */
export function copyStateOf(state: FileState, holder: Holder | null): CopyState {
  const { source, resource, rows, lastRun, memo } = state
  return { source, resource, rows, lastRun, memo, cursorMs: cursorOf(state), holder }
}

export function formatState(state: FileState): string {
  return `${JSON.stringify({ format: FORMAT, ...state })}\n`
}

/**
 * Reads a state file. Returns `null` if there is none. Throws USAGE if its format is newer, or INTERNAL if it is
 * unreadable.
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
      hint: 'nothing was changed; update partner',
    })
  return format === FORMAT && isState(state) ? state : 'damaged'
}

/** Works like {@link readState}, but throws USAGE with the hint `how` if the state is damaged. */
export function readValidState(path: string, how: string): FileState | null {
  const state = readState(path)
  if (state === 'damaged')
    throw new Failure('USAGE', `${path} is damaged, so the state of the copy is unknown`, {
      hint: how,
    })
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
const REST_CHECKS: Readonly<Record<keyof RewrittenState, Check>> = { length, tail, rows, versions }
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
