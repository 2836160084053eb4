import { counted } from '../../base/counted.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { WEEKDAYS } from '../../base/time/calendar.ts'
import { formatDuration } from '../../base/time/duration.ts'
import { formatInZone } from '../../base/time/zone.ts'
import { centsText } from '../../money/amount.ts'
import type { Counts, Due, GroupNight, NightReport, SaleLine, Takings, VenueNight } from './report.ts'

/** A figure in words. */
export interface FigureLine extends JsonObject {
  readonly figure: string
  readonly value: string
  /** `look`: somebody should look at it. `absent`: the copy does not have it. */
  readonly kind: 'plain' | 'look' | 'absent'
}

/** What is not in a copy, so that nobody takes it for none. */
export const ABSENT = 'not in this copy'

/** Said where the bookings were synced without their guests, who are then in no list. */
export const NO_GUESTS = `${ABSENT}; partner bookings sync --include-customer --reset brings them in`

/** Where figures are from that no copy has. */
export const THIS_MACHINE = 'this machine'

const NONE = 'none'

/** The figures of a venue, in the order of its page. */
export function venueLines(venue: VenueNight, nowMs: number): FigureLine[] {
  const { totals, takings, depositsDue, seatedWithoutSale, salesWithoutBooking, openOperations, behind } = venue
  const sales = salesWithoutBooking && {
    sales: salesWithoutBooking.length,
    totalCents: totalOf(salesWithoutBooking),
  }
  return [
    ...lines({ totals, takings: takings && [takings], depositsDue, sales, seated: seatedWithoutSale?.length ?? null }),
    operationsLine(openOperations.length),
    ...copyFacts(venue, nowMs).map(({ resource, at, isBehind }) =>
      line(`Copy of ${resource} up to`, at ?? 'not synced yet', at === null || isBehind ? 'look' : 'plain'),
    ),
    ...(behind.length === 0 ? [] : [line('Copy ends too early', `for ${behind.join(' and ')}`, 'look')]),
    ...(venue.guests === false ? [line('Guests', NO_GUESTS, 'absent')] : []),
  ]
}

/** The figures of the group. */
export function groupLines({ totals, takings, depositsDue, salesWithoutBooking, ...rest }: GroupNight): FigureLine[] {
  const elsewhere = rest.elsewhere.length
  return [
    ...lines({
      ...{ totals, takings, depositsDue, seated: rest.seatedWithoutSale },
      sales: salesWithoutBooking === null ? null : { sales: salesWithoutBooking, totalCents: null },
    }),
    operationsLine(rest.openOperations),
    ...(elsewhere === 0 ? [] : [line('Open, of other profiles', String(elsewhere), 'look')]),
    ...rest.missing.map(({ source, resource }) =>
      line(`${resource[0]?.toUpperCase()}${resource.slice(1)} of ${source}`, ABSENT, 'absent'),
    ),
  ]
}

interface Sales {
  readonly sales: number
  readonly totalCents: number | null
}

interface Figures {
  readonly totals: Counts | null
  readonly takings: readonly Takings[] | null
  readonly depositsDue: readonly Due[] | null
  readonly seated: number | null
  /** `totalCents` null: they cannot be added up. */
  readonly sales: Sales | null
}

function lines({ totals, takings, depositsDue, seated, sales }: Figures): FigureLine[] {
  return [
    ...(totals === null ? [line('Covers', ABSENT, 'absent')] : countLines(totals)),
    ...takingsLines(takings),
    seated === null
      ? line('Seated without a sale', ABSENT, 'absent')
      : line('Seated without a sale', seated === 0 ? NONE : String(seated), look(seated)),
    sales === null
      ? line('Sales without a booking', ABSENT, 'absent')
      : line('Sales without a booking', salesWords(sales), look(sales.sales)),
    ...dueLines(depositsDue),
  ]
}

function countLines({ covers, bookings, noShows, noShowPeople, cancelled, withoutPeople }: Counts) {
  return [
    line('Covers', `${covers} in ${counted(bookings, 'booking')}`, 'plain'),
    ...(withoutPeople === 0 ? [] : [line('Bookings of no known size', String(withoutPeople), 'look')]),
    line('No-shows', noShows === 0 ? NONE : `${noShows} (${noShowPeople} people)`, look(noShows)),
    line('Cancelled', cancelled === 0 ? NONE : String(cancelled), 'plain'),
  ]
}

/** A line for each currency. */
function takingsLines(takings: readonly Takings[] | null): FigureLine[] {
  if (takings === null) return [line('Takings', ABSENT, 'absent')]
  const taken = takings.filter(({ sales }) => sales > 0)
  if (taken.length === 0) return [line('Takings', NONE, 'plain')]
  return taken.map((one) =>
    line('Takings', `${amountText(one.totalCents, one.currency)} in ${takenWords(one)}`, look(one.withoutTotal)),
  )
}

/** `41 sales, 2 of them without a total`. */
export function takenWords({ sales, withoutTotal }: Takings): string {
  return counted(sales, 'sale') + (withoutTotal === 0 ? '' : `, ${withoutTotal} of them without a total`)
}

function operationsLine(count: number): FigureLine {
  return line(`Open operations of ${THIS_MACHINE}`, count === 0 ? NONE : String(count), look(count))
}

function line(figure: string, value: string, kind: FigureLine['kind']): FigureLine {
  return { figure, value, kind }
}

function look(count: number): FigureLine['kind'] {
  return count === 0 ? 'plain' : 'look'
}

function salesWords({ sales, totalCents }: Sales): string {
  if (sales === 0) return NONE
  return totalCents === null ? String(sales) : `${sales}, of ${amountText(totalCents, null)} in all`
}

/** What sales come to, cents. One without a total counts nothing. */
export function totalOf(sales: readonly SaleLine[]): number {
  return sales.reduce((sum, { totalCents }) => sum + (totalCents ?? 0), 0)
}

/** A line for each currency. */
function dueLines(due: readonly Due[] | null): FigureLine[] {
  if (due === null) return [line('Deposits due', ABSENT, 'absent')]
  if (due.length === 0) return [line('Deposits due', NONE, 'plain')]
  return due.flatMap(({ currency, bookings, dueCents, noShowDueCents }) => [
    line('Deposits due', `${amountText(dueCents, currency)} on ${counted(bookings, 'booking')}`, 'look'),
    ...(noShowDueCents === 0 ? [] : [line('  of it by no-shows', amountText(noShowDueCents, currency), 'look')]),
  ])
}

/** An amount with its currency before it, where that is known. */
export function amountText(cents: number | null, currency: string | null): string {
  if (cents === null) return ''
  return `${currency === null ? '' : `${currency} `}${centsText(BigInt(cents))}`
}

/** `Sat 2026-11-21`, of a date. */
export function dayWords(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  return `${WEEKDAYS[day.getUTCDay()] ?? ''} ${date}`
}

/** When the night of a venue was, on its clock. */
export function whenWords({ date, timezone, startsAt, endsAt, isOver }: VenueNight): string {
  const from = timeIn(startsAt, timezone)
  const to = timeIn(endsAt, timezone)
  const zone = timezone === null ? 'UTC, as no zone is known' : timezone
  return `${dayWords(date)}, ${from} to ${to} the next day, ${zone}${isOver ? '' : '; so far: it goes on'}`
}

/** When the night of the group was. */
export function groupWhenWords({ venues, group }: NightReport): string {
  const dates = [...new Set(venues.map(({ date }) => date))].sort()
  return `${group.date === null ? dates.map(dayWords).join(' and ') : dayWords(group.date)}, ${counted(group.venues, 'venue')}`
}

/** `22:40` of an instant on the clock of a venue. */
export function timeIn(instant: string, timezone: string | null): string {
  return formatInZone(Date.parse(instant), timezone).slice('yyyy-MM-dd '.length, 'yyyy-MM-dd HH:mm'.length)
}

/** How far the copy of a resource goes. `at`: on the clock of the venue, and how long ago; null: it was not synced yet. */
export interface CopyFact {
  readonly resource: string
  readonly at: string | null
  readonly isBehind: boolean
}

/** How far the copy goes, resource by resource. */
export function copyFacts({ sync, behind, timezone }: VenueNight, nowMs: number): CopyFact[] {
  return sync.map(({ resource, upTo }) => ({
    resource: resource === 'giftcards' ? 'gift cards' : resource,
    at: upTo === null ? null : ageWords(upTo, timezone, nowMs),
    isBehind: behind.some((one) => one === resource),
  }))
}

function ageWords(upTo: string, timezone: string | null, nowMs: number): string {
  const at = formatInZone(Date.parse(upTo), timezone).slice(0, 'yyyy-MM-dd HH:mm'.length)
  const lagMs = nowMs - Date.parse(upTo)
  return lagMs < 60_000 ? at : `${at}, ${formatDuration(Math.floor(lagMs / 60_000) * 60_000)} ago`
}
