import { findNearest } from '../../../base/failure/nearest.ts'
import type { LocalMs } from '../../venue/time.ts'

/** A JSON object by member name, such as a complete record. */
export type RecordData = Readonly<Record<string, unknown>>

/** The facts about the first venue from which omitted members are derived. */
export interface VenueDefaults {
  /** The ID of the first venue. */
  readonly location: string
  /** Converts the venue's local time to the first instant that has it, in milliseconds since 1970. */
  toInstant(local: LocalMs): number
}

/** The members of one kind of record, by name, in file order. */
export type Members = Readonly<Record<string, Member>>

export interface Member {
  /** Checks a value from a line and converts it for the store. Throws {@link InvalidLine}. */
  readonly read: (value: unknown) => unknown
  /** Derives an omitted member from earlier ones. Members without this function are required. */
  readonly implied?: (before: RecordData, defaults: VenueDefaults) => unknown
}

export function membersLike(names: readonly string[], member: Member): Members {
  return Object.fromEntries(names.map((name) => [name, member]))
}

/** The error for an invalid line of a snapshot. Its message is shown after the line number. */
export class InvalidLine extends Error {}

/** Returns a record without the members that can be derived from the others. */
export function compactRecord(record: RecordData, members: Members, defaults: VenueDefaults): RecordData {
  const short: Record<string, unknown> = {}
  // Contains only earlier members, because that is all a reader has when it derives an omitted one.
  const known: Record<string, unknown> = {}
  for (const [name, { implied }] of Object.entries(members)) {
    const value = record[name]
    if (implied === undefined || !isSame(value, implied(known, defaults))) short[name] = value
    known[name] = value
  }
  return short
}

/** Restores the omitted members of a line. Throws {@link InvalidLine} for a missing, malformed or unknown member. */
export function expandRecord(line: RecordData, members: Members, defaults: VenueDefaults): RecordData {
  const record: Record<string, unknown> = {}
  // Unknown members are checked first. A misspelled member is also missing, but an error about the misspelling is more
  // helpful.
  rejectUnknownMembers(line, Object.keys(members))
  for (const [name, { read, implied }] of Object.entries(members)) {
    if (Object.hasOwn(line, name)) record[name] = withMemberName(name, () => read(line[name]))
    else if (implied === undefined) throw new InvalidLine(`"${name}" is missing`)
    else record[name] = implied(record, defaults)
  }
  return record
}

/** Checks that an object has no members except `names`. Throws {@link InvalidLine}. */
export function rejectUnknownMembers(object: RecordData, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other === undefined) return
  const near = findNearest(other, names)
  throw new InvalidLine(`cannot have a member "${other}"${near === null ? '' : `; did you mean "${near}"?`}`)
}

/** Reads the value of a member. Prefixes errors with the name of the member. */
export function withMemberName<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof InvalidLine ? new InvalidLine(`"${name}" ${error.message}`) : error
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  return JSON.stringify(a) === JSON.stringify(b)
}
