import { Failure, messageOf } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, jsonObjects, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { withFinding } from '../../client/calls/failures.ts'
import { getBooking } from '../../contract/bookings/booking.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { textAt } from '../shared/views/wording.ts'
import { instantOf, timeForUpdate } from './reserving/time.ts'

/** A change of a booking. `timezone` is the zone of the venue; null if it is not known. */
export type AskedChange = { readonly id: string; readonly body: JsonObject; readonly timezone: string | null }

/** Reads a booking after a lost answer. Returns it, and what was asked for in words. Fails: `lost`, with findings. */
export async function settle(service: Service, lost: Failure, change: AskedChange) {
  const booking = await readBooking(service, change.id).catch((error: unknown) => {
    throw withFinding(lost, `the booking could not be read: ${reasonOf(error)}`)
  })
  const findings = compare(change, booking)
  const differs = findings.filter(({ isAsAsked }) => isAsAsked === false)
  // The service may still be working on it.
  if (differs.length > 0) throw withFinding(lost, `so far the booking has ${differs.map(({ has }) => has).join('; ')}`)
  const unseen = findings.filter(({ isAsAsked }) => isAsAsked === null).map(({ asked }) => asked)
  if (unseen.length > 0 || findings.length === 0)
    throw withFinding(lost, `a booking does not show ${unseen.join(', ') || 'this change'}, so reading it cannot tell`)
  service.endWrite()
  return { booking, asked: findings.map(({ asked }) => asked).join(', ') }
}

/** In our own words, because the service's would not fit into the sentence. */
function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.words || `the service answered ${error.request?.status}`
  return messageOf(error)
}

async function readBooking(service: Service, id: string): Promise<JsonObject> {
  const { value, call } = await service.readAfterLoss(getBooking, { path: { id } })
  if (isJsonObject(value) && textAt(value, 'bookingId') === id) return value
  throw new Failure('SERVICE_ERROR', 'the service answered with another booking', { request: call.request })
}

interface Finding {
  /** In words: `people 4`. */
  readonly asked: string
  /** Null if a booking does not show it. */
  readonly isAsAsked: boolean | null
  /** What the booking has instead, in words. */
  readonly has: string
}

type Check = (asked: JsonValue, booking: JsonObject, change: AskedChange) => Finding[]

const CHECKS: Readonly<Record<string, Check>> = {
  pax: shownAs('people', 'people'),
  numOfPeople: shownAs('people', 'people'),
  status: shownAs('status', 'status.code'),
  duration: shownAs('duration', 'duration'),
  serviceId: shownAs('service', 'serviceId'),
  sectionId: checkSection,
  tables: checkTables,
  notes: (asked, { notes }) => [{ asked: 'notes', isAsAsked: isSame(asked, notes), has: 'other notes' }],
  customer: (asked, { customer }) => checkGuest(asked, customer, 'customer'),
  bookingTimeAsUtc: checkTime,
  time: (asked, booking, change) =>
    change.body['bookingTimeAsUtc'] === undefined ? checkTime(asked, booking, change) : [],
  // These say which booking and how, and change nothing themselves.
  bookingId: () => [],
  allowTableBookingConflict: () => [],
}

function compare(change: AskedChange, booking: JsonObject): Finding[] {
  return Object.entries(change.body).flatMap(([member, asked]) => {
    if (asked === undefined) return []
    const check = Object.hasOwn(CHECKS, member) ? CHECKS[member] : undefined
    return check?.(asked, booking, change) ?? [unseen(shown(member))]
  })
}

function shownAs(name: string, path: string): Check {
  return (asked, booking) => [finding(name, asked, valueAt(booking, path))]
}

function finding(name: string, asked: JsonValue, has: JsonValue | undefined, test = isSame): Finding {
  const words = `${name} ${shown(asked)}`
  if (has === undefined) return unseen(words)
  return { asked: words, isAsAsked: test(asked, has), has: `${name} ${shown(has)}, not ${shown(asked)}` }
}

function unseen(asked: string): Finding {
  return { asked, isAsAsked: null, has: '' }
}

/** Whether both are the same text or the same number. Absent and null equal an empty text. */
function isSame(asked: JsonValue, has: JsonValue | undefined): boolean {
  const [one, other] = [numberText(asked), numberText(has)]
  return plainText(asked) === plainText(has) || (one !== null && other !== null && Number(one) === Number(other))
}

/** A booking shows its section by its tables. */
function checkSection(asked: JsonValue, booking: JsonObject): Finding[] {
  const sections = [...new Set(jsonObjects(booking['tables']).map((table) => textAt(table, 'sectionId')))]
  return [finding('section', asked, sections.length === 0 ? undefined : sections.join(', '))]
}

/** A body has tables by ID, or by section and name. Their order does not matter. */
function checkTables(asked: JsonValue, booking: JsonObject): Finding[] {
  const isNamed = jsonObjects(asked).length > 0
  const names = Array.isArray(asked) ? asked.map((one) => (isNamed ? join(one, 'section', 'name') : one)) : asked
  const tables = Array.isArray(booking['tables']) ? booking['tables'] : undefined
  const has = tables?.map((one) => (isNamed ? join(one, 'sectionName', 'tableName') : (valueAt(one, 'tableId') ?? '')))
  return [finding('tables', names, has, (some, others) => sorted(some) === sorted(others))]
}

function join(table: JsonValue, section: string, name: string): string {
  return `${plainText(valueAt(table, section))}/${plainText(valueAt(table, name))}`
}

function sorted(texts: JsonValue | undefined): string {
  return Array.isArray(texts) ? JSON.stringify(texts.map(plainText).sort()) : plainText(texts)
}

/** Names the members of a guest without their values, because errors end up in logs. */
function checkGuest(asked: JsonValue, has: JsonValue | undefined, path: string): Finding[] {
  if (has === undefined && path === 'customer') return [unseen(path)]
  if (isJsonObject(asked))
    return Object.entries(asked).flatMap(([member, value]) =>
      value === undefined ? [] : checkGuest(value, valueAt(has, member), `${path}.${shown(member)}`),
    )
  return [{ asked: path, isAsAsked: isSame(asked, has), has: `another ${path}` }]
}

function checkTime(asked: JsonValue, booking: JsonObject, { body, timezone }: AskedChange): Finding[] {
  const has = timeForUpdate(booking['bookingTime'])
  const isOnClock = (time: JsonObject) => time['bookingTimeAsUtc'] === undefined
  // Without a zone, the clock of the venue says nothing about an instant.
  const isComparable = has !== null && (timezone !== null || isOnClock(has) === isOnClock(body))
  const [one, other] = [instantOf(body, timezone), has && instantOf(has, timezone)]
  const isKnown = isComparable && one !== null && other !== null
  return [finding('time', asked, isKnown ? Object.values(has)[0] : undefined, () => one === other)]
}

/** Quotes a text unless it is harmless. */
function shown(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(shown).join(', ') || 'none'
  const text = plainText(value)
  return /^[\p{L}\p{N}/ .:_+-]{1,60}$/u.test(text) ? text : text === '' ? 'none' : JSON.stringify(text)
}
