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

/** The flags that `bookings list` uses to filter the bookings that it has received. */
export const FILTERS = ['guest', 'status', 'table', 'service'] as const

export type BookingFilters = { readonly [F in (typeof FILTERS)[number]]?: string | undefined }

/** Requests the bookings in the range, for the named service or for all services. Returns `null` in a dry run. */
type RequestBookings = (service: string | undefined) => Promise<AsyncGenerator<readonly WireRecord[]> | null>

/**
 * Returns the bookings in the range that pass the filters. Also returns a function that suggests a similar name if no
 * booking passes.
 */
export async function findBookings(service: Service, request: RequestBookings, filters: BookingFilters) {
  const { guest, status } = filters
  const sent = await request(filters.service)
  if (sent === null) return { batches: null }
  const ofService = createNameFilter(filters.service, (booking) => [textsAt(booking, 'serviceName', 'serviceId')])
  const atTable = createNameFilter(filters.table, (booking) =>
    jsonObjects(valueAt(booking, 'tables')).map((one) => {
      const [name = '', section, id = ''] = textsAt(one, 'tableName', 'sectionName', 'tableId')
      return [name, `${section}/${name}`, id]
    }),
  )
  const hasStatus = createNameFilter(status, (booking) => [textsAt(booking, 'status.code', 'status.name')])
  const isGuest = guest === undefined ? () => true : customerMatcher(guest)

  // Requests all bookings and filters them locally, because the service may compare names case-sensitively.
  const inAnyCase = async () => filterRecords((await request(undefined)) ?? sent, ofService.passes)
  const named = filters.service === undefined ? sent : withFallback(sent, inAnyCase)
  // Applies every filter even if one has already failed, because suggestions need the names in all bookings.
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

/** Describes the filters, such as ` with guest "ada", status "SEATED"`. */
export function describeFilters(filters: BookingFilters): string {
  const words = FILTERS.flatMap((name) => {
    const text = filters[name] ?? null
    const shown = text !== null && text.length > MAX_FILTER_LENGTH ? `${text.slice(0, MAX_FILTER_LENGTH)}…` : text
    return shown === null ? [] : [`${name} ${JSON.stringify(shown)}`]
  })
  return words.length === 0 ? '' : ` with ${words.join(', ')}`
}

const MAX_FILTER_LENGTH = 60

/**
 * Creates a filter that compares names. The filter remembers all names in the bookings, so that it can suggest one that is similar
 * to the typed name. If no name was typed, every booking passes.
 */
function createNameFilter(typed: string | undefined, namesOf: (booking: JsonValue) => readonly string[][]) {
  const seen = new Set<string>()
  let hasPassed = false
  return {
    passes: (booking: JsonValue) => {
      if (typed === undefined) return true
      const passes = namesOf(booking).some((names) => {
        if (names[0]) seen.add(names[0])
        return names.some((name) => isSameName(name, typed))
      })
      hasPassed ||= passes
      return passes
    },
    hasPassed: () => hasPassed,
    nearest: () => {
      if (typed === undefined) return ''
      const others = [...seen].filter((name) => !isNotTypo(name, typed))
      const near = findNearestName(typed, others)
      return near === null ? '' : ` Did you mean ${near}?`
    },
  }
}

/** Throws USAGE if the venue does not have the given status. The error names the most similar status. */
async function checkFilterStatus(service: Service, status: string): Promise<void> {
  const statuses = await lookUpOrNull(service, listBookingStatuses, {})
  const known = jsonObjects(statuses).map((one) => textsAt(one, 'code', 'name'))
  if (known.length === 0 || known.flat().some((text) => isSameName(text, status))) return
  checkStatusCode(status, statuses)
}

/** The maximum length of a short name. Two short names of the same length are not considered typos of each other. */
const MAX_SHORT_NAME = 3

/**
 * Returns whether to exclude a name from the suggestions, because it equals the typed name or is probably not what the
 * user meant. For example, T6 and P5 are not typos of T5.
 */
function isNotTypo(name: string, typed: string): boolean {
  const [one, other] = [plain(name), plain(typed)]
  const numberless = (text: string) => text.replace(/\d/g, '#')
  return numberless(one) === numberless(other) || (other.length <= MAX_SHORT_NAME && one.length === other.length)
}

function textsAt(value: JsonValue, ...paths: readonly string[]): string[] {
  return paths.map((path) => plainText(valueAt(value, path)))
}

function isSameName(text: string, typed: string): boolean {
  return plain(text) === plain(typed)
}
