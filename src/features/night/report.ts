import type { JsonObject } from '../../base/json/exact.ts'
import type { Question } from './booked.ts'
import type { Night } from './business-day.ts'
import type { NightCopy, NightRow } from './copy.ts'
import { FIGURES, type Figure, type FigureName, type Resource } from './figures.ts'

/** How far the copy of a resource goes. */
export interface SyncedUpTo {
  readonly source: string
  readonly resource: string
  /** ISO 8601; null: no run has committed yet. */
  readonly upTo: string | null
  readonly timezone: string | null
}

/** How many came, and how many did not. */
export interface Counts {
  /** Bookings that are neither cancelled nor no-show, and their people. */
  readonly bookings: number
  readonly covers: number
  readonly noShows: number
  readonly noShowPeople: number
  readonly cancelled: number
  /** How many of `bookings` do not say how many people they are: their covers are missing. */
  readonly withoutPeople: number
}

/** The same of one service; `service` is null where a booking names none. */
export interface ServiceCounts extends Counts {
  readonly service: string | null
}

/** A booking that somebody should look at. `time`: `HH:mm` on the venue's clock. */
export interface BookingLine {
  readonly bookingId: string
  readonly time: string | null
  readonly people: number | null
  readonly service: string | null
  readonly tables: string | null
  readonly status: string | null
  readonly guest: string | null
}

/** A booking that owes money. Its currency is null where the service names none. */
export interface OwingLine extends Omit<BookingLine, 'tables'> {
  readonly currency: string | null
  readonly dueCents: number
}

/** A sale that no booking is linked to. The service names no currency of it. */
export interface SaleLine {
  readonly saleId: string
  readonly closedAt: string
  readonly status: string | null
  readonly totalCents: number | null
  readonly pos: string | null
  readonly staff: string | null
}

/** What sales come to, in one currency. Whole cents. */
export interface Takings {
  /** Null where nothing names it. */
  readonly currency: string | null
  readonly sales: number
  readonly totalCents: number
  /** How many of `sales` have no total that can be read. */
  readonly withoutTotal: number
}

/** What is due in one currency. Whole cents. */
export interface Due {
  readonly currency: string | null
  readonly bookings: number
  readonly dueCents: number
  /** How much of it no-shows owe. */
  readonly noShowDueCents: number
}

/** The page of a venue. A figure is null when the copy does not have what it is made of. */
export interface VenueNight {
  readonly source: string
  readonly date: string
  readonly timezone: string | null
  readonly startsAt: string
  readonly endsAt: string
  /** False: the night goes on, and the figures are those so far. */
  readonly isOver: boolean
  /** What the copy has only up to a time before the end of the night, or before now. */
  readonly behind: readonly Resource[]
  readonly totals: Counts | null
  readonly services: readonly ServiceCounts[] | null
  readonly hours: readonly { readonly hour: string; readonly covers: number }[] | null
  readonly takings: Takings | null
  readonly seatedWithoutSale: readonly BookingLine[] | null
  readonly salesWithoutBooking: readonly SaleLine[] | null
  readonly depositsDue: readonly Due[] | null
  readonly owing: readonly OwingLine[] | null
  /** Whether the bookings were synced with their guests; null when the copy has no bookings. */
  readonly guests: boolean | null
  /** Money writes of this machine whose outcome nobody knows. */
  readonly openOperations: readonly JsonObject[]
  readonly sync: readonly {
    readonly resource: string
    readonly upTo: string | null
    readonly lagSeconds: number | null
  }[]
}

/** The page of the group. A figure is of the venues whose records the copy has; null when it has those of none. */
export interface GroupNight {
  readonly venues: number
  /** The one date of all venues; null when it is another day at some of them. */
  readonly date: string | null
  readonly totals: Counts | null
  readonly takings: readonly Takings[] | null
  readonly seatedWithoutSale: number | null
  readonly salesWithoutBooking: number | null
  readonly depositsDue: readonly Due[] | null
  /** Of the venues; those of other profiles of this machine are `elsewhere`. */
  readonly openOperations: number
  readonly elsewhere: readonly JsonObject[]
  /** What the copy does not have. */
  readonly missing: readonly { readonly source: string; readonly resource: Resource }[]
}

export interface NightReport {
  readonly madeAt: string
  /** As the command line names it. */
  readonly copy: string
  readonly group: GroupNight
  readonly venues: readonly VenueNight[]
}

/** What a report is made of beside the copy. */
export interface ReportParts {
  readonly nowMs: number
  /** As the command line names it. */
  readonly name: string
  readonly nights: readonly Night[]
  readonly synced: readonly SyncedUpTo[]
  readonly noShow: readonly string[]
  readonly seated: readonly string[]
  /** The venues whose bookings were synced with their guests. */
  readonly withGuests: ReadonlySet<string>
  /** The open operations of this machine, as people see them. */
  readonly open: readonly JsonObject[]
}

/** What the parts of a report ask of the figures. */
export type Asked = Pick<ReportParts, 'nights' | 'synced' | 'noShow' | 'seated'>

/** What a figure is asked about: the venues of which the copy has all that it needs; null when there is none. */
export function questionOf({ needs }: Figure, { nights, synced, noShow, seated }: Asked): Question | null {
  const having = nights.filter(({ source }) => needs.every((one) => hasResource(synced, source, one)))
  return having.length === 0 ? null : { nights: having, noShow, seated }
}

/** Whether the copy has a resource of a venue: a run has committed. */
export function hasResource(synced: readonly SyncedUpTo[], source: string, resource: Resource): boolean {
  return synced.some((one) => one.source === source && one.resource === resource && one.upTo !== null)
}

/** How far the copy goes, from the rows of its figure. */
export function syncedUpTo(rows: readonly NightRow[]): SyncedUpTo[] {
  return rows.map(({ source, resource, up_to, timezone }) => ({
    source: source ?? '',
    resource: resource ?? '',
    upTo: up_to ?? null,
    timezone: timezone ?? null,
  }))
}

/** The rows of each figure; those of a figure that nothing was asked about are missing. */
export type Answers = ReadonlyMap<FigureName, readonly NightRow[]>

/** Asks the copy for every figure. Fails: as the copy does. */
export async function askFigures(copy: NightCopy, asked: Asked): Promise<Answers> {
  const answers = new Map<FigureName, readonly NightRow[]>()
  for (const figure of FIGURES) {
    const question = questionOf(figure, asked)
    if (question !== null) answers.set(figure.name, await copy.rows(figure.sql(copy.dialect, question)))
  }
  return answers
}
