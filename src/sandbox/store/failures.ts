import { dirname } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { quoteShellWord } from '../../base/failure/shell-word.ts'
import { isDamaged } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { SCHEMA_VERSION } from './schema.ts'

/** The hint to show if a directory cannot be used for a sandbox's data. */
export const OTHER_DIRECTORY_HINT =
  'use a different directory (--data DIR), or keep the data in memory: partner sandbox start --data :memory:'

/** Returns the failure to report for a damaged database, or `null` if the error has a different cause. */
export function toDamageFailure(error: unknown, path: string): Failure | null {
  if (!isDamaged(error)) return null
  return new Failure('INTERNAL', `the sandbox's data is damaged: ${path} (the file was not changed)`, {
    hint: `back up the file if you need its data, then start over: ${resetCommand(path)}`,
    cause: error,
  })
}

export function openFailure(error: unknown, path: string): Failure {
  return new Failure('INTERNAL', `cannot open the sandbox's data: ${path}: ${describeSystemError(error)}`, {
    hint: OTHER_DIRECTORY_HINT,
    cause: error,
  })
}

export function versionFailure(path: string, found: number): Failure {
  return new Failure(
    'INTERNAL',
    `the sandbox's data was written by another version of partner (format ${found}; this version reads format ${SCHEMA_VERSION}): ${path}`,
    { hint: `start over: ${resetCommand(path)}` },
  )
}

function resetCommand(path: string): string {
  return `partner sandbox reset --yes --data ${quoteShellWord(dirname(path))}`
}
