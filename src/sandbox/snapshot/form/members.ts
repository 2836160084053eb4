import { findNearest } from '../../../base/failure/nearest.ts'
import type { LocalMs } from '../../venue/time.ts'

/** A JSON object, such as a complete record. */
export type RecordData = Readonly<Record<string, unknown>>

/** The first venue's properties, which are used to derive the values of omitted members. */
export interface VenueDefaults {
  /** The ID of the first venue. */
  readonly location: string
  /**
   * Converts the venue's local time to an instant, in milliseconds since 1970. If the local time occurs twice, returns
   * the first of the two instants.
   */
  toInstant(local: LocalMs): number
}

/** The members that one kind of record can have, keyed by name, in the order that a snapshot uses. */
export type Members = Readonly<Record<string, Member>>

export interface Member {
  /** Checks a value from a snapshot and converts it for the store. Throws {@link InvalidLine}. */
  readonly read: (value: unknown) => unknown
  /** Derives the value of an omitted member from the members before it. Members without this function are required. */
  readonly implied?: (before: RecordData, defaults: VenueDefaults) => unknown
}

export function membersLike(names: readonly string[], member: Member): Members {
  return Object.fromEntries(names.map((name) => [name, member]))
}

/** The error for an invalid line in a snapshot. The reader prepends the line number to the message. */
export class InvalidLine extends Error {}

/** Omits each member whose value can be derived from the record's earlier members. */
export function compactRecord(record: RecordData, members: Members, defaults: VenueDefaults): RecordData {
  const short: Record<string, unknown> = {}
  // The members before the current one. expandRecord can derive values only from these.
  const known: Record<string, unknown> = {}
  for (const [name, { implied }] of Object.entries(members)) {
    const value = record[name]
    if (implied === undefined || !isSame(value, implied(known, defaults))) short[name] = value
    known[name] = value
  }
  return short
}

/**
 * Returns the complete record of a line, including its omitted members. Throws {@link InvalidLine} if a member is
 * missing, malformed or unknown.
 */
export function expandRecord(line: RecordData, members: Members, defaults: VenueDefaults): RecordData {
  const record: Record<string, unknown> = {}
  // A misspelled member is both unknown and missing. Check for unknown members first: that error is more helpful.
  rejectUnknownMembers(line, Object.keys(members))
  for (const [name, { read, implied }] of Object.entries(members)) {
    if (Object.hasOwn(line, name)) record[name] = withMemberName(name, () => read(line[name]))
    else if (implied === undefined) throw new InvalidLine(`"${name}" is missing`)
    else record[name] = implied(record, defaults)
  }
  return record
}

/** Checks that an object has no members other than `names`. Throws {@link InvalidLine}. */
export function rejectUnknownMembers(object: RecordData, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other === undefined) return
  const near = findNearest(other, names)
  throw new InvalidLine(`cannot have a member "${other}"${near === null ? '' : `; did you mean "${near}"?`}`)
}

/** Reads a member's value. If that fails, prepends the member's name to the error message. */
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
