import type { JsonObject } from '../../base/json/exact.ts'
import type { Night } from './business-day.ts'
import type { NightRow } from './copy.ts'
import type { FigureName, Resource } from './figures.ts'
import {
  type Answers,
  type BookingLine,
  type Counts,
  type Due,
  type GroupNight,
  hasResource,
  type NightReport,
  type OwingLine,
  type ReportParts,
  type SaleLine,
  type Takings,
  type VenueNight,
} from './report.ts'

const RESOURCES: readonly Resource[] = ['bookings', 'sales']

/** Puts a report together from the answers of the copy. */
export function assemble(answers: Answers, parts: ReportParts): NightReport {
  const venues = parts.nights.map((night) => venueNight(night, answers, parts))
  return {
    madeAt: new Date(parts.nowMs).toISOString(),
    copy: parts.name,
    group: groupNight(venues, answers, parts),
    venues,
  }
}

function venueNight(night: Night, answers: Answers, { nowMs, synced, open, withGuests }: ReportParts): VenueNight {
  const { source, date, timezone, startsUtc, endsUtc } = night
  const has = (...needs: Resource[]) => needs.every((one) => hasResource(synced, source, one))
  const of = <T>(name: FigureName, toLine: (row: NightRow) => T): T[] =>
    (answers.get(name) ?? []).filter((row) => row['source'] === source).map(toLine)
  const copies = synced.filter((one) => one.source === source)
  // Up to when the copy must go, to have all that has happened of the night.
  const until = endsUtc < new Date(nowMs).toISOString() ? endsUtc : null
  const bookings = has('bookings')
  const seatedWithoutSale = has('bookings', 'sales') ? of('seated-without-a-sale', bookingLine) : null
  const owing = bookings ? of('deposits-due-by-booking', owingLine) : null
  const namesGuest = [...(seatedWithoutSale ?? []), ...(owing ?? [])].some(({ guest }) => guest !== null)
  return {
    ...{ source, date, timezone, startsAt: startsUtc, endsAt: endsUtc, isOver: until !== null },
    behind: RESOURCES.filter((one) =>
      copies.some(({ resource, upTo }) => resource === one && upTo !== null && until !== null && upTo < until),
    ),
    totals: bookings ? (of('covers', countsOf)[0] ?? null) : null,
    services: bookings
      ? of('covers-by-service', (row) => ({ service: row['service'] ?? null, ...countsOf(row) }))
      : null,
    hours: bookings
      ? of('covers-by-hour', (row) => ({ hour: row['hour'] ?? '', covers: Number(row['covers']) }))
      : null,
    takings: has('sales') ? (of('takings', takingsOf)[0] ?? null) : null,
    seatedWithoutSale,
    salesWithoutBooking: has('sales') ? of('sales-without-a-booking', saleLine) : null,
    depositsDue: bookings ? of('deposits-due', dueOf) : null,
    owing,
    guests: bookings ? withGuests.has(source) || namesGuest : null,
    openOperations: open.filter(({ profile }) => profile === source),
    sync: copies.map(({ resource, upTo }) => ({
      resource,
      upTo,
      // The service's clock may be ahead of this machine's.
      lagSeconds: upTo === null ? null : Math.max(0, Math.floor((nowMs - Date.parse(upTo)) / 1000)),
    })),
  }
}

function groupNight(venues: readonly VenueNight[], answers: Answers, { open, synced }: ReportParts): GroupNight {
  const dates = new Set(venues.map(({ date }) => date))
  const seated = answers.get('seated-without-a-sale')
  const sources = new Set<unknown>(venues.map(({ source }) => source))
  return {
    venues: venues.length,
    date: dates.size === 1 ? ([...dates][0] ?? null) : null,
    totals: answers.get('covers-of-the-group')?.map(countsOf)[0] ?? null,
    takings: answers.get('takings-of-the-group')?.map(takingsOf) ?? null,
    seatedWithoutSale: seated?.length ?? null,
    salesWithoutBooking: answers.get('sales-without-a-booking')?.length ?? null,
    depositsDue: answers.get('deposits-due-of-the-group')?.map(dueOf) ?? null,
    openOperations: venues.reduce((sum, { openOperations }) => sum + openOperations.length, 0),
    elsewhere: open.filter(({ profile }: JsonObject) => !sources.has(profile)),
    missing: venues.flatMap(({ source }) =>
      RESOURCES.filter((one) => !hasResource(synced, source, one)).map((resource) => ({ source, resource })),
    ),
  }
}

function countsOf(row: NightRow): Counts {
  return {
    bookings: Number(row['bookings']),
    covers: Number(row['covers']),
    noShows: Number(row['no_shows']),
    noShowPeople: Number(row['no_show_people']),
    cancelled: Number(row['cancelled']),
    withoutPeople: Number(row['without_people']),
  }
}

function takingsOf(row: NightRow): Takings {
  return {
    currency: row['currency'] ?? null,
    sales: Number(row['sales']),
    totalCents: Number(row['total_cents']),
    withoutTotal: Number(row['without_total']),
  }
}

function dueOf(row: NightRow): Due {
  return {
    currency: row['currency'] ?? null,
    bookings: Number(row['bookings']),
    dueCents: Number(row['due_cents']),
    noShowDueCents: Number(row['no_show_due_cents']),
  }
}

function bookingLine(row: NightRow): BookingLine {
  const { tables = null } = row
  const { bookingId, time, people, service, status, guest } = commonOf(row)
  return { bookingId, time, people, service, tables, status, guest }
}

function owingLine(row: NightRow): OwingLine {
  return { ...commonOf(row), currency: row['currency'] ?? null, dueCents: Number(row['due_cents']) }
}

function commonOf({ booking_id, time, people, service, status, guest }: NightRow) {
  return {
    bookingId: booking_id ?? '',
    time: time ?? null,
    people: integerOf(people),
    service: service ?? null,
    status: status ?? null,
    guest: guest ?? null,
  }
}

function saleLine({ sale_id, closed_at, status, total_cents, pos_name, staff_name }: NightRow): SaleLine {
  return {
    saleId: sale_id ?? '',
    closedAt: closed_at ?? '',
    status: status ?? null,
    totalCents: integerOf(total_cents),
    pos: pos_name ?? null,
    staff: staff_name ?? null,
  }
}

function integerOf(digits: string | null | undefined): number | null {
  return digits == null ? null : Number(digits)
}
