import { formatCount } from '../../base/counted.ts'
import { WEEKDAYS } from '../../base/time/calendar.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { MINUTE_MS } from '../../base/time/units.ts'
import { formatInZone } from '../../base/time/zone.ts'
import { centsText } from '../../money/amount.ts'
import type { Counts, Due, GroupNight, NightReport, Takings, VenueNight } from './printed/output.ts'

/** A line of the report. Its kind is `look` if it needs attention, and `absent` if the copy lacks the data. */
type FigureLine = { readonly figure: string; readonly value: string; readonly kind: 'plain' | 'look' | 'absent' }

/** The text that replaces a missing figure, so that it is not mistaken for 0. */
export const ABSENT = 'not in this copy'

/** The text that is shown if the bookings were synced without their guests. */
export const NO_GUESTS = `${ABSENT}; to add them: partner bookings sync --include-customer --reset`

export const THIS_MACHINE = 'this machine'

const NONE = 'none'

/** The headline figures. A figure is `null` if the copy lacks the data for it. */
export interface Headline {
  readonly totals: Counts | null
  readonly takings: readonly Takings[] | null
  readonly seated: number | null
  readonly sales: number | null
  readonly salesCents: number | null
  readonly due: readonly Due[] | null
  readonly open: number
}

export function venueHeadline(venue: VenueNight): Headline {
  const { totals, takings, seatedWithoutSale, salesWithoutBooking, depositsDue, openOperations } = venue
  return {
    totals,
    takings: takings && [takings],
    seated: seatedWithoutSale?.length ?? null,
    sales: salesWithoutBooking?.length ?? null,
    // A sale without a total counts as 0.
    salesCents: salesWithoutBooking?.reduce((sum, { totalCents }) => sum + (totalCents ?? 0), 0) ?? null,
    due: depositsDue,
    open: openOperations.length,
  }
}

export function groupHeadline(group: GroupNight): Headline {
  const { totals, takings, seatedWithoutSale: seated, salesWithoutBooking: sales, depositsDue: due } = group
  return { totals, takings, seated, sales, salesCents: null, due, open: group.openOperations }
}

export function venueLines(venue: VenueNight): FigureLine[] {
  const { behind } = venue
  return [
    ...lines(venueHeadline(venue)),
    ...describeCopies(venue).map(({ resource, at, isBehind }) =>
      line(`Copy of ${resource} up to`, at ?? 'not synced yet', at === null || isBehind ? 'look' : 'plain'),
    ),
    ...(behind.length === 0 ? [] : [line('Copy ends too early', `for ${behind.join(' and ')}`, 'look')]),
    ...(venue.guests === false ? [line('Guests', NO_GUESTS, 'absent')] : []),
  ]
}

export function groupLines(group: GroupNight): FigureLine[] {
  const elsewhere = group.elsewhere.length
  return [
    ...lines(groupHeadline(group)),
    ...(elsewhere === 0 ? [] : [line('Open in other profiles', String(elsewhere), 'look')]),
    ...group.missing.map(({ source, resource }) =>
      line(`${resource[0]?.toUpperCase()}${resource.slice(1)} of ${source}`, ABSENT, 'absent'),
    ),
  ]
}

function lines({ totals, takings, seated, sales, salesCents, due, open }: Headline): FigureLine[] {
  const taken = takings?.filter((one) => one.sales > 0) ?? null
  const inAll = salesCents === null ? '' : `, ${formatAmount(salesCents, null)} in total`
  return [
    ...linesOfAll('Covers', totals && [totals], countLines),
    ...linesOfAll('Takings', taken, (one) => [
      line(
        'Takings',
        `${formatAmount(one.totalCents, one.currency)} in ${formatSaleCount(one)}`,
        kindOfCount(one.withoutTotal),
      ),
    ]),
    countLine('Seated without a sale', seated),
    countLine('Sales without a booking', sales, inAll),
    ...linesOfAll('Deposits due', due, dueLines),
    countLine(`Open operations on ${THIS_MACHINE}`, open),
  ]
}

/**
 * Returns the lines for all items of a figure. If the data is missing or the list is empty, returns a single line that
 * says so.
 */
function linesOfAll<T>(figure: string, all: readonly T[] | null, linesOf: (one: T) => FigureLine[]): FigureLine[] {
  if (all === null) return [line(figure, ABSENT, 'absent')]
  return all.length === 0 ? [line(figure, NONE, 'plain')] : all.flatMap(linesOf)
}

function countLines({ covers, bookings, noShows, noShowPeople, cancelled, withoutPeople }: Counts) {
  return [
    line('Covers', `${covers} in ${formatCount(bookings, 'booking')}`, 'plain'),
    ...(withoutPeople === 0 ? [] : [line('Bookings of unknown size', String(withoutPeople), 'look')]),
    line('No-shows', noShows === 0 ? NONE : `${noShows} (${noShowPeople} people)`, kindOfCount(noShows)),
    line('Cancelled', cancelled === 0 ? NONE : String(cancelled), 'plain'),
  ]
}

/** Formats a number of sales, such as `41 sales, 2 of them without a total`. */
export function formatSaleCount({ sales, withoutTotal }: Takings): string {
  return formatCount(sales, 'sale') + (withoutTotal === 0 ? '' : `, ${withoutTotal} of them without a total`)
}

/** Formats a count that should be 0. If it is not 0, `more` is appended. */
function countLine(figure: string, count: number | null, more = ''): FigureLine {
  if (count === null) return line(figure, ABSENT, 'absent')
  return line(figure, count === 0 ? NONE : `${count}${more}`, kindOfCount(count))
}

function line(figure: string, value: string, kind: FigureLine['kind']): FigureLine {
  return { figure, value, kind }
}

function kindOfCount(count: number): FigureLine['kind'] {
  return count === 0 ? 'plain' : 'look'
}

function dueLines({ currency, bookings, dueCents, noShowDueCents }: Due): FigureLine[] {
  return [
    line('Deposits due', `${formatAmount(dueCents, currency)} on ${formatCount(bookings, 'booking')}`, 'look'),
    ...(noShowDueCents === 0 ? [] : [line('  owed by no-shows', formatAmount(noShowDueCents, currency), 'look')]),
  ]
}

/** Formats takings, which may be in several currencies. Returns '' if there are none. */
export function formatTakings(takings: readonly Takings[], separator = ', '): string {
  const taken = takings.filter(({ sales }) => sales > 0)
  return taken.map(({ totalCents, currency }) => formatAmount(totalCents, currency)).join(separator)
}

/** Formats an amount. If its currency is known, the currency precedes the amount. */
export function formatAmount(cents: number | null, currency: string | null): string {
  if (cents === null) return ''
  return `${currency === null ? '' : `${currency} `}${centsText(BigInt(cents))}`
}

/** Formats a date with its weekday, such as `Sat 2026-11-21`. */
export function formatDay(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  return `${WEEKDAYS[day.getUTCDay()] ?? ''} ${date}`
}

/** Describes when a venue's night starts and ends. Times are local to the venue. */
export function describeNight({ date, timezone, startsAt, endsAt, isOver }: VenueNight): string {
  const from = formatTime(startsAt, timezone)
  const to = formatTime(endsAt, timezone)
  const zone = timezone === null ? 'UTC, because the time zone is unknown' : timezone
  return `${formatDay(date)}, ${from} to ${to} the next day, ${zone}${isOver ? '' : '; not over yet'}`
}

export function describeGroupNight({ venues, group }: NightReport): string {
  const dates = [...new Set(venues.map(({ date }) => date))].sort()
  return `${group.date === null ? dates.map(formatDay).join(' and ') : formatDay(group.date)}, ${formatCount(group.venues, 'venue')}`
}

/** Formats an instant as a local time of day, such as `22:40`. */
export function formatTime(instant: string, timezone: string | null): string {
  return formatInZone(Date.parse(instant), timezone).slice('yyyy-MM-dd '.length, 'yyyy-MM-dd HH:mm'.length)
}

/**
 * Describes how up to date the copy of each resource is. `at` is a local time followed by its age, or `null` if the
 * resource has not been synced yet.
 */
export function describeCopies({ sync, behind, timezone }: VenueNight) {
  return sync.map(({ resource, upTo, lagSeconds }) => ({
    resource: resource === 'giftcards' ? 'gift cards' : resource,
    at: upTo === null ? null : formatAge(upTo, timezone, lagSeconds ?? 0),
    isBehind: behind.some((one) => one === resource),
  }))
}

function formatAge(upTo: string, timezone: string | null, lagSeconds: number): string {
  const at = formatInZone(Date.parse(upTo), timezone).slice(0, 'yyyy-MM-dd HH:mm'.length)
  return lagSeconds < 60 ? at : `${at}, ${formatDuration(Math.floor(lagSeconds / 60) * MINUTE_MS)} ago`
}

/** The maximum number of rows that a page shows for each list. JSON and CSV output contains all rows. */
const MAX_LISTED = 8

export function firstRows<T>(list: readonly T[] | null): readonly T[] {
  return list?.slice(0, MAX_LISTED) ?? []
}

export function countOmitted(list: readonly unknown[] | null): number {
  return Math.max(0, (list?.length ?? 0) - MAX_LISTED)
}
