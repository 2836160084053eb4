import { type JsonObject, type JsonValue, jsonObjects } from '../../../base/json/exact.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ViewContext } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { instantCell, timesNote, withoutListDay, zoneName } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { joined, textAt } from '../../shared/views/wording.ts'

type TimeState = 'free' | 'full' | 'expired' | 'closed'

const STATE_TONES: Readonly<Record<TimeState, Tone>> = { free: 'good', full: 'bad', expired: 'dim', closed: 'bad' }

/** The number of free times that fit in an 80-column row without a date. */
const TIMES_PER_ROW = 6
const TIMES_PER_DATED_ROW = 4

/**
 * Converts a response of `GET /Bookings/schedule` to rows, one for each time and service. Free times come first. Values
 * that do not describe a day are skipped.
 */
export function scheduleRows(answer: JsonValue): JsonObject[] {
  const rows = jsonObjects(answer).flatMap(rowsOfDay)
  return [...rows.filter((row) => row['state'] === 'free'), ...rows.filter((row) => row['state'] !== 'free')]
}

export const scheduleList = listOf('entry', 'entries', 'No services on that day for that party.', {
  columns: [
    { path: 'time', header: 'TIME', cell: timeCell, rank: 1 },
    { path: 'name', header: 'SHOWN AS', rank: 7, optional: true },
    { path: 'serviceName', header: 'SERVICE', flex: 10, rank: 2 },
    { path: 'state', header: 'STATE', cell: (row) => toned(textAt(row, 'state'), STATE_TONES), rank: 3 },
    { path: 'duration', header: 'MINUTES', align: 'right', rank: 8, optional: true },
    {
      path: 'sectionNames',
      header: 'FREE SECTIONS',
      cell: listCell('sectionNames'),
      flex: 13,
      rank: 5,
      optional: true,
    },
    { path: 'sectionIds', header: 'SECTION IDS', cell: listCell('sectionIds'), rank: 6, optional: true },
    { path: 'serviceId', header: 'SERVICE ID', rank: 4 },
    { path: 'message', header: 'MESSAGE', flex: 12, rank: 9, optional: true },
  ],
  csvPaths: pathsIn(`time name serviceId serviceName serviceType state duration sectionIds sectionNames
    bookingOptionsCount paymentDetails.paymentType paymentDetails.price message`),
  footnote: (context) => timesNote(context, zoneName(context)),
})

/**
 * Returns one row per service and section, listing its free times. A service without free times gets one row that says
 * why.
 */
export function scheduleSummary(answer: JsonValue, context: ViewContext): JsonObject[] {
  return jsonObjects(answer).flatMap((day) => {
    const services = Map.groupBy(rowsOfDay(day), (row) => textAt(row, 'serviceId') || textAt(row, 'serviceName'))
    return [...services.values()].flatMap((times) => rowsOfService(times, context))
  })
}

export const scheduleSummaryList = listOf('row', 'rows', 'No services on that day for that party.', {
  columns: [
    { path: 'time', header: 'DATE', cell: dateCell, rank: 2, optional: true },
    { path: 'serviceName', header: 'SERVICE', flex: 8, rank: 3 },
    { path: 'sectionNames', header: 'SECTION', cell: listCell('sectionNames'), flex: 8, rank: 4, optional: true },
    { path: 'time', header: 'FREE', cell: freeCell, rank: 1 },
    { path: 'serviceId', header: 'SERVICE ID', rank: 5 },
    { path: 'sectionIds', header: 'SECTION ID', cell: listCell('sectionIds'), rank: 6, optional: true },
  ],
  csvPaths: ['date', 'serviceId', 'serviceName', 'sectionIds', 'sectionNames', 'free', 'state', 'message'],
  footnote: (context) => timesNote(context, zoneName(context)),
})

function rowsOfService(times: readonly JsonObject[], context: ViewContext): JsonObject[] {
  const [first = {}] = times
  const service = { serviceName: first['serviceName'], serviceId: first['serviceId'], message: first['message'] }
  const free = times.filter((row) => row['state'] === 'free')
  if (free.length === 0) return [{ ...service, state: first['state'] }]
  return sectionsOf(free).flatMap(({ id, name }) => {
    const starts = free
      .filter((row) => id === '' || textsAt(row, 'sectionIds').includes(id))
      .map((row) => instantCell(row['time'], context))
    const byDate = Map.groupBy(starts, (start) => start.slice(0, 'yyyy-mm-dd'.length))
    return [...byDate].flatMap(([date, all]) =>
      splitIntoRows(all, date === context.day ? TIMES_PER_ROW : TIMES_PER_DATED_ROW).map((some) => ({
        ...service,
        date,
        free: some.map((start) => start.slice(date.length + 1) || start),
        state: 'free',
        ...(id === '' ? {} : { sectionIds: [id], sectionNames: [name] }),
      })),
    )
  })
}

/**
 * Returns the sections that are free at one or more of the times. If the service lists no sections, returns a single
 * section without an ID.
 */
function sectionsOf(free: readonly JsonObject[]): { id: string; name: string }[] {
  const names = new Map(
    free.flatMap((row) => textsAt(row, 'sectionIds').map((id, at) => [id, textsAt(row, 'sectionNames')[at] || id])),
  )
  const sections = [...names].map(([id = '', name = '']) => ({ id, name }))
  return sections.length === 0 ? [{ id: '', name: '' }] : sections
}

function textsAt(row: JsonObject, member: string): string[] {
  const list = row[member]
  return Array.isArray(list) ? list.map(plainText) : []
}

function splitIntoRows(starts: readonly string[], most: number): string[][] {
  const rows: string[][] = []
  for (let at = 0; at < starts.length; at += most) rows.push(starts.slice(at, at + most))
  return rows
}

/** Formats a row's date. Returns an empty string if the footer already shows that date. */
function dateCell(row: JsonObject, { day }: ViewContext): string {
  const date = textAt(row, 'date')
  return date === day ? '' : date
}

function freeCell(row: JsonObject): Cell {
  const times = textsAt(row, 'free').join(' ')
  if (times !== '') return times
  return { text: joined([textAt(row, 'state') || 'none', textAt(row, 'message')], ': '), tone: 'dim' }
}

function timeCell(row: JsonObject, context: ViewContext): string {
  return withoutListDay(instantCell(row['time'], context), context)
}

function listCell(member: string): (row: JsonObject) => string {
  return (row) => (row['state'] === 'free' ? joined(textsAt(row, member), ', ') : '')
}

/**
 * Returns one row per time, in the order of the response. A day or service without times gets one row that says why.
 */
function rowsOfDay(day: JsonObject): JsonObject[] {
  const isClosed = day['isVenueOpen'] === false
  const message = plainText(day['blockoutMessage'])
  const services = jsonObjects(day['services'])
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
    const times = jsonObjects(service['times'])
    if (times.length === 0) return [{ ...common, state: isClosed ? 'closed' : 'full' }]
    return times.map((time) => ({ ...common, ...rowOfTime(time, service, isClosed) }))
  })
}

function rowOfTime(time: JsonObject, service: JsonObject, isClosed: boolean): JsonObject {
  const names = new Map(
    jsonObjects(service['sections']).map((section) => [plainText(section['id']), plainText(section['name'])]),
  )
  const sectionIds = jsonObjects(time['sections'])
    .filter((section) => section['sectionState'] !== false)
    .map((section) => plainText(section['id']))
  const hasSections = jsonObjects(time['sections']).length > 0
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
