import { Failure, messageOf } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonObjects, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { withFinding } from '../../client/calls/failures.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { textAt } from '../shared/views/wording.ts'
import { instantOf, timeForUpdate } from './reserving/time.ts'

/** A requested change to a booking. `timezone` is the venue's time zone; `null` if it is unknown. */
export type RequestedChange = { readonly id: string; readonly body: JsonObject; readonly timezone: string | null }

/**
 * Reads a booking after the response to a change was lost. If the booking shows that the change was applied, returns
 * the booking and a description of the change. Otherwise throws `lost` with a note about what the booking shows.
 */
export async function checkLostChange(service: Service, lost: Failure, change: RequestedChange) {
  const booking = await readBooking(service, change.id).catch((error: unknown) => {
    throw withFinding(lost, `the booking could not be read: ${describeError(error)}`)
  })
  const findings = compare(change, booking)
  const differs = findings.filter(({ isApplied }) => isApplied === false)
  // The message says "so far" because the service may still be processing the change.
  if (differs.length > 0) throw withFinding(lost, `so far the booking has ${differs.map(({ has }) => has).join('; ')}`)
  const notShown = findings.filter(({ isApplied }) => isApplied === null).map(({ asked }) => asked)
  if (notShown.length > 0 || findings.length === 0)
    throw withFinding(lost, `a booking does not show ${notShown.join(', ') || 'this change'}, so it cannot be checked`)
  service.endWrite()
  return { booking, asked: findings.map(({ asked }) => asked).join(', ') }
}

/** Describes an error in partner's own words, because the service's message might not fit into a longer sentence. */
function describeError(error: unknown): string {
  if (error instanceof Failure) return error.words || `the service answered ${error.request?.status}`
  return messageOf(error)
}

async function readBooking(service: Service, id: string): Promise<JsonObject> {
  const { value, call } = await service.readAfterLoss(getBooking, { path: { id } })
  if (isJsonObject(value) && textAt(value, 'bookingId') === id) return value
  throw new Failure('SERVICE_ERROR', 'the service answered with a different booking', { request: call.request })
}

interface Finding {
  /** The requested value in words, such as `people 4`. */
  readonly asked: string
  /** Whether the booking has the requested value; `null` if bookings never contain that member. */
  readonly isApplied: boolean | null
  /** The value in the booking in words, such as `people 2, not 4`. */
  readonly has: string
}

type Check = (asked: JsonValue, booking: JsonObject, change: RequestedChange) => Finding[]

const CHECKS: Readonly<Record<string, Check>> = {
  pax: compareMember('people', 'people'),
  numOfPeople: compareMember('people', 'people'),
  status: compareMember('status', 'status.code'),
  duration: compareMember('duration', 'duration'),
  serviceId: compareMember('service', 'serviceId'),
  sectionId: checkSection,
  tables: checkTables,
  notes: (asked, { notes }) => [{ asked: 'notes', isApplied: isSame(asked, notes), has: 'other notes' }],
  customer: (asked, { customer }) => checkGuest(asked, customer, 'customer'),
  bookingTimeAsUtc: checkTime,
  time: (asked, booking, change) =>
    change.body['bookingTimeAsUtc'] === undefined ? checkTime(asked, booking, change) : [],
  // These members identify the booking or control the request. They do not change the booking, so there is nothing to
  // check.
  bookingId: () => [],
  allowTableBookingConflict: () => [],
}

function compare(change: RequestedChange, booking: JsonObject): Finding[] {
  return Object.entries(change.body).flatMap(([member, asked]) => {
    if (asked === undefined) return []
    const check = Object.hasOwn(CHECKS, member) ? CHECKS[member] : undefined
    return check?.(asked, booking, change) ?? [unseen(formatValue(member))]
  })
}

function compareMember(name: string, path: string): Check {
  return (asked, booking) => [compareValues(name, asked, valueAt(booking, path))]
}

function compareValues(name: string, asked: JsonValue, has: JsonValue | undefined, test = isSame): Finding {
  const words = `${name} ${formatValue(asked)}`
  if (has === undefined) return unseen(words)
  return { asked: words, isApplied: test(asked, has), has: `${name} ${formatValue(has)}, not ${formatValue(asked)}` }
}

function unseen(asked: string): Finding {
  return { asked, isApplied: null, has: '' }
}

/** Returns whether two values are the same text or number. A missing or `null` value counts as ''. */
function isSame(asked: JsonValue, has: JsonValue | undefined): boolean {
  const [one, other] = [numberText(asked), numberText(has)]
  return plainText(asked) === plainText(has) || (one !== null && other !== null && Number(one) === Number(other))
}

/** Compares the requested section with those of the booking's tables, because a booking has no section of its own. */
function checkSection(asked: JsonValue, booking: JsonObject): Finding[] {
  const sections = [...new Set(jsonObjects(booking['tables']).map((table) => textAt(table, 'sectionId')))]
  return [compareValues('section', asked, sections.length === 0 ? undefined : sections.join(', '))]
}

/** Compares tables, ignoring their order. A request body identifies a table by its ID, or by its section and name. */
function checkTables(asked: JsonValue, booking: JsonObject): Finding[] {
  const isNamed = jsonObjects(asked).length > 0
  const names = Array.isArray(asked)
    ? asked.map((one) => (isNamed ? joinTableName(one, 'section', 'name') : one))
    : asked
  const tables = Array.isArray(booking['tables']) ? booking['tables'] : undefined
  const has = tables?.map((one) =>
    isNamed ? joinTableName(one, 'sectionName', 'tableName') : (valueAt(one, 'tableId') ?? ''),
  )
  return [compareValues('tables', names, has, (some, others) => sorted(some) === sorted(others))]
}

function joinTableName(table: JsonValue, section: string, name: string): string {
  return `${plainText(valueAt(table, section))}/${plainText(valueAt(table, name))}`
}

function sorted(texts: JsonValue | undefined): string {
  return Array.isArray(texts) ? JSON.stringify(texts.map(plainText).sort()) : plainText(texts)
}

/**
 * Compares the guest's details. The findings name the differing members but not their values, because errors end up in
 * logs.
 */
function checkGuest(asked: JsonValue, has: JsonValue | undefined, path: string): Finding[] {
  if (has === undefined && path === 'customer') return [unseen(path)]
  if (isJsonObject(asked))
    return Object.entries(asked).flatMap(([member, value]) =>
      value === undefined ? [] : checkGuest(value, valueAt(has, member), `${path}.${formatValue(member)}`),
    )
  return [{ asked: path, isApplied: isSame(asked, has), has: `another ${path}` }]
}

function checkTime(asked: JsonValue, booking: JsonObject, { body, timezone }: RequestedChange): Finding[] {
  const has = timeForUpdate(booking['bookingTime'])
  const isOnClock = (time: JsonObject) => time['bookingTimeAsUtc'] === undefined
  // Without a time zone, a local time at the venue cannot be compared with an instant.
  const isComparable = has !== null && (timezone !== null || isOnClock(has) === isOnClock(body))
  const [one, other] = [instantOf(body, timezone), has && instantOf(has, timezone)]
  const isKnown = isComparable && one !== null && other !== null
  return [compareValues('time', asked, isKnown ? Object.values(has)[0] : undefined, () => one === other)]
}

/** Formats a value for an error message. Strings with unusual characters are quoted. */
function formatValue(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || 'none'
  const text = plainText(value)
  return /^[\p{L}\p{N}/ .:_+-]{1,60}$/u.test(text) ? text : text === '' ? 'none' : JSON.stringify(text)
}
