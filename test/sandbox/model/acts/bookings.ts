import fc from 'fast-check'
import { localText } from '../local-time.ts'
import { iso, type Model } from '../state.ts'
import { makePlan, maybe, nth, weighted, withoutUndefined } from './act.ts'
import { AROUND } from './cards.ts'

/**
 * The index of a booking and the kind of ID to send for it (the service's or the partner's), or an ID that the venue
 * does not have.
 */
export const BOOKING = weighted(
  [12, fc.record({ nth: fc.nat(20), by: fc.constantFrom('own', 'own', 'external') })],
  [1, fc.constantFrom('nobody', 'BK-LOST', 'BK-OTHER', '$')],
)
export type BookingDrawn = string | { readonly nth: number; readonly by: string }

export function bookingId(model: Model, drawn: BookingDrawn): string {
  if (typeof drawn === 'string') return drawn
  const booking = nth(model.bookings, drawn.nth)
  return (drawn.by === 'external' ? booking?.externalId : null) ?? booking?.id ?? 'nobody'
}

const DAY = 86_400_000

/** Times of day at which a service starts, runs or ends, and one time at which no service runs. */
const HOURS = weighted(
  [2, fc.constantFrom('18:00', '19:00', '20:15')],
  [1, fc.constantFrom('12:00', '13:45', '18:30', '19:10', '21:30', '03:00')],
)

const NEAR = fc.record({
  days: fc.constantFrom(1, 1, 1, 1, 1, 0, 2, -1),
  hour: HOURS,
  form: fc.constantFrom('local', 'local', 'utc', 'both'),
})
/** Local times that occur twice or not at all in Sydney or New York. */
const CHANGES_OF_CLOCK = ['2027-04-04 02:30', '2027-10-03 02:30', '2027-11-07 01:30', '2027-03-14 02:30']
const ODD = fc.constantFrom(...CHANGES_OF_CLOCK, '2026-12-25 19:00', '2026-02-30 18:00', 'soon')

/**
 * A time within a few days of the venue's current day, a time that occurs twice or not at all, an invalid time, or no
 * time.
 */
const TIME = weighted([28, NEAR], [1, ODD], [1, fc.constant(undefined)])
type TimeDrawn = string | undefined | { readonly days: number; readonly hour: string; readonly form: string }

function timeOf({ now, venue }: Model, drawn: TimeDrawn): Record<string, unknown> {
  if (typeof drawn !== 'object') return withoutUndefined({ time: drawn })
  const date = localText(now + drawn.days * DAY, venue.timezone).slice(0, 10)
  if (drawn.form === 'local') return { time: `${date} ${drawn.hour}` }
  const noon = Date.parse(`${date}T12:00:00Z`)
  const offset = Date.parse(`${localText(noon, venue.timezone)}Z`) - noon
  const utc = iso(Date.parse(`${date}T${drawn.hour}:00Z`) - offset).replace('.000Z', 'Z')
  return drawn.form === 'both' ? { bookingTimeAsUtc: utc, time: 'soon' } : { bookingTimeAsUtc: utc }
}

const PEOPLE = weighted(
  [30, fc.constantFrom(1, 2, 2, 2, 3, 4, 4, 6, 8, 12)],
  [2, fc.constantFrom(0, -1, 2.5, 2 ** 31 - 1, 2 ** 31, 'two', null)],
)

const GUEST = fc.record({
  firstName: fc.constantFrom('Ada', '小芳'),
  lastName: fc.constantFrom("O'Néill", 'Ng'),
  phone: fc.constant('+61 412 345 678'),
  email: maybe(fc.constantFrom('a@example.com', 'b@example.com')),
})

const STATUS = weighted([12, fc.nat(7)], [1, fc.constantFrom('MAYBE', 'confirmed')])
type StatusDrawn = number | string | undefined

export function statusOf({ venue }: Model, drawn: StatusDrawn): string | undefined {
  return typeof drawn === 'number' ? nth(venue.statuses, drawn)?.code : drawn
}

/** Indices of tables. There are few tables, so that parties compete for them. */
const TABLES = weighted(
  [12, fc.uniqueArray(fc.constantFrom(0, 0, 1, 3, 3, 3, 8, 9, 15), { minLength: 1, maxLength: 2 })],
  [1, fc.constantFrom([], ['T1'], [0, 0])],
)

const tableIds = ({ venue }: Model, drawn: readonly (number | string)[] | undefined) =>
  drawn?.map((one) => (typeof one === 'string' ? one : nth(venue.tables, one)?.id))

/** Durations in minutes. Some are longer than a day, as for a wedding. */
const DURATION = weighted(
  [15, fc.constantFrom(30, 90, 200, 200, 200, 1500, 3000)],
  [1, fc.constantFrom(0, 2 ** 31 - 1)],
)

const WALK_IN = {
  numOfPeople: PEOPLE,
  time: TIME,
  status: maybe(STATUS),
  tables: maybe(TABLES, 2),
  duration: maybe(DURATION),
  serviceId: maybe(fc.constantFrom('svc-lunch', 'svc-dinner', 'svc-none')),
  customer: maybe(GUEST, 2),
  bookingId: maybe(fc.constantFrom('MY-1', 'MY-2')),
  notes: maybe(fc.constantFrom('by the window', '', '窓')),
}

interface BodyDrawn {
  readonly numOfPeople: unknown
  readonly bookingId?: string | undefined
  readonly time: TimeDrawn
  readonly status: StatusDrawn
  readonly tables: readonly (number | string)[] | undefined
  readonly customer: Readonly<Record<string, string | undefined>> | undefined
}

function bodyOf(model: Model, { time, status, tables, customer, ...rest }: BodyDrawn): Record<string, unknown> {
  return withoutUndefined({
    ...rest,
    ...timeOf(model, time),
    status: statusOf(model, status),
    tables: tableIds(model, tables),
    customer: customer && withoutUndefined(customer),
  })
}

const RESERVATION = fc.record({
  ...WALK_IN,
  numOfPeople: PEOPLE,
  tables: weighted([4, fc.constant(undefined)], [1, TABLES]),
  duration: maybe(DURATION),
  serviceId: weighted([6, fc.constant('running')], [1, fc.constantFrom(undefined, 'svc-lunch', 'svc-x')]),
  section: weighted([9, fc.constantFrom(0, 0, 1, 2, 3)], [1, fc.constant(undefined)]),
  customer: weighted([9, GUEST], [1, fc.constantFrom(undefined, { firstName: 'Ada', lastName: ' ', phone: '1' })]),
})

/** Returns a service that is likely to run at the given time, so that many reservations succeed. */
function serviceAt(time: unknown, drawn: string | undefined): string | undefined {
  if (drawn !== 'running') return drawn
  const hour = typeof time === 'object' && time !== null ? (time as { hour: string }).hour : ''
  return hour.startsWith('12') || hour.startsWith('13') ? 'svc-lunch' : 'svc-dinner'
}

/** The start or end of a date range: a time near that of a booking, or an invalid date. */
const END = weighted([8, fc.record({ nth: fc.nat(20), by: AROUND, far: fc.boolean() })], [1, fc.constant('soon')])
type EndDrawn = string | { readonly nth: number; readonly by: number; readonly far: boolean }

function endOf(model: Model, drawn: EndDrawn, name: 'starts' | 'modified', way: 1 | -1): string {
  if (typeof drawn === 'string') return drawn
  const at = (nth(model.bookings, drawn.nth)?.[name] ?? model.now) + drawn.by
  return iso(drawn.far ? at + way * 900 * DAY : at)
}

const LIST = fc.record({
  dates: fc.constantFrom('starts', 'starts', 'starts', 'modified', 'modified', 'mixed', 'none', 'half'),
  from: END,
  to: END,
  IncludeCustomerDetails: maybe(fc.constantFrom('true', 'false')),
  IncludeCancelledBookings: maybe(fc.constantFrom('true', 'false')),
  ServiceName: maybe(fc.constantFrom('Lunch', 'Dinner', 'Supper')),
})

function datesOf(model: Model, dates: string, from: EndDrawn, to: EndDrawn): Record<string, string> {
  const start = { StartDate: endOf(model, from, 'starts', -1), EndDate: endOf(model, to, 'starts', 1) }
  const change = { UpdatedFromDate: endOf(model, from, 'modified', -1), UpdatedToDate: endOf(model, to, 'modified', 1) }
  const half = { UpdatedFromDate: change.UpdatedFromDate }
  const kinds: Record<string, Record<string, string>> = { starts: start, modified: change, half }
  return dates === 'mixed' ? { ...start, ...change } : (kinds[dates] ?? {})
}

const NAMED_TABLES = weighted(
  [8, fc.uniqueArray(fc.constantFrom(0, 3, 3, 3, 9), { minLength: 1, maxLength: 2 })],
  [1, fc.constantFrom(undefined, [], ['Bar/T1'], [0, 0])],
)

function namedTables({ venue }: Model, drawn: readonly (number | string)[] | undefined) {
  return drawn?.map((one) => {
    const table = typeof one === 'string' ? undefined : nth(venue.tables, one)
    return { name: table?.name ?? 'T1', section: table?.sectionName ?? 'Bar' }
  })
}

const SIT_DOWN = fc.record({
  hour: fc.constantFrom('18:00', '20:15', '20:15'),
  status: fc.constantFrom(undefined, undefined, 3, 4, 5, 5, 6),
  table: fc.constantFrom(0, 0, 3, 3),
  bookingId: maybe(fc.constant('MY-1')),
})
const LONG_STAY = fc.record({
  hour: fc.constantFrom('18:00', '18:30'),
  duration: fc.constantFrom(150, 200, 200, 1500),
  guest: GUEST,
})
const UPDATE = fc.record({ ...WALK_IN, numOfPeople: maybe(PEOPLE), bookingId: BOOKING })
const PAX = fc.record({ booking: BOOKING, pax: fc.oneof(PEOPLE, fc.constantFrom(1, 3, 8, 0, -1)) })
const NEW_STATUS = fc.record({ booking: BOOKING, status: maybe(STATUS, 20) })
const NEW_TABLES = fc.record({ booking: BOOKING, tables: NAMED_TABLES, allowTableBookingConflict: maybe(fc.boolean()) })
const SCHEDULE = fc.record({
  days: fc.constantFrom(0, 1, 1, 2, 35, 'soon'),
  people: fc.constantFrom('1', '2', '4', '8', '20', '0', 'x', undefined),
  except: maybe(BOOKING),
})
const FREE_TABLES = fc.record({
  nth: fc.nat(20),
  by: fc.constantFrom(-60_000, 0, 3_600_000, 'tomorrow'),
  duration: maybe(fc.constantFrom('30', '2000')),
})

export const BOOKING_PLANS = {
  walkIn: makePlan('walk in', fc.record(WALK_IN), (drawn, model) => ({
    endpoint: 'bookings.create',
    body: bodyOf(model, drawn),
  })),
  sitDown: makePlan('sit down', SIT_DOWN, ({ hour, status, table, bookingId: externalId }, model) => ({
    endpoint: 'bookings.create',
    body: bodyOf(model, {
      ...{ time: { days: 1, hour, form: 'local' }, status, tables: [table] },
      ...{ customer: undefined, numOfPeople: 2, bookingId: externalId },
    }),
  })),
  stayLong: makePlan('stay long', LONG_STAY, ({ hour, duration, guest }, model) => {
    const place = { serviceId: 'svc-dinner', sectionId: 'sec-main', ...timeOf(model, { days: 1, hour, form: 'local' }) }
    return {
      endpoint: 'reservations.create',
      body: { numOfPeople: 2, duration, customer: withoutUndefined(guest), ...place },
    }
  }),
  reserve: makePlan('reserve', RESERVATION, ({ section, serviceId, ...drawn }, model) => {
    const sections = [...new Set(model.venue.tables.map(({ sectionId }) => sectionId))]
    // If the reservation asks for a table, usually use the section of that table.
    const [named] = drawn.tables ?? []
    const table = typeof named === 'number' && section === 0 ? nth(model.venue.tables, named) : undefined
    const sectionId = section === undefined ? undefined : (table?.sectionId ?? nth(sections, section))
    const body = {
      ...bodyOf(model, drawn),
      ...withoutUndefined({ sectionId, serviceId: serviceAt(drawn.time, serviceId) }),
    }
    return { endpoint: 'reservations.create', body }
  }),
  update: makePlan('update', UPDATE, ({ bookingId: booking, ...drawn }, model) => ({
    endpoint: 'bookings.update',
    body: { ...bodyOf(model, drawn), bookingId: bookingId(model, booking) },
  })),
  pax: makePlan('pax', PAX, ({ booking, pax }, model) => ({
    endpoint: 'bookings.update-pax',
    parameters: { bookingId: bookingId(model, booking) },
    body: withoutUndefined({ pax }),
  })),
  status: makePlan('status', NEW_STATUS, ({ booking, status }, model) => ({
    endpoint: 'bookings.update-status',
    parameters: { bookingId: bookingId(model, booking) },
    body: withoutUndefined({ status: statusOf(model, status) }),
  })),
  tables: makePlan('tables', NEW_TABLES, ({ booking, tables, ...rest }, model) => ({
    endpoint: 'bookings.update-tables',
    parameters: { bookingId: bookingId(model, booking) },
    body: withoutUndefined({ ...rest, tables: namedTables(model, tables) }),
  })),
  get: makePlan(
    'get booking',
    fc.oneof(BOOKING, BOOKING, fc.constantFrom('BK-LOST', 'BK-OTHER')),
    (booking, model) => ({
      endpoint: 'bookings.get',
      parameters: { id: bookingId(model, booking) },
    }),
  ),
  list: makePlan('list bookings', LIST, ({ dates, from, to, ...rest }, model) => ({
    endpoint: 'bookings.list',
    query: { ...withoutUndefined(rest), ...datesOf(model, dates, from, to) },
  })),
  schedule: makePlan('schedule', SCHEDULE, ({ days, people, except }, model) => ({
    endpoint: 'bookings.schedule',
    query: withoutUndefined({
      BookingDateTimeStart: typeof days === 'string' ? days : iso(model.now + days * DAY),
      NumOfPeople: people,
      BookingId: except === undefined ? undefined : bookingId(model, except),
    }),
  })),
  freeTables: makePlan('free tables', FREE_TABLES, ({ nth: at, by, duration }, model) => ({
    endpoint: 'bookings.tables',
    query: withoutUndefined({
      Date: typeof by === 'string' ? by : iso((nth(model.bookings, at)?.starts ?? model.now) + by),
      Duration: duration,
    }),
  })),
  statuses: makePlan('statuses', fc.constant(null), () => ({ endpoint: 'bookings.statuses' })),
}
