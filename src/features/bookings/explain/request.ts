import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import { isLocalTime, LAST_INSTANT } from '../../../base/time/calendar.ts'
import { dateIn, instantsOf } from '../../../base/time/zone.ts'
import { UTC_TIME_PATTERN } from '../../../contract/bookings/reservations.ts'
import { fillMessage } from '../../../contract/endpoint.ts'
import { COMMON_FAILURES } from '../../../contract/failures.ts'
import { MAX_INT32 } from '../../../contract/shapes/scalars.ts'
import { type Reason, reason, serviceMessage } from './reason.ts'

/** The members of a requested reservation. A missing or malformed member is `null` or an empty string. */
export type Requested = Readonly<ReturnType<typeof readRequest>['requested']>

/**
 * Reads a request body and finds the problems that do not depend on the venue, in the order that the service checks
 * them. If `mayBePartial` is true, missing members are not problems but are listed in `notChecked`.
 */
export function readRequest(body: JsonObject, timezone: string | null, mayBePartial: boolean) {
  const reasons: Reason[] = []
  const people = wholeNumber(body, 'numOfPeople', reasons)
  const minutes = wholeNumber(body, 'duration', reasons)
  const [serviceId, sectionId] = [textOrEmpty(body['serviceId']), textOrEmpty(body['sectionId'])]
  const notChecked = mayBePartial ? missingFlags(body) : []
  if (serviceId === '' && !notChecked.includes('--service'))
    reasons.push(reason('service-missing', 'no service is given', serviceMessage('serviceRequired')))
  if (sectionId === '' && !notChecked.includes('--section'))
    reasons.push(reason('section-missing', 'no section is given', serviceMessage('sectionRequired')))
  const missing = Object.entries(GUEST).filter(
    ([member, name]) =>
      textOrEmpty(valueAt(body['customer'], member)).trim() === '' && !notChecked.includes(flagOf(name)),
  )
  if (missing.length > 0) {
    const message = `the guest has no ${missing.map(([, name]) => name).join(', no ')}`
    reasons.push(reason('customer-incomplete', message, serviceMessage('customerRequired')))
  }
  const utc = textOrEmpty(body['bookingTimeAsUtc'])
  const timeSent = utc === '' ? textOrEmpty(body['time']) : utc
  const atMs = utc === '' ? localInstant(timeSent, timezone) : utcInstant(utc, timezone)
  if (atMs === null)
    reasons.push(
      reason('time-invalid', explainInvalidTime(timeSent, utc === '', timezone), serviceMessage('invalidTime')),
    )
  const tables = Array.isArray(body['tables']) ? body['tables'].map((table: JsonValue) => textOrEmpty(table)) : []
  const status = textOrEmpty(body['status'])
  return { requested: { people, atMs, timeSent, serviceId, sectionId, tables, minutes, status, notChecked }, reasons }
}

function wholeNumber(body: JsonObject, field: 'numOfPeople' | 'duration', reasons: Reason[]): number | null {
  const value = body[field]
  if (value === undefined || value === null) {
    const answer = fillMessage(COMMON_FAILURES.requiredField, { field })
    if (field === 'numOfPeople') reasons.push(reason('people-missing', 'no party size is given', answer))
    return null
  }
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_INT32) return value
  const message = `${field} must be a whole number from 1 to ${MAX_INT32}, not ${JSON.stringify(value)}`
  reasons.push(reason('number-invalid', message, null))
  return null
}

const PLACE = { serviceId: '--service', sectionId: '--section' }
const GUEST = { firstName: 'first name', lastName: 'last name', phone: 'phone' }

function flagOf(name: string): string {
  return `--${name.replace(' ', '-')}`
}

function missingFlags(body: JsonObject): string[] {
  const place = Object.entries(PLACE).filter(([member]) => (body[member] ?? null) === null)
  const guest = Object.entries(GUEST).filter(([member]) => (valueAt(body['customer'], member) ?? null) === null)
  return [...place.map(([, flag]) => flag), ...guest.map(([, name]) => flagOf(name))]
}

function utcInstant(text: string, timezone: string | null): number | null {
  const atMs = UTC_TIME_PATTERN.test(text) ? Date.parse(text) : Number.NaN
  // Date.parse turns 30 February into a day in March, so compare the result with the text. Also check the venue's local
  // date, because its year can be 10000 while the year in UTC is still 9999.
  const isReal = !Number.isNaN(atMs) && new Date(atMs).toISOString() === text.replace('Z', '.000Z')
  const isNear = isReal && atMs <= LAST_INSTANT && /^\d{4}-/.test(dateIn(atMs, timezone))
  return isNear ? atMs : null
}

function localInstant(text: string, timezone: string | null): number | null {
  return isLocalTime(text) ? (instantsOf(text.replace(' ', 'T'), timezone)[0] ?? null) : null
}

function explainInvalidTime(text: string, isLocal: boolean, timezone: string | null): string {
  if (text === '') return 'no time is given'
  if (isLocal && isLocalTime(text)) return `clocks in ${timezone ?? 'UTC'} skip ${text}`
  const form = isLocal ? 'yyyy-MM-dd HH:mm' : 'yyyy-MM-ddTHH:mm:ssZ'
  return `${JSON.stringify(text)} is not a time: it must be a valid date and time in the form ${form}`
}

function textOrEmpty(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
