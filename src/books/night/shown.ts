import type { JsonObject } from '../../json/exact.ts'
import type { NightReport, OwingLine, SaleLine, VenueNight } from './report.ts'
import { amountText, groupLines, groupWhenWords, timeIn, venueLines, whenWords } from './words.ts'

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

/** The page of the group: its figures, and a row for each venue. */
export function shownGroup(report: NightReport): JsonObject {
  return {
    when: groupWhenWords(report),
    figures: groupLines(report.group),
    venues: report.venues.map(({ source, totals, seatedWithoutSale, salesWithoutBooking, depositsDue, ...rest }) => ({
      venue: source,
      covers: totals?.covers ?? null,
      bookings: totals?.bookings ?? null,
      noShows: totals?.noShows ?? null,
      seatedWithoutSale: seatedWithoutSale?.length ?? null,
      salesWithoutBooking: salesWithoutBooking?.length ?? null,
      depositsDue: depositsDue?.map(({ currency, dueCents }) => amountText(dueCents, currency)).join(', ') ?? null,
      openOperations: rest.openOperations.length,
    })),
    operations: head(report.group.elsewhere),
    more: { operations: moreOf(report.group.elsewhere) },
  }
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
