import { isKnownZone } from '../../../base/time/zone.ts'
import type { DiaryState } from '../../seed/diary-state.ts'
import { DAY, readDate } from '../../venue/time.ts'
import type { Venue } from '../../venue/venue.ts'
import { complete, type Members, named, type Whole, Wrong } from './members.ts'
import { flag, id, instant, listOf, text, whole } from './values.ts'

/** The member that identifies a file as a snapshot. Its value is the version of the file format. */
export const MARK = 'partner-sandbox-snapshot'

/** The format version that is written, which is also the newest that can be read. */
export const FORM_VERSION = 1

/** The last line of every snapshot. A file without it was truncated. */
export const END = '{"end":true}'

/** The first line of a snapshot. */
export interface Header {
  /** The venue's current time, ISO 8601 UTC. */
  readonly clock: string
  readonly frozen: boolean
  readonly venues: readonly [Venue, ...Venue[]]
  /** Whether `GET /Sales` also lists sales without a booking. */
  readonly listsUnlinkedSales: boolean
  /** How to generate more of the diary, or `given` if the snapshot contains all of it. */
  readonly diary: 'given' | Pick<Required<DiaryState>, 'seed' | 'days' | 'next'>
}

export function writeHeader({ clock, frozen, venues, listsUnlinkedSales, diary }: Header): string {
  const written = diary === 'given' ? diary : { seed: diary.seed, days: toRanges(diary.days), next: diary.next }
  return JSON.stringify({
    ...{ [MARK]: FORM_VERSION, clock, frozen, venues },
    ...(listsUnlinkedSales ? { listsUnlinkedSales } : {}),
    diary: written,
  })
}

const VENUE: Members = {
  id: { read: id },
  name: { read: text },
  currency: { read: id },
  timezone: {
    read: (value) => {
      if (typeof value === 'string' && isKnownZone(value)) return value
      throw new Wrong(`must be a time zone such as "Australia/Sydney", not ${JSON.stringify(value)}`)
    },
  },
}

const NEXT: Members = { booking: { read: whole(0) }, sale: { read: whole(0) } }

const DIARY: Members = { seed: { read: whole(0) }, days: { read: listOf(readRange) }, next: { read: partOf(NEXT) } }

const HEADER: Members = {
  [MARK]: { read: whole(1) },
  clock: { read: instant },
  frozen: { read: flag, implied: () => false },
  venues: { read: readVenues },
  listsUnlinkedSales: { read: flag, implied: () => false },
  diary: { read: (value) => (value === 'given' ? value : partOf(DIARY)(value)), implied: () => 'given' },
}

const NOWHERE = { location: '', toInstant: (local: number) => local }

function partOf(members: Members): (value: unknown) => Whole {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Wrong('must be an object')
    return complete(value as Whole, members, NOWHERE)
  }
}

function readVenues(value: unknown): unknown {
  const venues = listOf(partOf(VENUE))(value) as Venue[]
  if (venues.length === 0) throw new Wrong('must contain at least one venue')
  if (new Set(venues.map((venue) => venue.id)).size < venues.length) throw new Wrong('contains the same venue twice')
  return venues
}

/** Reads the first line of a snapshot. Fails: {@link Wrong}. */
export function readHeader(line: Whole): Header {
  const header = complete(line, HEADER, NOWHERE) as unknown as Header & Whole
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
  return ranges.map(([from, to]) => `${dateOf(from)}/${dateOf(to)}`)
}

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 'yyyy-MM-dd'.length)
}

const MOST_DAYS = 100_000

function readRange(value: unknown): number[] {
  const [from = null, to = null, ...rest] =
    typeof value === 'string' ? value.split('/').map((date) => readDate(date)) : []
  if (from === null || to === null || rest.length > 0 || to < from || to - from > MOST_DAYS * DAY)
    throw new Wrong(`must contain date ranges such as "2026-12-01/2026-12-31", not ${JSON.stringify(value)}`)
  const first = from / DAY
  return Array.from({ length: to / DAY - first + 1 }, (_none, at) => first + at)
}

/** Reads the format version from a first line. Returns `null` if it is not from a snapshot. Fails: {@link Wrong}. */
export function readVersion(line: Whole): number | null {
  return Object.hasOwn(line, MARK) ? Number(named(MARK, () => whole(1)(line[MARK]))) : null
}
