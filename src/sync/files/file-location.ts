import { accessSync, constants, lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { attempt } from '../../base/attempt.ts'
import { Failure } from '../../base/failure/failure.ts'
import { refuseUnlessPlainFile } from '../../base/storage/own-file.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'

/** Returns the paths of a copy's companion files: its state, its lock, and the temporary files of a compaction. */
export function companionFiles(path: string) {
  return {
    ...{ state: `${path}.state`, lock: `${path}.lock` },
    ...{ compacted: `${path}.compacted`, request: `${path}.compact`, compactLock: `${path}.compact.lock` },
  }
}

/**
 * Throws USAGE if the directory does not exist, or if one of the copy's files is not a regular file. Before a write,
 * also requires that the directory and the data file are writable.
 */
export function checkFileLocation(path: string, isToWrite: boolean): void {
  const directory = dirname(resolve(path))
  if (!attempt(() => statSync(directory).isDirectory(), false))
    throw new Failure('USAGE', `--to ${path}: the directory ${directory} does not exist`, {
      hint: 'create the directory, or choose another one',
    })
  for (const file of [path, ...Object.values(companionFiles(path))]) refuseUnlessPlainFile(file)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!isToWrite) return
  requireAccess(path, directory, constants.W_OK | constants.X_OK)
  if (stats) requireAccess(path, path, constants.R_OK | constants.W_OK)
}

function requireAccess(path: string, what: string, mode: number): void {
  try {
    accessSync(what, mode)
  } catch (error) {
    throw new Failure('USAGE', `--to ${path}: ${what} is not writable: ${describeSystemError(error)}`, {
      hint: 'choose a writable file in a writable directory',
    })
  }
}

/** Returns the result of `lstat`, or `null` if the path does not exist. */
export function statsOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
