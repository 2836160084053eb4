import { isJsonObject, type JsonObject, type JsonValue, jsonObjects } from '../../base/json/exact.ts'
import { type Clock, isWholeDay, parseInstant, toWireTime } from '../../base/time/instant.ts'
import { dateIn, endOfDay, startOfDay } from '../../base/time/zone.ts'
import { findNearestNamed, formatNamed, type Named } from '../../client/named.ts'
import { diaryTableRows } from './views/diary-tables.ts'
import { textAt } from './views/wording.ts'

interface OfferedTime {
  readonly atMs: number
  readonly isPast: boolean
  readonly isFree: boolean
  /** The IDs of the sections that have a free table, or `null` if the service does not list sections. */
  readonly sections: ReadonlySet<string> | null
}

/** A service, such as dinner, as the schedule lists it for one party size, on one or more days. */
export interface Offer extends Named {
  /** How long a table is reserved, in minutes, or `null` if that is unknown. */
  readonly minutes: number | null
  readonly sections: readonly Named[]
  readonly times: readonly OfferedTime[]
  /** A description of the payment required from this party, or `null` if none is. */
  readonly payment: string | null
}

export interface ScheduleSeen {
  /** Whether the venue is closed on all of the days. */
  readonly isClosed: boolean
  /** The venue's message about these days, or '' if there is none. */
  readonly message: string
  readonly offers: readonly Offer[]
}

/** A free table. A number is `null` if the service does not send it. */
export interface FreeTable extends Named {
  readonly sectionId: string
  readonly sectionName: string
  readonly capacity: number | null
  readonly least: number | null
  readonly isWalkInOnly: boolean
}

/**
 * Returns the query for the schedule of one day, or of several days if `lastMs` is on a later day. Times are in epoch
 * milliseconds.
 */
export function scheduleQuery(atMs: number, timezone: string | null, people: number, lastMs = atMs) {
  return {
    BookingDateTimeStart: toWireTime(startOfDay(atMs, timezone)),
    NumOfPeople: people,
    BookingDateTimeEnd: toWireTime(endOfDay(lastMs, timezone)),
  }
}

/**
 * Converts `--date` for `GET /Bookings/tables`. A whole day is sent as a date, and anything else as a time. Throws
 * USAGE.
 */
export function tablesDate(text: string, clock: Clock): string {
  const instant = parseInstant(text, { ...clock, edge: 'lower', flag: '--date', weekdays: 'coming' })
  return isWholeDay(text) ? dateIn(instant, clock.timezone) : toWireTime(instant)
}

/**
 * Parses a response to `GET /Bookings/schedule` for a party size. If a service is listed on several days, merges it
 * into one offer.
 */
export function parseSchedule(answer: JsonValue, people: number): ScheduleSeen {
  const days = jsonObjects(answer)
  const offers = new Map<string, Offer>()
  for (const day of days)
    for (const service of jsonObjects(day['services'])) {
      const offer = offerIn(service, day['isVenueOpen'] === false, people)
      const known = offers.get(offer.id)
      if (offer.id !== '') offers.set(offer.id, known ? { ...known, times: [...known.times, ...offer.times] } : offer)
    }
  const messages = days.map((day) => textAt(day, 'blockoutMessage')).filter((text) => text !== '')
  return {
    isClosed: days.length > 0 && days.every((day) => day['isVenueOpen'] === false),
    message: [...new Set(messages)].join('; '),
    offers: [...offers.values()],
  }
}

/** Parses a response to `GET /Bookings/tables`. Each table can be named with or without its section. */
export function parseTables(answer: JsonValue): FreeTable[] {
  return diaryTableRows(answer).flatMap((table) => {
    const [id, name, sectionName] = ['_id', 'name', 'sectionName'].map((member) => textAt(table, member))
    if (!id) return []
    return {
      ...{ id, names: [...(name ? [name] : []), `${sectionName}/${name}`] },
      ...{ sectionId: textAt(table, 'sectionId'), sectionName: sectionName ?? '' },
      capacity: numberOf(table['capacity']),
      least: numberOf(table['minCapacity']),
      isWalkInOnly: table['walkinOnly'] === true || table['online'] === false,
    }
  })
}

/** Returns a suggestion such as `; did you mean Dinner (svc-dinner)?`, or '' if no name is similar. */
export function suggestNearest(typed: string, all: readonly Named[]): string {
  const near = findNearestNamed(typed, all)
  return near ? `; did you mean ${formatNamed(near)}?` : ''
}

/** Returns the IDs and names of the records in a list. Skips records that have no ID. */
export function namedIn(list: JsonValue | undefined, id = 'id'): Named[] {
  return jsonObjects(list).flatMap((one) => (textAt(one, id) === '' ? [] : [named(one, id)]))
}

function named(record: JsonObject, id = 'id'): Named {
  return { id: textAt(record, id), names: [textAt(record, 'name')].filter((text) => text !== '') }
}

function offerIn(service: JsonObject, isClosed: boolean, people: number): Offer {
  return {
    ...named(service),
    minutes: numberOf(service['duration']),
    sections: namedIn(service['sections']),
    times: jsonObjects(service['times'])
      .map((time) => timeIn(time, isClosed))
      .filter(({ atMs }) => !Number.isNaN(atMs)),
    payment: paymentIn(service['paymentDetails'], people),
  }
}

function timeIn(time: JsonObject, isClosed: boolean): OfferedTime {
  const listed = jsonObjects(time['sections'])
  const open = listed.filter((section) => section['sectionState'] !== false).map((section) => textAt(section, 'id'))
  const isFull = time['bookingOptionsCount'] === 0 || (listed.length > 0 && open.length === 0)
  const isPast = time['expired'] === true
  return {
    atMs: Date.parse(textAt(time, 'time')),
    isPast,
    isFree: !isClosed && !isPast && !isFull,
    sections: listed.length === 0 ? null : new Set(open),
  }
}

function paymentIn(details: JsonValue | undefined, people: number): string | null {
  if (!isJsonObject(details)) return null
  const type = textAt(details, 'paymentType')
  const price = numberOf(details['price'])
  if (type === '' || type === 'NoPayment' || !price || people < (numberOf(details['peopleRequired']) ?? 0)) return null
  return `${type} of ${price.toFixed(2)} per person`
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}
