import { isJsonObject, type JsonObject, type JsonValue, jsonObjects } from '../../../base/json/exact.ts'
import type { Named } from '../../../client/named.ts'

/** A time that a service offers, or does not any more. */
export interface OfferedTime {
  readonly atMs: number
  readonly isPast: boolean
  /** Whether the party that was asked for finds room. */
  readonly isFree: boolean
  /** The sections in which it does; null: the service does not say. */
  readonly sections: ReadonlySet<string> | null
}

/** A service on one or more days, as the schedule lists it for a party. */
export interface Offer extends Named {
  /** How long a table is taken; null: it does not say. */
  readonly minutes: number | null
  readonly sections: readonly Named[]
  readonly times: readonly OfferedTime[]
  /** What is to be paid, in words; null: nothing, for this party. */
  readonly payment: string | null
}

/** The schedule of some days for a party. */
export interface ScheduleSeen {
  /** True when no day of it is open. */
  readonly isClosed: boolean
  /** What the venue says of these days; '' when nothing. */
  readonly message: string
  readonly offers: readonly Offer[]
}

/** A table that is free. Null: the service does not say. */
export interface FreeTable extends Named {
  readonly sectionId: string
  readonly sectionName: string
  readonly capacity: number | null
  readonly least: number | null
  readonly isWalkInOnly: boolean
}

/** A status of the venue; its first name is its label. */
export type StatusSeen = Named

/** Reads an answer of `GET /Bookings/schedule` for a party. */
export function scheduleIn(answer: JsonValue, people: number): ScheduleSeen {
  const days = jsonObjects(answer)
  const offers = new Map<string, Offer>()
  for (const day of days)
    for (const service of jsonObjects(day['services'])) {
      const offer = offerIn(service, day['isVenueOpen'] === false, people)
      if (offer.id === '') continue
      const known = offers.get(offer.id)
      offers.set(offer.id, known ? { ...known, times: [...known.times, ...offer.times] } : offer)
    }
  const messages = days.map((day) => textOf(day['blockoutMessage'])).filter((text) => text !== '')
  return {
    isClosed: days.length > 0 && days.every((day) => day['isVenueOpen'] === false),
    message: [...new Set(messages)].join('; '),
    offers: [...offers.values()],
  }
}

/** Reads an answer of `GET /Bookings/tables`. */
export function tablesIn(answer: JsonValue): readonly FreeTable[] {
  return jsonObjects(answer).flatMap((section) =>
    jsonObjects(section['tables']).flatMap((table): FreeTable[] => {
      const id = textOf(table['_id'])
      const name = textOf(table['name'])
      const sectionName = textOf(table['sectionName'] ?? section['sectionName'])
      if (id === '') return []
      return [
        {
          id,
          names: [name, `${sectionName}/${name}`],
          sectionId: textOf(table['sectionId'] ?? section['sectionId']),
          sectionName,
          capacity: numberOf(table['capacity']),
          least: numberOf(table['minCapacity']),
          isWalkInOnly: table['walkinOnly'] === true || table['online'] === false,
        },
      ]
    }),
  )
}

/** Reads an answer of `GET /Resources/booking-statuses`. */
export function statusesIn(answer: JsonValue): readonly StatusSeen[] {
  return jsonObjects(answer)
    .map((status) => ({ id: textOf(status['code']), names: [textOf(status['name'])].filter((name) => name !== '') }))
    .filter(({ id }) => id !== '')
}

/** Whether a party may be put at a table. */
export function suits({ capacity, least, isWalkInOnly }: FreeTable, people: number): boolean {
  return !isWalkInOnly && (capacity === null || people <= capacity) && (least === null || people >= least)
}

function offerIn(service: JsonObject, isClosed: boolean, people: number): Offer {
  return {
    id: textOf(service['id']),
    names: [textOf(service['name'])].filter((name) => name !== ''),
    minutes: numberOf(service['duration']),
    sections: jsonObjects(service['sections']).map((section) => ({
      id: textOf(section['id']),
      names: [textOf(section['name'])].filter((name) => name !== ''),
    })),
    times: jsonObjects(service['times'])
      .map((time) => timeIn(time, isClosed))
      .filter(({ atMs }) => !Number.isNaN(atMs)),
    payment: paymentIn(service['paymentDetails'], people),
  }
}

function timeIn(time: JsonObject, isClosed: boolean): OfferedTime {
  const listed = jsonObjects(time['sections'])
  const open = listed.filter((section) => section['sectionState'] !== false).map((section) => textOf(section['id']))
  const isFull = time['bookingOptionsCount'] === 0 || (listed.length > 0 && open.length === 0)
  const isPast = time['expired'] === true
  return {
    atMs: Date.parse(textOf(time['time'])),
    isPast,
    isFree: !isClosed && !isPast && !isFull,
    sections: listed.length === 0 ? null : new Set(open),
  }
}

function paymentIn(details: JsonValue | undefined, people: number): string | null {
  if (!isJsonObject(details)) return null
  const type = textOf(details['paymentType'])
  const from = numberOf(details['peopleRequired']) ?? 0
  const price = numberOf(details['price'])
  if (type === '' || type === 'NoPayment' || !price || people < from) return null
  return `${type} of ${price.toFixed(2)} a person`
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}
