import { type JsonValue, jsonObjects } from '../../base/json/exact.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import { valueAt } from '../../base/json/paths.ts'
import { nearestName } from '../../client/named.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { keepRecords, orElse } from '../../terminal/input/filters/kept-records.ts'
import { customerSearch, plain } from '../../terminal/input/filters/searched-text.ts'
import { checkStatusCode } from '../../terminal/input/values/status-code.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { ifAnswered } from '../shared/look-up.ts'

/** The flags of `bookings list` that filter what the service sends. */
export const FILTERS = ['guest', 'status', 'table', 'service'] as const

/** What to look for among the bookings, as typed. */
export type BookingFilters = { readonly [F in (typeof FILTERS)[number]]?: string | undefined }

/** Asks for the bookings of the range, of a service or of all. Null in a dry run. */
type Asking = (service: string | undefined) => Promise<AsyncGenerator<readonly WireRecord[]> | null>

/** The bookings of the range that pass the filters; and what to offer when there are none. */
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
  const isGuest = guest === undefined ? () => true : customerSearch(guest)

  // The service may know its names in one spelling only.
  const inAnyCase = async () => keepRecords((await ask(undefined)) ?? sent, ofService.passes)
  const named = filters.service === undefined ? sent : orElse(sent, inAnyCase)
  // Every filter sees every booking, so that each can tell what it saw.
  const passes = (booking: JsonValue) =>
    [hasStatus.passes(booking), isGuest(valueAt(booking, 'customer')), atTable.passes(booking)].every(Boolean)
  const checkStatus = async (): Promise<readonly []> => {
    if (status !== undefined && !hasStatus.hasPassed()) await checkFilterStatus(service, status)
    return []
  }
  const isFiltered = (guest ?? status ?? filters.table) !== undefined
  const batches = isFiltered ? orElse(keepRecords(named, passes), checkStatus) : named
  return { batches, whenEmpty: () => ofService.nearest() || atTable.nearest() }
}

/** The filters in words: ` with guest "ada", status "SEATED"`. */
export function filterWords(filters: BookingFilters): string {
  const words = FILTERS.flatMap((name) => {
    const text = filters[name]
    return text === undefined ? [] : [`${name} ${JSON.stringify(shortened(text))}`]
  })
  return words.length === 0 ? '' : ` with ${words.join(', ')}`
}

const LONGEST_FILTER = 60

function shortened(text: string): string {
  return text.length > LONGEST_FILTER ? `${text.slice(0, LONGEST_FILTER)}…` : text
}

/** A test of bookings by name, which remembers the names that it saw. */
interface NameTest {
  /** Without a name to look for, every booking passes. */
  readonly passes: (booking: JsonValue) => boolean
  readonly hasPassed: () => boolean
  /** Offers the nearest of the names that were seen; '' when none is near. */
  readonly nearest: () => string
}

/** `namesOf` returns what a booking has of the kind, each with all its names; the first is the one to offer. */
function nameTest(typed: string | undefined, namesOf: (booking: JsonValue) => readonly string[][]): NameTest {
  const seen = new Set<string>()
  let hasPassed = false
  return {
    passes: (booking) => {
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
      const near = nearestName(typed, others)
      return near === null ? '' : ` Did you mean ${near}?`
    },
  }
}

/** Checks a status that no booking had against those of the venue, in any case. Fails: USAGE when it has none of them, with the nearest. */
async function checkFilterStatus(service: Service, status: string): Promise<void> {
  const statuses = await ifAnswered(service, listBookingStatuses, {})
  const known = jsonObjects(statuses).map((one) => textsAt(one, 'code', 'name'))
  if (known.length === 0 || known.flat().some((text) => same(text, status))) return
  checkStatusCode(status, statuses)
}

/** A name of this length is another one as soon as a character differs. */
const SHORT = 3

/** Whether the name is what was typed, or another of its kind: T6 is no slip of T5, nor is P5. */
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
