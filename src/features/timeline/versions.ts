import type { JsonObject } from '../../base/json/exact.ts'
import { bareCode } from '../shared/views/wording.ts'
import { type Entry, type Seen, sourceOfPlaces } from './entry.ts'
import { amountIn, getObjects, instantIn, joinedWords, peopleText, tableName, textIn } from './values.ts'

type BookingFacts = ReturnType<typeof factsOf>

const COMPARED = ['status', 'people', 'time', 'minutes', 'service', 'tables', 'paid', 'due', 'notes'] as const

/** Extracts the facts that are compared between two versions of a booking. A missing fact is `null`. */
export function factsOf(booking: JsonObject) {
  const status = textIn(booking, 'status.code') ?? textIn(booking, 'status.name')
  const tables = getObjects(booking, 'tables')
  return {
    status,
    people: textIn(booking, 'people'),
    /** The booking's time, local to the venue, such as `2026-11-20 19:00`. */
    time: textIn(booking, 'bookingTime')?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2') ?? null,
    minutes: textIn(booking, 'duration'),
    service: textIn(booking, 'serviceName') ?? textIn(booking, 'serviceId'),
    tables: tables.length === 0 ? null : joinedWords(tables.map(tableName)),
    paid: amountIn(booking, 'paymentSummary.amountPaid'),
    due: amountIn(booking, 'paymentSummary.amountDue'),
    notes: textIn(booking, 'notes'),
    isCancelled: [textIn(booking, 'status.statusType'), status].some((code) => /^cancell?ed$/.test(bareCode(code))),
  }
}

/** Describes the differences between two versions of a booking, such as `status CONFIRMED → SEATED`. */
export function differences(before: BookingFacts, after: BookingFacts): readonly string[] {
  return COMPARED.flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    // Ignore a fact that is missing from one of the versions.
    if (was === null || is === null || was === is) return []
    return [name === 'notes' ? 'notes changed' : `${name} ${was} → ${is}`]
  })
}

interface Version {
  readonly changedMs: number
  readonly facts: BookingFacts
  /** Where the version was found. `null` means the service, which returned it as the current version. */
  readonly wheres: readonly (string | null)[]
}

/**
 * Returns one entry for each version of a booking. The entry describes what changed and whether something is odd.
 * Versions without a date are skipped.
 */
export function versionEntries(subject: string, seen: readonly Seen[]): Entry[] {
  const versions = mergeVersions(seen)
  const left = new Set<string>()
  return versions.map((version, at) => {
    const before = versions[at - 1]
    const { changedMs, wheres } = version
    const oddity = before === undefined ? null : findOddity(before, version, left)
    if (before?.facts.status != null && before.facts.status !== version.facts.status) left.add(before.facts.status)
    return {
      ...{ ...sourceOfPlaces(wheres), atMs: changedMs, kind: 'version', subject, oddity },
      text: textOf(version, before, versions.length === 1),
    }
  })
}

/** Counts the versions that have no date. */
export function countUndated(seen: readonly Seen[]): number {
  return seen.filter(({ record }) => instantIn(record, 'lastModifiedDate') === null).length
}

function mergeVersions(seen: readonly Seen[]): readonly Version[] {
  const versions: Version[] = []
  for (const { record, where } of seen) {
    const changedMs = instantIn(record, 'lastModifiedDate')
    if (changedMs === null) continue
    const facts = factsOf(record)
    const at = versions.findIndex((one) => one.changedMs === changedMs && differences(one.facts, facts).length === 0)
    const known = versions[at]
    if (known) versions[at] = { ...known, facts: mergeFacts(known.facts, facts), wheres: [...known.wheres, where] }
    else versions.push({ changedMs, facts, wheres: [where] })
  }
  return versions.toSorted((a, b) => a.changedMs - b.changedMs)
}

/** Merges the facts that two sources contain about the same version of a booking. */
function mergeFacts(one: BookingFacts, other: BookingFacts): BookingFacts {
  const said = Object.entries(other).filter(([, value]) => value !== null)
  return { ...one, ...Object.fromEntries(said) }
}

function textOf({ facts, wheres }: Version, before: Version | undefined, isOnly: boolean): string {
  const isNow = wheres.includes(null)
  if (before === undefined) {
    const what = isOnly && isNow ? 'last changed; now' : isNow ? 'current version:' : 'first known version:'
    const { status, people, time, service, tables } = facts
    return `${what} ${joinedWords([status, peopleText(people), time, service, tables])}`
  }
  const changes = differences(before.facts, facts)
  const what =
    changes.length === 0 ? 'changed, but only in members that the timeline does not compare' : changes.join('; ')
  return isNow ? `${what} (current)` : what
}

function findOddity(before: Version, { facts, changedMs }: Version, left: ReadonlySet<string>): string | null {
  const { status } = facts
  if (before.changedMs === changedMs) return 'it differs from another version with the same modification date'
  if (status === null || status === before.facts.status) return null
  if (left.has(status)) return `the status went back to ${status}`
  if (before.facts.isCancelled && !facts.isCancelled) return `its status changed after it was cancelled`
  return null
}
