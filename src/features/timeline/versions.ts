import type { JsonObject } from '../../base/json/exact.ts'
import { readInstant } from '../../sync/reading/sync-record.ts'
import type { Entry } from './entry.ts'
import { type BookingFacts, describeFacts, differences, factsOf } from './facts.ts'
import { textIn } from './values.ts'

/** A booking as the service has it, or as a copy has it. */
export interface SeenBooking {
  readonly record: JsonObject
  /** `bookings.ndjson:4`; null: the service, now. */
  readonly where: string | null
}

interface Version {
  readonly changedMs: number
  readonly facts: BookingFacts
  /** Null among them: the service has it so now. */
  readonly wheres: readonly (string | null)[]
}

/**
 * An entry for each version of a booking, with what changed since the one before, and what is odd about that. The same version in
 * several places is one entry. Versions without a date are left out, for {@link undated} to count.
 */
export function versionEntries(subject: string, seen: readonly SeenBooking[]): Entry[] {
  const versions = merged(seen)
  const left = new Set<string>()
  return versions.map((version, at) => {
    const before = versions[at - 1]
    const { changedMs, wheres } = version
    const copies = wheres.filter((where) => where !== null)
    const oddity = before === undefined ? null : oddityOf(before, version, left)
    if (before?.facts.status != null && before.facts.status !== version.facts.status) left.add(before.facts.status)
    return {
      ...{ atMs: changedMs, kind: 'version', subject, oddity, text: textOf(version, before, versions.length === 1) },
      source: copies.length === wheres.length ? 'copy' : 'service',
      where: copies.length === 0 ? null : copies.join(', '),
    }
  })
}

/** How many versions have no date. */
export function undated(seen: readonly SeenBooking[]): number {
  return seen.filter(({ record }) => changedOf(record) === null).length
}

function merged(seen: readonly SeenBooking[]): readonly Version[] {
  const versions: Version[] = []
  for (const { record, where } of seen) {
    const changedMs = changedOf(record)
    if (changedMs === null) continue
    const facts = factsOf(record)
    const at = versions.findIndex((one) => one.changedMs === changedMs && differences(one.facts, facts).length === 0)
    const known = versions[at]
    if (known) versions[at] = { ...known, facts: filled(known.facts, facts), wheres: [...known.wheres, where] }
    else versions.push({ changedMs, facts, wheres: [where] })
  }
  return versions.toSorted((a, b) => a.changedMs - b.changedMs)
}

/** What either of two accounts of one version says. */
function filled(one: BookingFacts, other: BookingFacts): BookingFacts {
  const said = Object.entries(other).filter(([, value]) => value !== null)
  return { ...one, ...Object.fromEntries(said) }
}

function changedOf(record: JsonObject): number | null {
  const text = textIn(record, 'lastModifiedDate')
  return text === null ? null : readInstant(text)
}

function textOf({ facts, wheres }: Version, before: Version | undefined, isOnly: boolean): string {
  const isNow = wheres.includes(null)
  if (before === undefined) {
    const what = isOnly && isNow ? 'last changed; it is' : isNow ? 'as it is now:' : 'first version that is known:'
    return `${what} ${describeFacts(facts)}`
  }
  const changes = differences(before.facts, facts)
  const what = changes.length === 0 ? 'changed, in nothing that is compared here' : changes.join('; ')
  return isNow ? `${what} (as it is now)` : what
}

function oddityOf(before: Version, { facts, changedMs }: Version, left: ReadonlySet<string>): string | null {
  const { status } = facts
  if (before.changedMs === changedMs) return 'it differs from another version with the same date of change'
  if (status === null || status === before.facts.status) return null
  if (left.has(status)) return `the status went back to ${status}, which it had left before`
  if (before.facts.isCancelled && !facts.isCancelled) return `it has a new status after it was cancelled`
  return null
}
