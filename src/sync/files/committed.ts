import { closeSync, fstatSync, openSync } from 'node:fs'
import { type Failure, usageFailure } from '../../base/failure/failure.ts'
import { getSystemErrorCode } from '../../base/storage/system-error.ts'
import { hashTail } from './data-file.ts'
import { companionFiles } from './file-location.ts'
import { type FileState, readValidState } from './file-state.ts'

/** A file opened for reading, with the state that describes its content. */
export interface Committed {
  readonly descriptor: number
  readonly state: FileState
}

/**
 * Opens a copy's file, in its state after the last commit, without locking the copy. Other processes can append to the
 * file or replace it without affecting this reader. Returns `null` if there is no copy. Throws USAGE if the file has
 * changed since the last commit.
 */
export function openCommitted(path: string): Committed | null {
  for (let before: FileState | null = null; ; ) {
    const state = readValidState(companionFiles(path).state, recoveryHint(path))
    const descriptor = state === null ? null : openUnlessMissing(path)
    if (state === null || descriptor === null) return null
    try {
      // Accept bytes after the committed ones, because another run may be appending to the file.
      const found = committedState(descriptor, { ...state, writing: true })
      if (found !== null) return { descriptor, state: found }
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
    closeSync(descriptor)
    // A rewrite by partner would have changed the state, so try again only if the state has changed.
    if (before?.tail === state.tail && before.length === state.length) throw changedFailure(path)
    before = state
  }
}

/** Returns the state before or after a rewrite, whichever matches the file. Returns `null` if neither does. */
export function committedStateOf(path: string, state: FileState): FileState | null {
  const descriptor = openSync(path, 'r')
  try {
    return committedState(descriptor, state)
  } finally {
    closeSync(descriptor)
  }
}

function committedState(descriptor: number, { before, ...state }: FileState): FileState | null {
  const { size } = fstatSync(descriptor)
  if (isAsCommitted(descriptor, size, state)) return state
  if (before && isAsCommitted(descriptor, size, { ...before, writing: false })) return { ...state, ...before }
  return null
}

/** Returns whether the file is unchanged since the last commit, except for bytes that an interrupted run appended. */
function isAsCommitted(
  descriptor: number,
  size: number,
  { length, tail, writing }: Pick<FileState, 'length' | 'tail' | 'writing'>,
): boolean {
  if (size < length || (size > length && !writing)) return false
  return length === 0 || hashTail(descriptor, length) === tail
}

/** Returns the failure (exit code 2) for a file that differs from its state. */
export function changedFailure(path: string): Failure {
  return usageFailure([`${path} was changed by another program since the last sync`], recoveryHint(path))
}

/** Returns the hint for a copy whose file or state is damaged. */
export function recoveryHint(path: string): string {
  return `restore both files, or run the sync with --reset --yes to empty ${path} and read everything again`
}

function openUnlessMissing(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (getSystemErrorCode(error) === 'ENOENT') return null
    throw error
  }
}
