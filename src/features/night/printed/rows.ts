import type { JsonObject } from '../../../base/json/exact.ts'
import { listOf } from '../../shared/views/list.ts'
import { textAt } from '../../shared/views/wording.ts'
import { ABSENT, formatSaleCount } from '../words.ts'
import type { BookingLine, Counts, Due, GroupNight, NightReport, Takings, VenueNight } from './output.ts'

export const nightList = listOf('figure', 'figures', 'No figures.', {
  columns: [
    { path: 'source', header: 'VENUE', cell: (row) => textAt(row, 'source') || 'all venues', flex: 10, rank: 2 },
    { path: 'date', header: 'DATE', rank: 5 },
    { path: 'figure', header: 'FIGURE', rank: 1 },
    { path: 'item', header: 'OF', flex: 10, rank: 4 },
    { path: 'value', header: 'VALUE', align: 'right', rank: 3 },
    { path: 'unit', header: 'UNIT', rank: 6 },
    { path: 'note', header: 'NOTE', flex: 12, rank: 7, optional: true },
  ],
})

export const nightSqlList = listOf('figure', 'figures', 'No figures.', {
  columns: [
    { path: 'figure', header: 'FIGURE', rank: 1 },
    { path: 'says', header: 'DESCRIPTION', flex: 20, rank: 2 },
    { path: 'sql', header: 'SQL', flex: 20, rank: 3 },
  ],
  csvPaths: ['figure', 'says', 'sql', 'without'],
})

/**
 * A row of the report. `figure` also names the SQL statement that computes the value. `value` is `null` if the copy
 * lacks the records.
 */
type Row = readonly [figure: string, item: string | null, value: number | null, unit: string, note?: string | null]

/**
 * Returns the rows for all venues together (`source` is `null`), followed by the rows for each venue. Amounts are in
 * cents, and `unit` names the currency.
 */
export function nightRows({ venues, group }: NightReport): JsonObject[] {
  const records = (source: string | null, date: string | null, rows: readonly Row[]) =>
    rows.map(([figure, item, value, unit, note]) => ({
      ...{ source, date, figure, item, value, unit },
      note: note ?? (value === null ? ABSENT : null),
    }))
  return [
    ...records(null, group.date, rowsOfGroup(group)),
    ...venues.flatMap((venue) => records(venue.source, venue.date, rowsOfVenue(venue))),
  ]
}

function rowsOfVenue(venue: VenueNight): Row[] {
  const { totals, services, hours, takings, seatedWithoutSale, salesWithoutBooking, depositsDue, owing } = venue
  return [
    ...totalRows('covers', totals),
    ...(services ?? []).flatMap(({ service, covers, noShows }): Row[] => [
      ['covers-by-service', service, covers, 'people'],
      ['covers-by-service', service, noShows, 'no-shows'],
    ]),
    ...(hours ?? []).map(({ hour, covers }): Row => ['covers-by-hour', `${hour}:00`, covers, 'people']),
    ...takingsRows('takings', takings && [takings]),
    ['seated-without-a-sale', null, seatedWithoutSale?.length ?? null, 'bookings'],
    ...(seatedWithoutSale ?? []).map(
      (one): Row => ['seated-without-a-sale', one.bookingId, one.people, 'people', aboutBooking(one)],
    ),
    ['sales-without-a-booking', null, salesWithoutBooking?.length ?? null, 'sales'],
    ...(salesWithoutBooking ?? []).map(
      ({ saleId, totalCents, closedAt }): Row => ['sales-without-a-booking', saleId, totalCents, 'cents', closedAt],
    ),
    ...dueRows('deposits-due', depositsDue),
    ...(owing ?? []).map(
      (one): Row => ['deposits-due-by-booking', one.bookingId, one.dueCents, cents(one.currency), aboutBooking(one)],
    ),
    ['open-operations', null, venue.openOperations.length, 'operations', 'on this machine'],
    ...venue.sync.map(({ resource, upTo, lagSeconds }): Row => ['sync-lag', resource, lagSeconds, 'seconds', upTo]),
  ]
}

function rowsOfGroup(group: GroupNight): Row[] {
  return [
    ...totalRows('covers-of-the-group', group.totals),
    ...takingsRows('takings-of-the-group', group.takings),
    ['seated-without-a-sale', null, group.seatedWithoutSale, 'bookings'],
    ['sales-without-a-booking', null, group.salesWithoutBooking, 'sales'],
    ...dueRows('deposits-due-of-the-group', group.depositsDue),
    ['open-operations', null, group.openOperations, 'operations', 'on this machine'],
    ['open-operations', 'elsewhere', group.elsewhere.length, 'operations', 'of other profiles on this machine'],
  ]
}

function totalRows(figure: string, totals: Counts | null): Row[] {
  return [
    [figure, null, totals?.covers ?? null, 'people'],
    [figure, 'bookings', totals?.bookings ?? null, 'bookings'],
    [figure, 'no-shows', totals?.noShows ?? null, 'bookings'],
    [figure, 'no-show people', totals?.noShowPeople ?? null, 'people'],
    [figure, 'cancelled', totals?.cancelled ?? null, 'bookings'],
  ]
}

function takingsRows(figure: string, takings: readonly Takings[] | null): Row[] {
  if (takings === null) return [[figure, null, null, 'cents']]
  if (takings.length === 0) return [[figure, null, 0, 'cents', '0 sales']]
  return takings.map((one): Row => [figure, one.currency, one.totalCents, cents(one.currency), formatSaleCount(one)])
}

function dueRows(figure: string, due: readonly Due[] | null): Row[] {
  if (due === null) return [[figure, null, null, 'cents']]
  if (due.length === 0) return [[figure, null, 0, 'cents']]
  return due.map(({ currency, dueCents }): Row => [figure, currency, dueCents, cents(currency)])
}

function cents(currency: string | null): string {
  return currency === null ? 'cents' : `cents ${currency}`
}

function aboutBooking({ time, service, guest }: Pick<BookingLine, 'time' | 'service' | 'guest'>): string {
  return [time, service, guest].filter((one) => one !== null).join(', ')
}
