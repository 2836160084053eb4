import { findNearest } from '../../../base/failure/nearest.ts'
import type { LocalMs } from '../../venue/time.ts'

/** A record with all its members. */
export type Whole = Readonly<Record<string, unknown>>

/** Defaults for the records of a snapshot. */
export interface Place {
  /** The ID of the first venue. */
  readonly location: string
  /** Converts a time on the venue's clock to its first instant, milliseconds since 1970. */
  toInstant(local: LocalMs): number
}

/** The members of one kind of record by name, in order. */
export type Members = Readonly<Record<string, Member>>

export interface Member {
  /** Checks a value of a line, and converts it for the store. Fails: {@link Wrong}. */
  readonly read: (value: unknown) => unknown
  /** The value when a line omits the member, from earlier members. Without this, it is required. */
  readonly implied?: (before: Whole, place: Place) => unknown
}

export function alike(names: readonly string[], member: Member): Members {
  return Object.fromEntries(names.map((name) => [name, member]))
}

/** The problem of a line, in words that follow its number. */
export class Wrong extends Error {}

/** Leaves out the members that follow from the others. */
export function shorten(record: Whole, members: Members, place: Place): Whole {
  const short: Record<string, unknown> = {}
  // The reader's knowledge so far: an omitted member must follow from given ones.
  const known: Record<string, unknown> = {}
  for (const [name, { implied }] of Object.entries(members)) {
    const value = record[name]
    if (implied === undefined || !isSame(value, implied(known, place))) short[name] = value
    known[name] = value
  }
  return short
}

/** Restores omitted members. Fails: {@link Wrong} for a member that is missing, malformed or unknown. */
export function complete(line: Whole, members: Members, place: Place): Whole {
  const record: Record<string, unknown> = {}
  // Checked first, as a misspelled member is a missing one, too.
  refuseOthers(line, Object.keys(members))
  for (const [name, { read, implied }] of Object.entries(members)) {
    if (Object.hasOwn(line, name)) record[name] = named(name, () => read(line[name]))
    else if (implied === undefined) throw new Wrong(`"${name}" is missing`)
    else record[name] = implied(record, place)
  }
  return record
}

/** Fails: {@link Wrong} when an object has another member. */
export function refuseOthers(object: Whole, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other === undefined) return
  const near = findNearest(other, names)
  throw new Wrong(`there is no member "${other}"${near === null ? '' : `; did you mean "${near}"?`}`)
}

/** Reads a member's value, and puts its name before an error. */
export function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(`"${name}" ${error.message}`) : error
  }
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  return JSON.stringify(one) === JSON.stringify(other)
}
