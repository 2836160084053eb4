import { renameSync, rmSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { Failure } from '../failure/failure.ts'
import { monotonicMs } from '../stopwatch.ts'
import { getSystemErrorCode, OPEN_ELSEWHERE } from './system-error.ts'

// On Windows, a file cannot be renamed, replaced or removed while another program has it open. Virus scanners and
// backup programs briefly open new files, so these functions retry before they fail.

/** How long to wait for another program to close a file, in milliseconds. */
const WAIT_MS = 5_000
const PAUSE_MS = 50

/**
 * The errors that Windows reports if another program has a file open. Some of them may also mean that the user lacks
 * permission.
 */
const IN_USE: ReadonlySet<string | null> = new Set(['EBUSY', 'EPERM', 'EACCES'])

/**
 * Renames a file, replacing any file that has the new name. On Windows, throws INTERNAL if another program keeps a file
 * open. Also throws system errors.
 */
export function renameFile(from: string, to: string): void {
  waitForOtherPrograms(to, () => renameSync(from, to))
}

/** Removes a file if it exists. Throws the same errors as {@link renameFile}. */
export function removeFile(path: string): void {
  waitForOtherPrograms(path, () => rmSync(path, { force: true }))
}

/** Removes a directory with everything in it, if it exists. Throws the same errors as {@link renameFile}. */
export function removeDirectory(path: string): void {
  waitForOtherPrograms(path, () => rmSync(path, { recursive: true, force: true }))
}

/** Tries to remove a file, or a directory with everything in it, that is no longer needed. Never throws. */
export function discard(path: string, waitMs = WAIT_MS): void {
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
  attempt(() => waitForOtherPrograms(path, remove, waitMs), undefined)
}

function waitForOtherPrograms(path: string, work: () => void, waitMs = WAIT_MS): void {
  const deadline = monotonicMs() + waitMs
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      const code = getSystemErrorCode(error)
      if (process.platform !== 'win32' || !IN_USE.has(code)) throw error
      if (monotonicMs() >= deadline) throw inUseFailure(path, code, error)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
    }
  }
}

function inUseFailure(path: string, code: string | null, cause: unknown): Failure {
  const otherwise = code === 'EBUSY' ? '' : ', or you lack permission to change it'
  const problem = `${OPEN_ELSEWHERE} ${path} open${otherwise} (${code})`
  return new Failure('INTERNAL', problem, {
    hint: 'the file is unchanged; close that program, then run the command again',
    cause,
  })
}
