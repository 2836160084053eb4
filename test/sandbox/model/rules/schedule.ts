import {
  assumedRejection,
  type Call,
  Difference,
  type ExpectedResponse,
  isMissing,
  malformed,
  type Rule,
  reject,
  required,
  respond,
} from '../expected-response.ts'
import { localText } from '../local-time.ts'
import { ANYTHING, atLeast } from '../pattern.ts'
import type { Model, Service, Table } from '../state.ts'
import { bookingResponse, findBooking, findStatus, MINUTE, occupiedTables } from './booking.ts'
import { invalidStatus, invalidTime, readTables, readTime, rejectNumbers } from './booking-requests.ts'
import { addBooking } from './bookings.ts'
import { readDate } from './cards.ts'
import { defineRule, type Rules } from './rule.ts'

/** The days when the venue is closed, as month and day. They are documented in docs/sandbox.md. */
const CLOSED = ['12-25', '01-01']

/** A service that accepts guests at a certain time, and the tables that are free for a party. */
interface Offer {
  readonly service: Service
  readonly tables: readonly Table[]
}

/**
 * Returns the services that accept guests at the given time, in the venue's order, even if they have no free table for
 * the party.
 */
function offersAt(model: Model, at: number, people: number, except: string | null = null): Offer[] {
  const local = localText(at, model.venue.timezone)
  if (CLOSED.includes(local.slice(5, 10)) || !local.endsWith(':00')) return []
  const weekday = new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay()
  const minute = Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
  const running = model.venue.services.filter(({ minutes }) => minutes[weekday]?.includes(minute))
  return running.map((service) => {
    const occupied = occupiedTables(model, at, at + service.duration * MINUTE, except)
    return { service, tables: suitable(model, service, people).filter(({ id }) => !occupied.has(id)) }
  })
}

/** Returns the tables where a service can seat a party. This is an assumption. */
function suitable({ venue }: Model, { sectionIds }: Service, people: number): Table[] {
  return venue.tables.filter(
    (table) =>
      sectionIds.includes(table.sectionId) &&
      table.online &&
      !table.walkinOnly &&
      people <= table.capacity &&
      people >= table.minCapacity,
  )
}

/**
 * GET /Bookings/schedule. The specification says "Available services and time slots for a date and party size." The
 * model reads the times from the sandbox, but works out the free tables from the bookings. If the request has no end,
 * the response covers one day of the venue's calendar.
 */
const schedule: Rule = (call) => {
  const { model, query } = call
  if (isMissing(query.get('BookingDateTimeStart'))) return required('BookingDateTimeStart')
  const people = query.get('NumOfPeople')
  if (isMissing(people)) return required('NumOfPeople')
  if (!/^[1-9]\d{0,8}$/.test(String(people))) return malformed()
  const start = readDate(call, 'BookingDateTimeStart', null)
  if (start === null) return assumedRejection(400, 'Invalid Date passed.')
  const date = localText(start, model.venue.timezone).slice(0, 10)
  if (CLOSED.includes(date.slice(5))) return respond(200, [atLeast({ isVenueOpen: false, services: [] })])
  const times = timesOf(model, date)
  const bookingId = query.get('BookingId')
  const except = bookingId ? (findBooking(model, bookingId)?.id ?? null) : null
  const services = model.venue.services.flatMap((service) => {
    const own = times.filter(({ services: running }) => running.includes(service))
    const { id, name, duration } = service
    const slots = own.map(({ at }) => slot(model, service, at, Number(people), except))
    return own.length === 0 ? [] : [atLeast({ id, name, duration, times: slots })]
  })
  return respond(200, [atLeast({ isVenueOpen: true, services })])
}

function timesOf({ venue }: Model, date: string): { readonly at: number; readonly services: readonly Service[] }[] {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const minutes = new Set(venue.services.flatMap((service) => service.minutes[weekday] ?? []))
  const noon = Date.parse(`${date}T12:00:00Z`)
  // Even on a day with a clock change, all times except those at night have the same offset as noon.
  const offset = Date.parse(`${localText(noon, venue.timezone)}Z`) - noon
  return [...minutes]
    .sort((a, b) => a - b)
    .map((minute) => ({
      at: Date.parse(`${date}T00:00:00Z`) + minute * MINUTE - offset,
      services: venue.services.filter((service) => service.minutes[weekday]?.includes(minute)),
    }))
}

function slot(model: Model, service: Service, at: number, people: number, except: string | null) {
  const offer = offersAt(model, at, people, except).find((one) => one.service === service)
  const tables = at < model.now ? [] : (offer?.tables ?? [])
  return {
    time: `${new Date(at).toISOString().slice(0, 19)}Z`,
    name: ANYTHING,
    expired: at < model.now,
    bookingOptionsCount: tables.length,
    sections: service.sectionIds.map((id) => ({ id, sectionState: tables.some(({ sectionId }) => sectionId === id) })),
  }
}

/**
 * POST /Reservations. The specification says "Creates a reservation validated against the live schedule." The order of
 * the checks is an assumption.
 */
const reserve: Rule = (call) => {
  const { model, body } = call
  if (isMissing(body.numOfPeople)) return required('numOfPeople')
  const wrong = rejectNumbers(body)
  if (wrong) return wrong
  if (isMissing(body.serviceId)) return reject(400, "A reservation request must contain 'ServiceId'")
  if (isMissing(body.sectionId)) return reject(400, "A reservation request must contain 'SectionId'")
  const { firstName, lastName, phone } = body.customer ?? {}
  if ([firstName, lastName, phone].some((one) => !one?.trim()))
    return reject(400, 'Customer FirstName, LastName and Phone are required.')
  const starts = readTime(model, body)
  if (starts === null) return invalidTime()
  // The specification says "A reservation created without a status starts as Unconfirmed." Any status that is given
  // must be valid for the venue.
  const status = body.status || 'Unconfirmed'
  if (!findStatus(model, status)) return invalidStatus(status)
  return seat(call, starts, status)
}

/** Adds a reservation if the schedule offers its time, service and tables. Otherwise, returns a rejection. */
function seat(call: Call, starts: number, status: string): ExpectedResponse {
  const { model, body } = call
  const what = `booking time '${body.bookingTimeAsUtc || body.time}' and Pax '${body.numOfPeople}'`
  const noService = () => reject(400, `No service available for ${what}`)
  const offers = starts < model.now ? [] : offersAt(model, starts, body.numOfPeople)
  const open = offers.filter(({ tables }) => tables.length > 0)
  if (open.length === 0) return noService()
  const offer = open.find(({ service }) => service.id === body.serviceId)
  if (!offer) return reject(400, `Invalid Service '${body.serviceId}'`)
  const duration = body.duration ?? offer.service.duration
  const named = readTables(model, body)
  if (!Array.isArray(named)) return named as ExpectedResponse
  const unfit = rejectNamedTables(named, body.sectionId, body.numOfPeople)
  if (unfit) return unfit
  const occupied = occupiedTables(model, starts, starts + duration * MINUTE)
  const free = offer.tables.filter(({ sectionId, id }) => sectionId === body.sectionId && !occupied.has(id))
  const tableIds = named.length > 0 ? named.map(({ id }) => id) : chosenTable(call, free)
  if (tableIds.length === 0 || tableIds.some((id) => occupied.has(id))) return noService()
  const serviceId = offer.service.id
  const booking = addBooking(call, { method: 'online', starts, duration, serviceId, status, tableIds })
  return respond(201, bookingResponse(model, booking, body.sectionId))
}

/**
 * Rejects requested tables that are in another section, do not accept reservations, or are too small or too large for
 * the party. This is an assumption.
 */
function rejectNamedTables(named: readonly Table[], sectionId: string, people: number): ExpectedResponse | null {
  const elsewhere = named.find((table) => table.sectionId !== sectionId)
  if (elsewhere) return assumedRejection(400, `Table '${elsewhere.id}' is not in section '${sectionId}'`)
  const unreservable = named.find((table) => table.walkinOnly || !table.online)
  if (unreservable) return assumedRejection(400, `Table '${unreservable.id}' takes walk-ins only`)
  if (named.length === 0) return null
  const seats = named.reduce((sum, { capacity }) => sum + capacity, 0)
  const isFit = people <= seats && named.every(({ minCapacity }) => people >= minCapacity)
  const names = named.map(({ id }) => id).join(', ')
  return isFit ? null : assumedRejection(400, `Tables '${names}' do not suit a party of ${people}`)
}

/**
 * Returns the free table that the service chose for a reservation that requests no table, or an empty list if no table
 * is free.
 */
function chosenTable({ reply }: Call, free: readonly Table[]): string[] {
  if (free.length === 0) return []
  const names = (reply.body as { readonly tableNames?: unknown } | undefined)?.tableNames
  const chosen = Array.isArray(names) && names.length === 1 ? free.find(({ name }) => name === names[0]) : undefined
  if (chosen) return [chosen.id]
  throw new Difference(
    `a table of ${free.map(({ name }) => name).join(', ')} should be chosen, but the response is ${reply.status} ${reply.text}`,
  )
}

export const SCHEDULE = {
  'reservations.create': defineRule('POST /Reservations', reserve),
  'bookings.schedule': defineRule('GET /Bookings/schedule', schedule),
} satisfies Partial<Rules>
