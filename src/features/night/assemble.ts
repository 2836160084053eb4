import type { TextRow } from '../../base/storage/text-row.ts'
import type { Night } from './business-day.ts'
import type { FigureName, Resource } from './figures.ts'
import type { Counts, Due, GroupNight, NightReport, Takings, VenueNight } from './printed/output.ts'
import { type FigureRows, hasResource, type Synced } from './publish.ts'

/** The data that a night report contains in addition to the figures queried from the copy. */
export interface ReportParts {
  readonly nowMs: number
  readonly name: string
  readonly nights: readonly Night[]
  readonly synced: Synced
  readonly withGuests: ReadonlySet<string>
  readonly open: NightReport['group']['elsewhere']
}

const RESOURCES: readonly Resource[] = ['bookings', 'sales']

export function assemble(answers: FigureRows, parts: ReportParts): NightReport {
  const rows = new Map([...answers].map(([name, all]) => [name, Map.groupBy(all, (row) => row['source'])]))
  const rowsOf = (name: FigureName, source: string) => rows.get(name)?.get(source) ?? []
  const venues = parts.nights.map((night) => venueNight(night, rowsOf, parts))
  const madeAt = new Date(parts.nowMs).toISOString()
  return { madeAt, copy: parts.name, group: groupNight(venues, answers, parts), venues }
}

type RowsOf = (name: FigureName, source: string) => readonly TextRow[]

function venueNight(night: Night, rowsOf: RowsOf, { nowMs, synced, open, withGuests }: ReportParts): VenueNight {
  const { source, date, timezone, startsUtc, endsUtc } = night
  const has = (...needs: Resource[]) => needs.every((one) => hasResource(synced, source, one))
  const of = <T>(name: FigureName): T[] => rowsOf(name, source).map((row) => toReportLine<T>(row))
  const copies = synced.get(source) ?? []
  // A copy is complete if the night is over and the copy extends to the end of the night.
  const until = endsUtc < new Date(nowMs).toISOString() ? endsUtc : null
  const bookings = has('bookings')
  const seatedWithoutSale: VenueNight['seatedWithoutSale'] = has('bookings', 'sales')
    ? of('seated-without-a-sale')
    : null
  const owing: VenueNight['owing'] = bookings ? of('deposits-due-by-booking') : null
  const namesGuest = [...(seatedWithoutSale ?? []), ...(owing ?? [])].some(({ guest }) => guest !== null)
  return {
    ...{ source, date, timezone, startsAt: startsUtc, endsAt: endsUtc, isOver: until !== null },
    behind: RESOURCES.filter((one) =>
      copies.some(({ resource, upTo }) => resource === one && upTo !== null && until !== null && upTo < until),
    ),
    totals: bookings ? (of<Counts>('covers')[0] ?? null) : null,
    services: bookings ? of('covers-by-service') : null,
    hours: bookings ? of('covers-by-hour') : null,
    takings: has('sales') ? (of<Takings>('takings')[0] ?? null) : null,
    seatedWithoutSale,
    salesWithoutBooking: has('sales') ? of('sales-without-a-booking') : null,
    depositsDue: bookings ? of('deposits-due') : null,
    owing,
    guests: bookings ? withGuests.has(source) || namesGuest : null,
    openOperations: open.filter(({ profile }) => profile === source),
    sync: copies.map(({ resource, upTo }) => ({
      resource,
      upTo,
      // The lag must not be negative, even if the service's clock is ahead of this machine's clock.
      lagSeconds: upTo === null ? null : Math.max(0, Math.floor((nowMs - Date.parse(upTo)) / 1000)),
    })),
  }
}

function groupNight(venues: readonly VenueNight[], answers: FigureRows, { open, synced }: ReportParts): GroupNight {
  const dates = new Set(venues.map(({ date }) => date))
  const sources = new Set<unknown>(venues.map(({ source }) => source))
  return {
    venues: venues.length,
    date: dates.size === 1 ? ([...dates][0] ?? null) : null,
    totals: answers.get('covers-of-the-group')?.map(toReportLine<Counts>)[0] ?? null,
    takings: answers.get('takings-of-the-group')?.map(toReportLine<Takings>) ?? null,
    seatedWithoutSale: answers.get('seated-without-a-sale')?.length ?? null,
    salesWithoutBooking: answers.get('sales-without-a-booking')?.length ?? null,
    depositsDue: answers.get('deposits-due-of-the-group')?.map(toReportLine<Due>) ?? null,
    openOperations: venues.reduce((sum, { openOperations }) => sum + openOperations.length, 0),
    elsewhere: open.filter(({ profile }) => !sources.has(profile)),
    missing: venues.flatMap(({ source }) =>
      RESOURCES.filter((one) => !hasResource(synced, source, one)).map((resource) => ({ source, resource })),
    ),
  }
}

const NUMBERS =
  /^(?:bookings|covers|people|sales|cancelled|no_shows|(?:no_show|without)_people|without_total|.*_cents)$/

/**
 * Converts a row with text values to a line of the report. The columns have the same names and order as the members of
 * the line.
 */
function toReportLine<T>({ source: _, ...row }: TextRow): T {
  const members = Object.entries(row).map(([column, text]) => {
    const name = column.replace(/^(pos|staff)_name$/, '$1').replace(/_([a-z])/g, (_all, letter) => letter.toUpperCase())
    return [name, text !== null && NUMBERS.test(column) ? Number(text) : text] as const
  })
  return Object.fromEntries(members) as T
}
