import { readFileSync } from 'node:fs'
import { usageFailure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { findNearest } from '../../../base/failure/nearest.ts'
import { readGivenFile } from '../../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { decodeUtf8 } from '../../../base/utf8.ts'
import type { Item } from '../../../studio/certify/certify.ts'
import { isResult } from '../../../studio/certify/result/signed.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import { checkWritablePath } from '../../shared/place.ts'

/** The maximum size of a key file or an items file, in bytes. */
const MAX_BYTES = 256 * 1024

/** The maximum length, in characters, of a path that messages show unquoted. */
const MAX_PATH_LENGTH = 200

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

/** Reads a file that the user named. Throws USAGE if it cannot be read. */
export async function readUserFile(path: string, flag: string, maxBytes: number = MAX_BYTES): Promise<Uint8Array> {
  try {
    return (await readGivenFile(path, { maxBytes })).bytes
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const why = REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)
    const shown = path === '' || path.length > MAX_PATH_LENGTH ? JSON.stringify(path) : path
    throw usageFailure([`${flag}: ${shown} cannot be read: ${why}`], 'check the path')
  }
}

/** Reads a UTF-8 text file. Throws USAGE if it cannot be read or is not UTF-8. */
export async function readText(path: string, flag: string): Promise<string> {
  return decodeUtf8(await readUserFile(path, flag), `${flag}: ${path}`)
}

/**
 * Reads the key file that `file:PATH` names. Errors never quote the value, because it may be the key itself. Throws
 * USAGE.
 */
export async function readKeyText(reference: string, flag: string): Promise<string> {
  const [, path = ''] = /^file:(.+)$/s.exec(reference) ?? []
  if (path === '') throw usageFailure([`${flag} must be file:PATH`], `for example ${flag} file:certify.pem`)
  return readText(path, flag)
}

/**
 * Returns the requested items in checklist order, or all items if none are requested. Adds a problem for each unknown
 * ID.
 */
export function chooseItems(all: readonly Item[], asked: readonly string[], problems: Problems): readonly Item[] {
  const ids = all.map(({ id }) => id)
  const wanted = asked.flatMap((text) => text.split(',')).map((id) => id.trim())
  for (const typed of wanted.filter((id) => !ids.includes(id))) {
    const near = findNearest(typed, ids)
    problems.add(
      `--only: the checklist has no item ${JSON.stringify(typed)}${near === null ? '' : `; did you mean ${near}?`}`,
      'nothing was started; to list the items, run: partner certify --list',
    )
  }
  return wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
}

/**
 * Checks that a result can be written to a path. Unless `isYes` is true, only an earlier result may be overwritten.
 * Throws USAGE.
 */
export function checkOutputPath(path: string, isYes: boolean): void {
  checkWritablePath(path, isYes || isResultFile(path), { flag: '--out', example: 'DIR/result.json' })
}

function isResultFile(path: string): boolean {
  try {
    return isResult(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}
