import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataDirectory, ensurePrivateDirectory, type Variables } from '../../base/storage/directories.ts'
import type { ReadFile } from '../../monitor/file/read-file.ts'
import { checkWritablePath } from '../shared/place.ts'

/** Returns the path of the state file. The default depends on the real path of the checks file. Throws USAGE. */
export function statePath(given: string | undefined, { path }: ReadFile, env: Variables): string {
  if (given === undefined) {
    const name = createHash('sha256').update(path).digest('hex').slice(0, 24)
    return join(dataDirectory(env), 'monitor', `${name}.db`)
  }
  checkWritablePath(given, true, { flag: '--state', example: 'monitor.db' })
  return given
}

/** Creates the state file's directory if it does not exist. Throws USAGE or INTERNAL. */
export function ensureStateDirectory(path: string): void {
  if (!existsSync(dirname(path))) ensurePrivateDirectory(dirname(path))
}
