import { accessSync, constants, existsSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { usageFailure } from '../../../base/failure/failure.ts'
import { describeSystemError, getSystemErrorCode } from '../../../base/storage/system-error.ts'
import { type Clock, isWholeDay, parseInstant } from '../../../base/time/instant.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { kindToRead } from '../../../sync/open-target.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { venueFile } from '../../../terminal/runtime/many/venue-file.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import { ONE_SOURCE } from '../../shared/copies.ts'

type ReconcileFlags = { readonly [F in 'date' | 'copy' | 'source' | 'fix']?: string | undefined } & {
  readonly [F in 'map' | 'journal']?: readonly string[] | undefined
} & { readonly force?: boolean | undefined }

export type ReconcileParts = Opened<ReconcileFlags, { readonly file: string }>

/** Checks the arguments and flags. Replaces `{profile}` in file names. Throws a USAGE error that lists all problems. */
export function checkArguments(opened: ReconcileParts): ReconcileParts {
  const { args, flags, host } = opened
  const { copy, fix } = flags
  const problems = new Problems()
  const fileOf = (given: string, what: string, example: string) =>
    problems.check(() => venueFile(host, given, what, example)) ?? given
  const file = fileOf(args.file, 'FILE', 'closings-{profile}.ndjson')
  const journal = flags.journal?.map((path) => fileOf(path, '--journal', '{profile}.journal'))
  const own = fix === undefined ? {} : { fix: fileOf(fix, '--fix', 'missing-{profile}.ndjson') }
  problems.check(() => parseDay(flags.date, { now: host.now(), timezone: null }))
  problems.check(() => checkFixFile(own.fix))
  if (copy !== undefined) problems.check(() => kindToRead(copy, '--copy'))
  for (const path of journal ?? [])
    if (!existsSync(path))
      problems.add(
        `--journal ${JSON.stringify(path)} does not exist`,
        'pass the path of an import journal, such as FILE.journal',
      )
  if (flags.force === true && fix === undefined) problems.add('--force needs --fix')
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'omit it')
  if (flags.source !== undefined && copy === undefined) problems.add('--source needs --copy')
  problems.throwIfAny()
  return { ...opened, args: { file }, flags: { ...flags, journal, ...own } }
}

/**
 * Returns the day in `--date`, such as `2026-11-20`, or `null` if the flag is absent. Throws USAGE if the value is not
 * a whole day.
 */
export function parseDay(text: string | undefined, clock: Clock): string | null {
  if (text === undefined) return null
  if (!isWholeDay(text))
    throw usageFailure(
      [`--date: ${JSON.stringify(text.slice(0, 40))} is not a day`],
      'use a day, such as 2026-11-20, today or yesterday',
      'times',
    )
  return dateIn(parseInstant(text, { ...clock, edge: 'lower', flag: '--date' }), clock.timezone)
}

/** Checks that the file named by `--fix` does not exist yet and can be created. Throws USAGE otherwise. */
export function checkFixFile(path: string | undefined): void {
  if (path === undefined) return
  if (path === '-' || path.trim() === '') throw usageFailure(['--fix must name a file'], 'such as --fix missing.ndjson')
  const unwritable = (error: unknown, next: string) =>
    usageFailure([`--fix ${path} cannot be written: ${describeSystemError(error)}`], next)
  try {
    lstatSync(path)
  } catch (error) {
    if (getSystemErrorCode(error) !== 'ENOENT') throw unwritable(error, 'name another file')
    try {
      accessSync(dirname(path), constants.W_OK)
      return
    } catch (trouble) {
      throw unwritable(trouble, 'name a file in a directory that you can write to')
    }
  }
  throw usageFailure([`--fix ${path} already exists`], 'name another file or remove this one')
}
