import { statSync } from 'node:fs'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { type DatabaseRows, openRows, type TextRow } from '../../sync/database-rows.ts'
import { databaseToRead } from '../../sync/open-target.ts'
import { parseMemo } from '../../sync/running/memo.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'

/** A row of an answer, as text whatever the database: numbers are their digits. */
export type NightRow = TextRow

/** A copy that is only looked at. All statements see it as it was at the first of them. */
export type NightCopy = DatabaseRows

/** Where the copy is, and how to get in. */
export interface NightPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

const MAKE_ONE = 'make one: partner bookings sync --to venue.db, and then sales sync into the same'

/** Whether a copy is in PostgreSQL. Fails: USAGE for a target of no known kind, for one that is no database, and for a file that is not there. */
export function nightCopyKind(name: string): Dialect {
  const kind = databaseToRead(name, '--copy', MAKE_ONE)
  if (kind === 'postgres') return kind
  try {
    if (statSync(name).isDirectory()) throw usageFailure([`--copy ${name} is a directory`], MAKE_ONE)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure([`--copy ${name} cannot be read: ${describeSystemError(error)}`], MAKE_ONE)
  }
  return kind
}

/** The venues whose bookings were synced with their guests, as the last run of each notes. Fails: as the database does. */
export async function venuesWithGuests(copy: NightCopy): Promise<ReadonlySet<string>> {
  const rows = await copy.rows(`SELECT source, memo FROM sync_state WHERE resource = 'bookings'`)
  const hasGuests = ({ memo = null }: NightRow) =>
    parseMemo(memo).asked?.some(([name, value]) => name === 'IncludeCustomerDetails' && value === 'true') ?? false
  return new Set(rows.filter(hasGuests).map(({ source }) => source ?? ''))
}

/** Opens a copy to look at it; nothing is made. Fails: USAGE, also when there are no tables of a sync in it; as the database does. */
export async function openNightCopy(name: string, place: NightPlace): Promise<NightCopy> {
  return openRows(name, nightCopyKind(name), { ...place, flag: '--copy', hint: MAKE_ONE })
}
