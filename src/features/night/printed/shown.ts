import type { JsonObject } from '../../../base/json/exact.ts'
import type { Counts, Due, GroupNight, NightReport, OwingLine, SaleLine, Takings, VenueNight } from '../report.ts'
import { amountText, groupLines, groupWhenWords, timeIn, venueLines, whenWords } from '../words.ts'

/** A list on a page is at most so long; what is left out is counted, and stands in JSON and CSV. */
export const MOST_LISTED = 8

/** The page of a venue for a person: figures in words, lists cut to a page. */
export function shownVenue(venue: VenueNight, nowMs: number): JsonObject {
  const { source, services, hours, seatedWithoutSale, salesWithoutBooking, owing, openOperations, timezone } = venue
  return {
    name: source,
    when: whenWords(venue),
    figures: venueLines(venue, nowMs),
    services: (services ?? []).map((one) => ({ ...one })),
    hours: (hours ?? []).map((one) => ({ ...one })),
    seated: head(seatedWithoutSale).map((one) => ({ ...one })),
    sales: head(salesWithoutBooking).map((one) => shownSale(one, timezone)),
    owing: head(owing).map(shownOwing),
    operations: head(openOperations),
    more: {
      seated: moreOf(seatedWithoutSale),
      sales: moreOf(salesWithoutBooking),
      owing: moreOf(owing),
      operations: moreOf(openOperations),
    },
  }
}

/** The page of the group: its figures, a row for each venue, and one for all of them. */
export function shownGroup(report: NightReport): JsonObject {
  return {
    when: groupWhenWords(report),
    figures: groupLines(report.group),
    venues: [...report.venues.map(venueRow), totalRow(report.group)],
    operations: head(report.group.elsewhere),
    more: { operations: moreOf(report.group.elsewhere) },
  }
}

function venueRow(venue: VenueNight): JsonObject {
  const { source, totals, takings, seatedWithoutSale, salesWithoutBooking, depositsDue, openOperations } = venue
  return {
    venue: source,
    isTotal: false,
    ...countsOf(totals),
    takings: takings && takingsText([takings]),
    seatedWithoutSale: seatedWithoutSale?.length ?? null,
    salesWithoutBooking: salesWithoutBooking?.length ?? null,
    depositsDue: depositsDue && dueText(depositsDue),
    openOperations: openOperations.length,
  }
}

/** The last row: all venues whose records the copy has. */
function totalRow({ totals, takings, depositsDue, ...rest }: GroupNight): JsonObject {
  const { seatedWithoutSale, salesWithoutBooking, openOperations } = rest
  return {
    ...{ venue: 'all venues', isTotal: true },
    ...countsOf(totals),
    takings: takings && takingsText(takings),
    ...{ seatedWithoutSale, salesWithoutBooking, openOperations },
    depositsDue: depositsDue && dueText(depositsDue),
  }
}

function countsOf(totals: Counts | null): JsonObject {
  return {
    covers: totals?.covers ?? null,
    bookings: totals?.bookings ?? null,
    noShows: totals?.noShows ?? null,
  }
}

/** Amounts in one cell, by currency; '' where there are none. */
export function takingsText(takings: readonly Takings[], separator = ', '): string {
  const taken = takings.filter(({ sales }) => sales > 0)
  return taken.map(({ totalCents, currency }) => amountText(totalCents, currency)).join(separator)
}

function dueText(due: readonly Due[]): string {
  return due.map(({ dueCents, currency }) => amountText(dueCents, currency)).join(', ')
}

function shownSale(
  { saleId, closedAt, status, totalCents, pos, staff }: SaleLine,
  timezone: string | null,
): JsonObject {
  return { saleId, time: timeIn(closedAt, timezone), total: amountText(totalCents, null), status, pos, staff }
}

function shownOwing({ dueCents, currency, ...rest }: OwingLine): JsonObject {
  return { ...rest, due: amountText(dueCents, currency) }
}

/** The head of a list, as a page has room for it. */
export function head<T>(list: readonly T[] | null): readonly T[] {
  return list?.slice(0, MOST_LISTED) ?? []
}

/** How many more there are. */
export function moreOf(list: readonly unknown[] | null): number {
  return Math.max(0, (list?.length ?? 0) - MOST_LISTED)
}
