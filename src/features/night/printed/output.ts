import type { Zod } from '../../../contract/shapes/schema.ts'
import { count, countOrNull, instant, instantOrNull, textOrNull } from '../../shared/members.ts'
import { operation } from '../../shared/operation.ts'
import { own, type Printed } from '../../shared/output.ts'

const counts = (z: Zod) => ({
  bookings: count(z),
  covers: count(z),
  noShows: count(z),
  noShowPeople: count(z),
  cancelled: count(z),
  withoutPeople: count(z),
})

const due = (z: Zod) =>
  z.looseObject({ currency: textOrNull(z), bookings: count(z), dueCents: count(z), noShowDueCents: count(z) })

/** The schema for takings, which are negative if refunds exceed sales. */
const takings = (z: Zod) =>
  z.looseObject({
    currency: textOrNull(z).describe("null if the night's bookings have no currency, or more than one"),
    sales: count(z),
    totalCents: z.int(),
    withoutTotal: count(z),
  })

const line = (z: Zod) => ({
  bookingId: z.string(),
  time: textOrNull(z).describe("HH:mm, in the venue's local time"),
  people: z.int().nullable(),
  service: textOrNull(z),
  status: textOrNull(z),
  guest: textOrNull(z),
})

const sale = own((z) => ({
  saleId: z.string(),
  closedAt: instant(z),
  status: textOrNull(z),
  totalCents: z.int().nullable(),
  pos: textOrNull(z),
  staff: textOrNull(z),
}))

const venueNight = own((z) => ({
  source: z.string(),
  date: z.string(),
  timezone: textOrNull(z),
  startsAt: instant(z),
  endsAt: instant(z),
  isOver: z.boolean(),
  behind: z.array(z.enum(['bookings', 'sales'])),
  totals: z.looseObject(counts(z)).nullable(),
  services: z.array(z.looseObject({ service: textOrNull(z), ...counts(z) })).nullable(),
  hours: z.array(z.looseObject({ hour: z.string(), covers: count(z) })).nullable(),
  takings: takings(z).nullable(),
  seatedWithoutSale: z.array(z.looseObject({ ...line(z), tables: textOrNull(z) })).nullable(),
  salesWithoutBooking: z.array(sale(z)).nullable(),
  depositsDue: z.array(due(z)).nullable(),
  owing: z.array(z.looseObject({ ...line(z), currency: textOrNull(z), dueCents: count(z) })).nullable(),
  guests: z.boolean().nullable().describe('whether the bookings were synced with their guests'),
  openOperations: z.array(operation(z)),
  sync: z.array(z.looseObject({ resource: z.string(), upTo: instantOrNull(z), lagSeconds: countOrNull(z) })),
}))

/**
 * The night report, with figures for each venue and across all venues. A figure is `null` if the copy lacks the records
 * required to compute it.
 */
export const nightReport = own((z) => ({
  madeAt: instant(z),
  copy: z.string(),
  group: z.looseObject({
    venues: count(z),
    date: textOrNull(z),
    totals: z.looseObject(counts(z)).nullable(),
    takings: z.array(takings(z)).nullable(),
    seatedWithoutSale: countOrNull(z),
    salesWithoutBooking: countOrNull(z),
    depositsDue: z.array(due(z)).nullable(),
    openOperations: count(z),
    elsewhere: z.array(operation(z)),
    missing: z.array(z.looseObject({ source: z.string(), resource: z.enum(['bookings', 'sales']) })),
  }),
  venues: z.array(venueNight(z)),
}))

export type NightReport = Printed<typeof nightReport>

/** The figures across all venues. A figure is `null` if the copy does not have the required records for any venue. */
export type GroupNight = NightReport['group']

export type VenueNight = NightReport['venues'][number]

/** The numbers of covers, no-shows and cancellations. */
export type Counts = NonNullable<VenueNight['totals']>

/** The guest counts for one service. `service` is `null` for bookings without a service. */
export type ServiceCounts = NonNullable<VenueNight['services']>[number]

/** The sales in one currency. Amounts are in whole cents. */
export type Takings = NonNullable<VenueNight['takings']>

/** The deposits due in one currency. Amounts are in whole cents. */
export type Due = NonNullable<VenueNight['depositsDue']>[number]

/** A booking whose guests were seated although no sale is linked to it. */
export type BookingLine = NonNullable<VenueNight['seatedWithoutSale']>[number]

/** A sale that is not linked to a booking. Its currency is therefore unknown. */
export type SaleLine = NonNullable<VenueNight['salesWithoutBooking']>[number]

/** A booking with an amount still due. Its currency may be `null`. */
export type OwingLine = NonNullable<VenueNight['owing']>[number]

/** The SQL that queries a figure; `null` if the copy lacks the required records. */
export const nightSql = own((z) => ({
  figure: z.string(),
  says: z.string(),
  sql: textOrNull(z),
  without: z.array(z.string()),
}))
