import { dirname } from 'node:path'
import { Failure } from '../../base/failure/failure.ts'
import { shellWord } from '../../base/failure/shell-word.ts'
import { isDamaged } from '../../base/storage/sqlite.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { SCHEMA_VERSION } from './schema.ts'

/** The remedy for a directory that cannot contain a sandbox. */
export const ELSEWHERE =
  'choose another directory: partner sandbox start --data :memory:, or with --data and another directory'

/** Null if the error does not mean that the database is damaged. */
export function asDamage(error: unknown, path: string): Failure | null {
  if (!isDamaged(error)) return null
  return new Failure('INTERNAL', `the sandbox's data is damaged: ${path} (it was left as it is)`, {
    hint: `keep a copy if it matters, then start afresh: ${resetOf(path)}`,
    cause: error,
  })
}

export function cannotOpen(error: unknown, path: string): Failure {
  return new Failure('INTERNAL', `the sandbox's data cannot be opened: ${path}: ${describeSystemError(error)}`, {
    hint: ELSEWHERE,
    cause: error,
  })
}

export function otherVersion(path: string, found: number): Failure {
  return new Failure(
    'INTERNAL',
    `the sandbox's data was written by another version of partner (its form is ${found}, this one reads ${SCHEMA_VERSION}): ${path}`,
    { hint: `start afresh: ${resetOf(path)}` },
  )
}

function resetOf(path: string): string {
  return `partner sandbox reset --yes --data ${shellWord(dirname(path))}`
}
