import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { attempt } from '../../../base/attempt.ts'
import { getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { DAY_MS } from '../../../base/time/units.ts'

/**
 * A closed part of a journal, which contains the deliveries of one UTC day. If the listener closed the journal several
 * times on that day, there are several parts.
 */
export interface ClosedPart {
  /** The day of the last delivery, in days since 1970 (UTC). */
  readonly day: number
  /** The part's number within its day, starting at 1. */
  readonly number: number
  /** The path of the uncompressed file, such as `hooks.ndjson.2026-11-27`. */
  readonly plain: string
  /** The path of the compressed file, such as `hooks.ndjson.2026-11-27.gz`. */
  readonly compressed: string
  readonly hasPlain: boolean
  /** Whether the compressed file exists. If so, it is complete, and an uncompressed file is only a leftover. */
  readonly hasCompressed: boolean
}

const SUFFIX = /^\.(\d{4}-\d\d-\d\d)(?:\.(\d{1,9}))?(\.gz)?$/

/** Returns the UTC day of a time, in days since 1970. */
export function dayOf(timeMs: number): number {
  return Math.floor(timeMs / DAY_MS)
}

function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/**
 * Returns the closed parts of a journal, from the oldest to the newest. Recognizes them by name only. Throws a
 * system error if the directory cannot be read.
 */
export function closedPartsOf(journal: string): readonly ClosedPart[] {
  // Devices and pipes such as /dev/stdin have no closed parts.
  if (/^\/(?:dev|proc)\//.test(journal)) return []
  const path = attempt(() => realpathSync.native(journal), journal)
  const [directory, name] = [dirname(path), basename(path)]
  const parts = new Map<string, ClosedPart>()
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const found = entry.name.startsWith(name) ? readSuffix(entry.name.slice(name.length)) : null
    if (found === null || entry.isDirectory()) continue
    const { day, number, isCompressed } = found
    const plain = partPath(path, day, number)
    const known = parts.get(plain)
    parts.set(plain, {
      ...{ day, number, plain, compressed: `${plain}.gz` },
      hasPlain: !isCompressed || known?.hasPlain === true,
      hasCompressed: isCompressed || known?.hasCompressed === true,
    })
  }
  return [...parts.values()].sort((a, b) => a.day - b.day || a.number - b.number)
}

/**
 * Parses the suffix that follows the journal's name in the name of a closed part. Returns `null` for any other suffix.
 */
function readSuffix(suffix: string) {
  const [, date, count = '1', end = ''] = SUFFIX.exec(suffix) ?? []
  if (date === undefined) return null
  const [day, number] = [dayOf(Date.parse(`${date}T00:00:00Z`)), Number(count)]
  if (Number.isNaN(day) || suffixOf(day, number) + end !== suffix) return null
  return { day, number, isCompressed: end !== '' }
}

/** Works like {@link closedPartsOf}, but returns no parts if the user is not allowed to list the directory. */
export function readablePartsOf(journal: string): readonly ClosedPart[] {
  try {
    return closedPartsOf(journal)
  } catch (error) {
    if (getSystemErrorCode(error) === 'EACCES') return []
    throw error
  }
}

/** Returns whether a journal or at least one of its closed days exists. */
export function journalExists(journal: string): boolean {
  return existsSync(journal) || attempt(() => closedPartsOf(journal).length > 0, false)
}

/** Returns an unused path for a closed part whose last delivery arrived on the given day. */
export function nextClosedPath(journal: string, day: number): string {
  const numbers = closedPartsOf(journal).flatMap((part) => (part.day === day ? [part.number] : []))
  for (let number = Math.max(0, ...numbers) + 1; ; number++) {
    const path = partPath(journal, day, number)
    if (!existsSync(path) && !existsSync(`${path}.gz`)) return path
  }
}

function partPath(journal: string, day: number, number: number): string {
  return join(dirname(journal), basename(journal) + suffixOf(day, number))
}

function suffixOf(day: number, number: number): string {
  return `.${dayName(day)}${number === 1 ? '' : `.${number}`}`
}
