import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { freshDirectory } from '../support/partner.ts'

const IN_MEMORY = '/dev/shm'

/**
 * Creates a directory that is removed after the test. Puts it in memory if possible, because SQLite syncs its files
 * often.
 */
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
