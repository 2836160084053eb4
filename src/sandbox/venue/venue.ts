import { STANDARD_STATUSES } from '../../contract/bookings/statuses.ts'
import { DAY, HOUR, MINUTE } from './time.ts'

/** A meal service, such as lunch. Bookings start between `first` and `last`, in milliseconds after midnight. */
export interface Service extends Readonly<Record<'id' | 'name' | 'serviceType' | 'description', string>> {
  readonly online: boolean
  /** The weekdays of the service, from 0 (Sunday) to 6 (Saturday). */
  readonly weekdays: readonly number[]
  readonly first: number
  readonly last: number
  /** The default duration of a booking, in minutes. */
  readonly duration: number
  readonly sectionIds: readonly string[]
  readonly minPeople: number
  readonly payment: { readonly paymentType: string; readonly peopleRequired: number; readonly price: number }
  readonly policy: string | null
}

/** A status of a booking. Requests and responses refer to it by its `code`. Source: "Booking status". */
export type Status = Readonly<Record<'statusType' | 'code' | 'name', string>>

/** A venue, which the API calls a location. `currency` is an ISO 4217 code, and `timezone` is an IANA name. */
export type Venue = Readonly<Record<'id' | 'name' | 'currency' | 'timezone', string>>

/** The venue that the API key `good` belongs to, unless a loaded snapshot replaces it. */
export const DEFAULT_VENUE: Venue = {
  id: '5f1d7a3e9b2c4d0012ab34cd',
  name: 'Harbour & Vine',
  currency: 'AUD',
  timezone: 'Australia/Sydney',
}

/** The ID of a venue that is linked to a different app. */
export const OTHER_VENUE_ID = '5f1d7a3e9b2c4d0012ab34ce'

/** The ID of a location that was deleted from the service. */
export const REMOVED_LOCATION_ID = '5f1d7a3e9b2c4d0012ab34cf'

/** The venue's sections, in the order that responses list them. */
export const SECTIONS = [
  { id: 'sec-main', name: 'Main Dining', order: 1 },
  { id: 'sec-terrace', name: 'Terrace', order: 2 },
  { id: 'sec-bar', name: 'Bar', order: 3 },
  { id: 'sec-cellar', name: 'The Cellar 酒窖', order: 4 },
]

/** A table. `capacity` and `minCapacity` are numbers of guests. Tables that are `walkinOnly` cannot be reserved. */
export type Table = Readonly<ReturnType<typeof makeTables>[number]>

export const TABLES: readonly Table[] = [
  ...makeTables('sec-main', 'Main Dining', 'T', [2, 2, 2, 4, 4, 4, 4, 6, 8]),
  ...makeTables('sec-terrace', 'Terrace', 'P', [2, 2, 4, 4, 4, 6]),
  ...makeTables('sec-bar', 'Bar', 'B', [2, 2, 2, 4]).map((table, at) => {
    return { ...table, walkinOnly: at < 2, shared: at === 3 }
  }),
  ...makeTables('sec-cellar', 'The Cellar 酒窖', 'C', [12]).map((table) => ({ ...table, minCapacity: 6 })),
]

function makeTables(sectionId: string, sectionName: string, letter: string, capacities: readonly number[]) {
  return capacities.map((capacity, at) => ({
    id: `tbl-${letter.toLowerCase()}${at + 1}`,
    name: `${letter}${at + 1}`,
    sectionId,
    sectionName,
    capacity,
    minCapacity: capacity <= 4 ? 1 : capacity - 3,
    shared: false,
    online: true,
    walkinOnly: false,
  }))
}

function makeService(
  [id, name, serviceType, description]: readonly [string, string, string, string],
  more: Pick<Service, 'first' | 'last' | 'duration'> & Partial<Service>,
): Service {
  const weekdays = [0, 1, 2, 3, 4, 5, 6]
  const sectionIds = ['sec-main', 'sec-terrace', 'sec-bar']
  const payment = { paymentType: 'NoPayment', peopleRequired: 0, price: 0 }
  const defaults = { online: true, weekdays, sectionIds, minPeople: 1, payment, policy: null }
  return { ...defaults, id, name, serviceType, description, ...more }
}

export const SERVICES: readonly Service[] = [
  makeService(['svc-brunch', 'Weekend Brunch', 'breakfast', 'Eggs, pastries and bottomless coffee'], {
    ...{ first: 9 * HOUR, last: 11 * HOUR, duration: 75 },
    weekdays: [0, 6],
  }),
  makeService(['svc-lunch', 'Lunch', 'lunch', 'À la carte'], {
    first: 12 * HOUR,
    last: 14 * HOUR + 30 * MINUTE,
    duration: 90,
  }),
  makeService(['svc-dinner', 'Dinner', 'dinner', 'À la carte; a deposit for eight or more'], {
    ...{ first: 17 * HOUR + 30 * MINUTE, last: 21 * HOUR + 30 * MINUTE, duration: 120 },
    payment: { paymentType: 'Deposit', peopleRequired: 8, price: 25 },
    policy: 'Tables are held for 15 minutes.',
  }),
  makeService(['svc-cellar', "Chef's Table", 'dinner', 'Seven courses in the cellar, one sitting'], {
    ...{ first: 18 * HOUR + 30 * MINUTE, last: 19 * HOUR, duration: 180 },
    weekdays: [4, 5, 6],
    sectionIds: ['sec-cellar'],
    minPeople: 6,
    payment: { paymentType: 'FullPayment', peopleRequired: 1, price: 145 },
    policy: 'No refund within 48 hours.',
  }),
]

/** The venue's booking statuses. The last one is custom, which is why its code looks different. */
export const STATUSES: readonly Status[] = [
  ...STANDARD_STATUSES,
  { statusType: 'custom', code: '6152c0ffee_dessert', name: 'Dessert 🍮 served' },
]

/** The status codes of bookings that do not occupy their tables. */
export const TABLE_FREEING_STATUSES: ReadonlySet<string> = new Set(['CANCELLED', 'NOSHOW', 'FINISHED'])

/**
 * Returns the reason why the venue is closed on a day, or `null` if it is open. `day` is the number of days since 1970.
 */
export function findClosureReason(day: number): string | null {
  const monthAndDay = new Date(day * DAY).toISOString().slice('yyyy-'.length, 'yyyy-MM-dd'.length)
  if (monthAndDay === '12-25') return 'Closed on Christmas Day'
  return monthAndDay === '01-01' ? "Closed on New Year's Day" : null
}

/** Finds a status by its code. Codes are case-sensitive. */
export function findStatus(code: string): Status | undefined {
  return STATUSES.find((status) => status.code === code)
}

export function findService(id: string): Service | undefined {
  return SERVICES.find((service) => service.id === id)
}

export function findTable(id: string): Table | undefined {
  return TABLES.find((table) => table.id === id)
}
