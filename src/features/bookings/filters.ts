import { type JsonValue, jsonObjects } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { valueAt } from '../../base/json/paths.ts'
import { findNearestName } from '../../client/named.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { filterRecords, withFallback } from '../../terminal/input/filters/kept-records.ts'
import { customerMatcher, plain } from '../../terminal/input/filters/searched-text.ts'
import { checkStatusCode } from '../../terminal/input/values/status-code.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { lookUpOrNull } from '../shared/look-up.ts'

/** The flags of `bookings list` that filter what the service sends. */
export const FILTERS = ['guest', 'status', 'table', 'service'] as const

export type BookingFilters = { readonly [F in (typeof FILTERS)[number]]?: string | undefined }

/** Requests the bookings of the range, of one service or of all. Null in a dry run. */
type Asking = (service: string | undefined) => Promise<AsyncGenerator<readonly WireRecord[]> | null>

/** Returns the bookings of the range that pass the filters, and what to suggest if none does. */
export async function findBookings(service: Service, ask: Asking, filters: BookingFilters) {
  const { guest, status } = filters
  const sent = await ask(filters.service)
  if (sent === null) return { batches: null }
  const ofService = nameTest(filters.service, (booking) => [textsAt(booking, 'serviceName', 'serviceId')])
  const atTable = nameTest(filters.table, (booking) =>
    jsonObjects(valueAt(booking, 'tables')).map((one) => {
      const [name = '', section, id = ''] = textsAt(one, 'tableName', 'sectionName', 'tableId')
      return [name, `${section}/${name}`, id]
    }),
  )
  const hasStatus = nameTest(status, (booking) => [textsAt(booking, 'status.code', 'status.name')])
  const isGuest = guest === undefined ? () => true : customerMatcher(guest)

  // The service may compare names with their case.
  const inAnyCase = async () => filterRecords((await ask(undefined)) ?? sent, ofService.passes)
  const named = filters.service === undefined ? sent : withFallback(sent, inAnyCase)
  // Every filter sees every booking, because the suggestions need all the names.
  const passes = (booking: JsonValue) =>
    [hasStatus.passes(booking), isGuest(valueAt(booking, 'customer')), atTable.passes(booking)].every(Boolean)
  const checkStatus = async (): Promise<readonly []> => {
    if (status !== undefined && !hasStatus.hasPassed()) await checkFilterStatus(service, status)
    return []
  }
  const isFiltered = (guest ?? status ?? filters.table) !== undefined
  const batches = isFiltered ? withFallback(filterRecords(named, passes), checkStatus) : named
  return { batches, whenEmpty: () => ofService.nearest() || atTable.nearest() }
}

/** The filters in words: ` with guest "ada", status "SEATED"`. */
export function filterWords(filters: BookingFilters): string {
  const words = FILTERS.flatMap((name) => {
    const text = filters[name] ?? null
    const shown = text !== null && text.length > LONGEST_FILTER ? `${text.slice(0, LONGEST_FILTER)}…` : text
    return shown === null ? [] : [`${name} ${JSON.stringify(shown)}`]
  })
  return words.length === 0 ? '' : ` with ${words.join(', ')}`
}

const LONGEST_FILTER = 60

/** Tests bookings by name; without one, all pass. Remembers the first name of each of `namesOf`, for a suggestion. */
function nameTest(typed: string | undefined, namesOf: (booking: JsonValue) => readonly string[][]) {
  const seen = new Set<string>()
  let hasPassed = false
  return {
    passes: (booking: JsonValue) => {
      if (typed === undefined) return true
      const passes = namesOf(booking).some((names) => {
        if (names[0]) seen.add(names[0])
        return names.some((name) => same(name, typed))
      })
      hasPassed ||= passes
      return passes
    },
    hasPassed: () => hasPassed,
    nearest: () => {
      if (typed === undefined) return ''
      const others = [...seen].filter((name) => !isAnother(name, typed))
      const near = findNearestName(typed, others)
      return near === null ? '' : ` Did you mean ${near}?`
    },
  }
}

/** Checks a status that no booking had against those of the venue. Fails: USAGE with the nearest, if the venue lacks it. */
async function checkFilterStatus(service: Service, status: string): Promise<void> {
  const statuses = await lookUpOrNull(service, listBookingStatuses, {})
  const known = jsonObjects(statuses).map((one) => textsAt(one, 'code', 'name'))
  if (known.length === 0 || known.flat().some((text) => same(text, status))) return
  checkStatusCode(status, statuses)
}

/** In a name of at most this length, a different character makes another name. */
const SHORT = 3

/** Whether the name is what was typed, or another of its kind: T6 is not a typo of T5, nor is P5. */
function isAnother(name: string, typed: string): boolean {
  const [one, other] = [plain(name), plain(typed)]
  const numberless = (text: string) => text.replace(/\d/g, '#')
  return numberless(one) === numberless(other) || (other.length <= SHORT && one.length === other.length)
}

function textsAt(value: JsonValue, ...paths: readonly string[]): string[] {
  return paths.map((path) => plainText(valueAt(value, path)))
}

function same(text: string, typed: string): boolean {
  return plain(text) === plain(typed)
}
