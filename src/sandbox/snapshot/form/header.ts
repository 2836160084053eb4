import { isKnownZone } from '../../../base/time/zone.ts'
import type { DiaryState } from '../../seed/diary-state.ts'
import { DAY, readDate } from '../../venue/time.ts'
import type { Venue } from '../../venue/venue.ts'
import { expandRecord, InvalidLine, type Members, type RecordData, withMemberName } from './members.ts'
import { bool, instant, integer, listOf, nonEmptyText, text } from './values.ts'

/** The member that marks a file as a snapshot. Its value is the version of the file format. */
export const FORMAT_MEMBER = 'partner-sandbox-snapshot'

/** The format version of new snapshots. Snapshots with a newer version cannot be read. */
export const FORMAT_VERSION = 1

/** The last line of every snapshot. If it is missing, the file is truncated. */
export const END_LINE = '{"end":true}'

/** The content of a snapshot's first line. */
export interface Header {
  /** The venue's current time, in ISO 8601 UTC. */
  readonly clock: string
  readonly frozen: boolean
  readonly venues: readonly [Venue, ...Venue[]]
  /** Whether `GET /Sales` also lists sales without a booking. */
  readonly listsUnlinkedSales: boolean
  /**
   * The data for generating the rest of the diary, or `given` if the snapshot contains the whole diary.
   */
  readonly diary: 'given' | Pick<Required<DiaryState>, 'seed' | 'days' | 'next'>
}

export function writeHeader({ clock, frozen, venues, listsUnlinkedSales, diary }: Header): string {
  const written = diary === 'given' ? diary : { seed: diary.seed, days: toRanges(diary.days), next: diary.next }
  return JSON.stringify({
    ...{ [FORMAT_MEMBER]: FORMAT_VERSION, clock, frozen, venues },
    ...(listsUnlinkedSales ? { listsUnlinkedSales } : {}),
    diary: written,
  })
}

const VENUE: Members = {
  id: { read: nonEmptyText },
  name: { read: text },
  currency: { read: nonEmptyText },
  timezone: {
    read: (value) => {
      if (typeof value === 'string' && isKnownZone(value)) return value
      throw new InvalidLine(`must be a time zone such as "Australia/Sydney", not ${JSON.stringify(value)}`)
    },
  },
}

const NEXT: Members = { booking: { read: integer(0) }, sale: { read: integer(0) } }

const DIARY: Members = {
  seed: { read: integer(0) },
  days: { read: listOf(readRange) },
  next: { read: nestedObject(NEXT) },
}

const HEADER: Members = {
  [FORMAT_MEMBER]: { read: integer(1) },
  clock: { read: instant },
  frozen: { read: bool, implied: () => false },
  venues: { read: readVenues },
  listsUnlinkedSales: { read: bool, implied: () => false },
  diary: { read: (value) => (value === 'given' ? value : nestedObject(DIARY)(value)), implied: () => 'given' },
}

const NO_VENUE = { location: '', toInstant: (local: number) => local }

function nestedObject(members: Members): (value: unknown) => RecordData {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new InvalidLine('must be an object')
    return expandRecord(value as RecordData, members, NO_VENUE)
  }
}

function readVenues(value: unknown): unknown {
  const venues = listOf(nestedObject(VENUE))(value) as Venue[]
  if (venues.length === 0) throw new InvalidLine('must contain at least one venue')
  if (new Set(venues.map((venue) => venue.id)).size < venues.length)
    throw new InvalidLine('contains the same venue twice')
  return venues
}

/** Reads a snapshot's first line. Throws {@link InvalidLine}. */
export function readHeader(line: RecordData): Header {
  const header = expandRecord(line, HEADER, NO_VENUE) as unknown as Header & RecordData
  const { clock, frozen, venues, listsUnlinkedSales, diary } = header
  const rest = { clock, frozen, venues, listsUnlinkedSales }
  if (diary === 'given') return { ...rest, diary }
  const days = (diary.days as unknown as number[][]).flat()
  return { ...rest, diary: { ...diary, days } }
}

/** Converts days since 1970 to inclusive date ranges such as `2026-10-12/2027-01-04`. */
function toRanges(days: readonly number[]): string[] {
  const ranges: [number, number][] = []
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === day - 1) last[1] = day
    else ranges.push([day, day])
  }
  return ranges.map(([from, to]) => `${toDate(from)}/${toDate(to)}`)
}

function toDate(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}

const MAX_DAYS = 100_000

function readRange(value: unknown): number[] {
  const [from = null, to = null, ...rest] =
    typeof value === 'string' ? value.split('/').map((date) => readDate(date)) : []
  if (from === null || to === null || rest.length > 0 || to < from || to - from > MAX_DAYS * DAY)
    throw new InvalidLine(`must contain date ranges such as "2026-12-01/2026-12-31", not ${JSON.stringify(value)}`)
  const first = from / DAY
  return Array.from({ length: to / DAY - first + 1 }, (_none, at) => first + at)
}

/**
 * Returns the format version in a snapshot's first line, or `null` if the line is not from a snapshot. Throws {@link
 * InvalidLine}.
 */
export function readVersion(line: RecordData): number | null {
  return Object.hasOwn(line, FORMAT_MEMBER)
    ? Number(withMemberName(FORMAT_MEMBER, () => integer(1)(line[FORMAT_MEMBER])))
    : null
}
