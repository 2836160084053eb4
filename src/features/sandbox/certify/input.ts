import { readFileSync } from 'node:fs'
import { TextDecoder } from 'node:util'
import { usageFailure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { findNearest } from '../../../base/failure/nearest.ts'
import { readGivenFile } from '../../../base/storage/given-file.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import type { Item } from '../../../studio/certify/certify.ts'
import { isResult } from '../../../studio/certify/result/signed.ts'
import type { Problems } from '../../../terminal/input/problems.ts'
import { checkPlace } from '../../shared/place.ts'

/** The limit for keys and files of items. */
const MOST_BYTES = 256 * 1024

/** Characters. */
const LONGEST_NAME = 200

const REASONS: Readonly<Record<string, string>> = { ENOENT: 'there is no such file', EISDIR: 'it is a directory' }

/** Reads a file that the user named. Fails: USAGE when it cannot be read. */
export async function readNamed(path: string, flag: string, maxBytes: number = MOST_BYTES): Promise<Uint8Array> {
  try {
    return (await readGivenFile(path, { maxBytes })).bytes
  } catch (error) {
    if (error instanceof Interrupted) throw error
    const why = REASONS[getSystemErrorCode(error) ?? ''] ?? describeSystemError(error)
    const shown = path === '' || path.length > LONGEST_NAME ? JSON.stringify(path) : path
    throw usageFailure([`${flag}: ${shown} cannot be read: ${why}`], 'check the path')
  }
}

/** Reads a UTF-8 text. Fails: USAGE. */
export async function readText(path: string, flag: string): Promise<string> {
  const bytes = await readNamed(path, flag)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw usageFailure([`${flag}: ${path} is not text in UTF-8`], 'save it as UTF-8')
  }
}

/** Reads the key of `file:PATH`. Fails: USAGE, without quoting what may be the key itself. */
export async function readKeyText(reference: string, flag: string): Promise<string> {
  const [, path = ''] = /^file:(.+)$/s.exec(reference) ?? []
  if (path === '') throw usageFailure([`${flag} must be file:PATH`], `for example ${flag} file:certify.pem`)
  return readText(path, flag)
}

/** The requested items in checklist order; by default all. Complains about unknown IDs. */
export function chooseItems(all: readonly Item[], asked: readonly string[], problems: Problems): readonly Item[] {
  const ids = all.map(({ id }) => id)
  const wanted = asked.flatMap((text) => text.split(',')).map((id) => id.trim())
  for (const typed of wanted.filter((id) => !ids.includes(id))) {
    const near = findNearest(typed, ids)
    problems.add(
      `--only: there is no item ${JSON.stringify(typed)}${near === null ? '' : `; did you mean ${near}?`}`,
      'see the items: partner certify --list; nothing was started',
    )
  }
  return wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id))
}

/** Checks that a result can be written: over an earlier one, or, with `--yes`, over any file. Fails: USAGE. */
export function mayReplaceResult(path: string, isYes: boolean): void {
  checkPlace(path, isYes || holdsResult(path), { flag: '--out', example: 'DIR/result.json' })
}

function holdsResult(path: string): boolean {
  try {
    return isResult(readFileSync(path, 'utf8'))
  } catch {
    return false
  }
}
