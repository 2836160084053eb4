import { findNearest } from '../../../base/failure/nearest.ts'
import type { LocalMs } from '../../venue/time.ts'

/** A record by its members, all of which are there. */
export type Whole = Readonly<Record<string, unknown>>

/** What holds for the records of a snapshot wherever they do not say otherwise. */
export interface Place {
  /** The ID of the first venue. */
  readonly location: string
  /** Converts a time on the venue's clock to its first instant, milliseconds since 1970. */
  toInstant(local: LocalMs): number
}

/** The members of the records of one kind by their names, in their order. */
export type Members = Readonly<Record<string, Member>>

/** A member of the records of one kind. */
export interface Member {
  /** Checks a value as it stands on a line, and gives it as it is kept. Fails: {@link Wrong}. */
  readonly read: (value: unknown) => unknown
  /** What the member is where a line leaves it out, from the members before it. Without this, every line has it. */
  readonly implied?: (before: Whole, place: Place) => unknown
}

/** Members that are read in the same way. */
export function alike(names: readonly string[], member: Member): Members {
  return Object.fromEntries(names.map((name) => [name, member]))
}

/** What is wrong with a line of a snapshot, in words that follow its number. */
export class Wrong extends Error {}

/** Leaves out of a record what follows from the rest of it. */
export function shorten(record: Whole, members: Members, place: Place): Whole {
  const short: Record<string, unknown> = {}
  // What a reader knows by then: nothing that no line has may lead to a value.
  const known: Record<string, unknown> = {}
  for (const [name, { implied }] of Object.entries(members)) {
    const value = record[name]
    if (implied === undefined || !isSame(value, implied(known, place))) short[name] = value
    known[name] = value
  }
  return short
}

/** Puts back what a line leaves out. Fails: {@link Wrong} for a member that is missing, of another form, or unknown. */
export function complete(line: Whole, members: Members, place: Place): Whole {
  const record: Record<string, unknown> = {}
  // First, as a misspelt member is a missing one, too.
  refuseOthers(line, Object.keys(members))
  for (const [name, { read, implied }] of Object.entries(members)) {
    if (Object.hasOwn(line, name)) record[name] = named(name, () => read(line[name]))
    else if (implied === undefined) throw new Wrong(`"${name}" is missing`)
    else record[name] = implied(record, place)
  }
  return record
}

/** Fails: {@link Wrong} when an object has a member that is none of these. */
export function refuseOthers(object: Whole, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name))
  if (other === undefined) return
  const near = findNearest(other, names)
  throw new Wrong(`there is no member "${other}"${near === null ? '' : `; did you mean "${near}"?`}`)
}

/** Reads the value of a member, and names it in what is wrong with it. */
export function named<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Wrong ? new Wrong(`"${name}" ${error.message}`) : error
  }
}

/** Whether two values are written in the same way. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  return JSON.stringify(one) === JSON.stringify(other)
}
