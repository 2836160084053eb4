import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { freshDirectory } from '../support/partner.ts'

const IN_MEMORY = '/dev/shm'

/** A fresh directory that is gone after the test, in memory where the system has such a place: a record is synced at each step. */
export function quickDirectory(): string {
  return freshDirectory(isThere(IN_MEMORY) ? IN_MEMORY : tmpdir())
}

function isThere(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
