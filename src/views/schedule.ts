import { isJsonObject, type JsonObject, type JsonValue } from '../json/exact.ts'
import { plainText } from '../render/plain-text.ts'
import type { Tone } from '../render/tone.ts'
import type { ListView, ViewContext } from '../render/view.ts'
import { instantCell, zoneName } from './moments.ts'
import { joined, textAt } from './wording.ts'

/** Why a time can be booked or not. */
export type TimeState = 'free' | 'full' | 'expired' | 'closed'

const STATE_TONES: Readonly<Record<TimeState, Tone>> = { free: 'good', full: 'bad', expired: 'dim', closed: 'bad' }

/**
 * The schedule, flattened: a row is a service at a time, what is free first, else in the service's own order. A day without
 * services is a row that says why. `sections` are those that are free, by name and by id.
 * @param answer the answer of `GET /Bookings/schedule`; anything else in it is passed over.
 */
export function scheduleRows(answer: JsonValue): JsonObject[] {
  const rows = objectsIn(answer).flatMap(rowsOfDay)
  return [...rows.filter((row) => row['state'] === 'free'), ...rows.filter((row) => row['state'] !== 'free')]
}

/** The schedule in short: a row is a service with the times that are free. Source: `GET /Bookings/schedule` (assumed). */
export function scheduleSummary(answer: JsonValue, context: ViewContext): JsonObject[] {
  return objectsIn(answer).flatMap((day) => {
    const rows = rowsOfDay(day)
    const services = Map.groupBy(rows, (row) => plainText(row['serviceId']) || plainText(row['serviceName']))
    return [...services.values()].map((times) => summaryOf(times, context))
  })
}

/** A row of {@link scheduleRows} a line. */
export const scheduleList: ListView = {
  columns: [
    { path: 'time', header: 'TIME', cell: (row, context) => instantCell(row['time'], context), rank: 1 },
    { path: 'name', header: 'SHOWN AS', rank: 7, optional: true },
    { path: 'serviceName', header: 'SERVICE', flex: 10, rank: 2 },
    { path: 'state', header: 'STATE', cell: (row) => stateCell(row), rank: 3 },
    { path: 'duration', header: 'MINUTES', align: 'right', rank: 8, optional: true },
    {
      path: 'sectionNames',
      header: 'FREE SECTIONS',
      cell: (row) => listText(row['sectionNames']),
      flex: 13,
      rank: 5,
      optional: true,
    },
    { path: 'sectionIds', header: 'SECTION IDS', cell: (row) => listText(row['sectionIds']), rank: 6, optional: true },
    { path: 'serviceId', header: 'SERVICE ID', rank: 4 },
    { path: 'message', header: 'MESSAGE', flex: 12, rank: 9, optional: true },
  ],
  csvPaths: [
    'time',
    'name',
    'serviceId',
    'serviceName',
    'serviceType',
    'state',
    'duration',
    'sectionIds',
    'sectionNames',
    'bookingOptionsCount',
    'paymentDetails.paymentType',
    'paymentDetails.price',
    'message',
  ],
  empty: 'No services on that day for that party.',
  one: 'entry',
  many: 'entries',
  footnote: (context) => `times in ${zoneName(context)}`,
}

/** A row of {@link scheduleSummary} a line. */
export const scheduleSummaryList: ListView = {
  columns: [
    { path: 'serviceName', header: 'SERVICE', flex: 10, rank: 1 },
    { path: 'date', header: 'DATE', rank: 4, optional: true },
    { path: 'free', header: 'FREE', cell: (row) => freeCell(row), flex: 40, rank: 2 },
    {
      path: 'sectionNames',
      header: 'SECTIONS',
      cell: (row) => listText(row['sectionNames']),
      flex: 10,
      rank: 5,
      optional: true,
    },
    { path: 'serviceId', header: 'SERVICE ID', rank: 3 },
  ],
  csvPaths: ['serviceId', 'serviceName', 'date', 'free', 'sectionIds', 'sectionNames', 'message'],
  empty: 'No services on that day for that party.',
  one: 'service',
  many: 'services',
  footnote: (context) => `times in ${zoneName(context)}`,
}

function rowsOfDay(day: JsonObject): JsonObject[] {
  const isClosed = day['isVenueOpen'] === false
  const message = plainText(day['blockoutMessage'])
  const services = objectsIn(day['services'])
  if (services.length === 0) return isClosed || message !== '' ? [{ state: 'closed', message }] : []
  return services.flatMap((service) => {
    const common = {
      serviceId: service['id'],
      serviceName: service['name'],
      serviceType: service['serviceType'],
      duration: service['duration'],
      paymentDetails: service['paymentDetails'],
      ...(message === '' ? {} : { message }),
    }
    const times = objectsIn(service['times'])
    if (times.length === 0) return [{ ...common, state: isClosed ? 'closed' : 'full' }]
    return times.map((time) => ({ ...common, ...rowOfTime(time, service, isClosed) }))
  })
}

function rowOfTime(time: JsonObject, service: JsonObject, isClosed: boolean): JsonObject {
  const names = new Map(
    objectsIn(service['sections']).map((section) => [plainText(section['id']), plainText(section['name'])]),
  )
  const sectionIds = objectsIn(time['sections'])
    .filter((section) => section['sectionState'] !== false)
    .map((section) => plainText(section['id']))
  const hasSections = objectsIn(time['sections']).length > 0
  const isFull = time['bookingOptionsCount'] === 0 || (hasSections && sectionIds.length === 0)
  const state: TimeState = isClosed ? 'closed' : time['expired'] === true ? 'expired' : isFull ? 'full' : 'free'
  return {
    time: time['time'],
    name: time['name'],
    state,
    bookingOptionsCount: time['bookingOptionsCount'],
    sectionIds,
    sectionNames: sectionIds.map((id) => names.get(id) || id),
  }
}

function summaryOf(times: readonly JsonObject[], context: ViewContext): JsonObject {
  const [first = {}] = times
  const free = times.filter((row) => row['state'] === 'free')
  const starts = free.map((row) => instantCell(row['time'], context))
  const dates = new Set(starts.map((start) => start.slice(0, 'yyyy-mm-dd'.length)))
  const [date = ''] = dates
  return {
    serviceName: first['serviceName'],
    serviceId: first['serviceId'],
    date: dates.size === 1 ? date : null,
    free: dates.size === 1 ? starts.map((start) => start.slice(date.length + 1)) : starts,
    state: free.length > 0 ? 'free' : first['state'],
    sectionIds: distinct(free, 'sectionIds'),
    sectionNames: distinct(free, 'sectionNames'),
    message: first['message'],
  }
}

function distinct(rows: readonly JsonObject[], member: string): JsonValue[] {
  return [...new Set(rows.flatMap((row) => (Array.isArray(row[member]) ? (row[member] as readonly JsonValue[]) : [])))]
}

function stateCell(row: JsonObject): { text: string; tone: Tone } | string {
  const state = textAt(row, 'state')
  return isTimeState(state) ? { text: state, tone: STATE_TONES[state] } : state
}

function freeCell(row: JsonObject): { text: string; tone: Tone } | string {
  const times = listText(row['free'])
  if (times !== '') return times
  return { text: joined([textAt(row, 'state') || 'none', textAt(row, 'message')], ': '), tone: 'dim' }
}

function isTimeState(state: string): state is TimeState {
  return Object.hasOwn(STATE_TONES, state)
}

function listText(value: JsonValue | undefined): string {
  return Array.isArray(value) ? joined(value.map(plainText), ', ') : plainText(value)
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
