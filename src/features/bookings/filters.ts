import { type JsonValue, jsonObjects } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { nearestName } from '../../client/named.ts'
import { listBookingStatuses } from '../../contract/bookings/statuses.ts'
import { customerSearch, plain } from '../../terminal/input/filters/searched-text.ts'
import { checkStatusCode } from '../../terminal/input/values/status-code.ts'
import { plainText } from '../../terminal/render/text/plain-text.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { ifAnswered } from '../shared/look-up.ts'

/** What is looked for among the bookings that came. */
export interface BookingFilters {
  readonly guest?: string | undefined
  readonly status?: string | undefined
  readonly table?: string | undefined
}

/** A test of bookings, which remembers what it saw. */
export interface BookingTest {
  readonly passes: (booking: JsonValue) => boolean
  /** The names that a booking had in place of the one that was looked for; the nearest is offered when none has it. */
  readonly seen: ReadonlySet<string>
}

/** Makes the test of all filters; a booking must pass each that is given. */
export function filterTest({
  guest,
  status,
  table,
}: BookingFilters): BookingTest & { readonly sawStatus: () => boolean } {
  const isGuest = guest === undefined ? null : customerSearch(guest)
  const atTable = table === undefined ? null : tableTest(table)
  let sawStatus = false
  const hasStatus = (booking: JsonValue) => {
    if (status === undefined) return true
    const isIt = [valueAt(booking, 'status.code'), valueAt(booking, 'status.name')].some((text) => same(text, status))
    sawStatus ||= isIt
    return isIt
  }
  return {
    passes: (booking) => {
      const passes = [
        hasStatus(booking),
        isGuest?.(valueAt(booking, 'customer')) ?? true,
        atTable?.passes(booking) ?? true,
      ]
      return passes.every(Boolean)
    },
    seen: atTable?.seen ?? new Set(),
    sawStatus: () => sawStatus,
  }
}

/** Checks a status that no booking had against those of the venue, in any case. Fails: USAGE when it has none of them, with the nearest. */
export async function checkFilterStatus(service: Service, status: string): Promise<void> {
  const statuses = await ifAnswered(service, listBookingStatuses, {})
  const known = jsonObjects(statuses)
  if (known.length === 0 || known.some((one) => same(one['code'], status) || same(one['name'], status))) return
  checkStatusCode(status, statuses)
}

/** Makes a test for a service, by name or by ID, whatever the case. */
export function serviceTest(service: string): BookingTest {
  const seen = new Set<string>()
  return {
    seen,
    passes: (booking) => {
      const name = plainText(valueAt(booking, 'serviceName'))
      if (name !== '') seen.add(name)
      return same(name, service) || same(valueAt(booking, 'serviceId'), service)
    },
  }
}

/** Offers the nearest of the names that were seen; '' when none is near. */
export function didYouMean(typed: string, seen: ReadonlySet<string>): string {
  const near = nearestName(
    typed,
    [...seen].filter((name) => !isAnother(name, typed)),
  )
  return near === null ? '' : ` Did you mean ${near}?`
}

/** A name of this length is another one as soon as a character differs. */
const SHORT = 3

/** Whether the name is what was typed, or another of its kind: T6 is no slip of T5, nor is P5. */
function isAnother(name: string, typed: string): boolean {
  const [one, other] = [plain(name), plain(typed)]
  const numberless = (text: string) => text.replace(/\d/g, '#')
  return numberless(one) === numberless(other) || (other.length <= SHORT && one.length === other.length)
}

/** `T5`, or `Main Dining/T5`. */
function tableTest(table: string): BookingTest {
  const seen = new Set<string>()
  return {
    seen,
    passes: (booking) =>
      jsonObjects(valueAt(booking, 'tables')).some((one) => {
        const name = plainText(one['tableName'])
        seen.add(name)
        const texts = [name, `${plainText(one['sectionName'])}/${name}`, plainText(one['tableId'])]
        return texts.some((text) => same(text, table))
      }),
  }
}

function same(text: JsonValue | undefined, typed: string): boolean {
  return plain(plainText(text)) === plain(typed)
}
