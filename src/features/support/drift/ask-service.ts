import type { FailureCode } from '../../../base/failure/exit-codes.ts'
import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonValue } from '../../../base/json/exact.ts'
import type { Variables } from '../../../base/storage/directories.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import type { CallInput } from '../../../client/calls/prepare.ts'
import { send } from '../../../client/calls/send.ts'
import type { Session } from '../../../client/session.ts'
import { foldAnswer, recordsIn } from '../../../contract/answers/fold.ts'
import { BodyStart } from '../../../contract/answers/sample.ts'
import type { Shapes } from '../../../contract/answers/shape.ts'
import { getSchedule, listTables } from '../../../contract/bookings/availability.ts'
import { getBooking, listBookings } from '../../../contract/bookings/booking.ts'
import { listBookingStatuses } from '../../../contract/bookings/statuses.ts'
import { listCustomers } from '../../../contract/customers.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { getGiftCard, listGiftCards } from '../../../contract/giftcards.ts'
import { listSales } from '../../../contract/sales.ts'
import { getExpectedAnswers } from '../../../contract/shapes/expected.ts'
import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'
import { getWebhook, listWebhooks } from '../../../contract/webhooks.ts'
import { type FailedRequest, judgeAnswers, type SavedReport } from './report.ts'

const PAGE = 20
/** The maximum numbers of bookings and gift cards to read by ID. */
const MAX_BOOKINGS = 5
const MAX_CARDS = 3

/** The codes of failures that would also affect all other requests. */
const FATAL_CODES: readonly FailureCode[] = [
  ...(['UNAUTHORIZED', 'UNKNOWN_APP', 'VENUE_NOT_LINKED', 'NETWORK_ERROR', 'TIMEOUT'] as const),
  ...(['NO_PROFILE', 'USAGE', 'INTERRUPTED'] as const),
]

/**
 * Reads from a service. Compares the responses and the recorded shapes with the contract. Throws if the service cannot
 * be reached or rejects all requests.
 */
export async function findDrift(
  session: Session,
  { env, now }: { readonly env: Variables; readonly now: () => number },
  forget = false,
): Promise<SavedReport> {
  const { service, caller, shape } = session
  const asked = await askService(session, now())
  return judgeAnswers({
    ...{ env, nowMs: now(), service, profile: caller.profile, dialect: shape },
    ...{ ...asked, recorded: forget ? 'deleted' : 'included' },
  })
}

/**
 * Reads each list once and then a few of its records. Keeps only the shapes of the responses. Rethrows a request's
 * error if it would affect all other requests too.
 */
async function askService(session: Session, nowMs: number) {
  const asking = new ShapeCollector(session)
  const at = (days: number) => new Date(nowMs + days * DAY_MS).toISOString()
  await asking.ask(listBookingStatuses, {})
  const bookings = await asking.ask(listBookings, {
    query: { StartDate: at(-7), EndDate: at(7), IncludeCustomerDetails: true },
  })
  for (const id of mostCompleteIds(bookings, 'bookingId', MAX_BOOKINGS)) await asking.ask(getBooking, { path: { id } })
  await asking.ask(getSchedule, { query: { BookingDateTimeStart: at(1), NumOfPeople: 2 } })
  await asking.ask(listTables, { query: { Date: at(1).slice(0, 10) } })
  await asking.ask(listCustomers, { query: { Limit: PAGE, StartIndex: 0 } })
  const cards = await asking.ask(listGiftCards, {
    query: { Limit: PAGE, StartIndex: 0, IncludeCancelled: true, IncludeRedeemed: true, IncludeExpired: true },
  })
  for (const cardNumber of mostCompleteIds(cards, 'cardNumber', MAX_CARDS))
    await asking.ask(getGiftCard, { path: { cardNumber } })
  await asking.ask(listSales, { query: { StartDate: at(-30), EndDate: at(0), Limit: PAGE, StartIndex: 0 } })
  const webhooks = await asking.ask(listWebhooks, {})
  for (const event of mostCompleteIds(webhooks, 'event', 1)) await asking.ask(getWebhook, { path: { event } })
  return asking.end()
}

/** Sends the requests of one run and collects the failures and the responses' shapes. */
class ShapeCollector {
  readonly #session: Session
  readonly #shapes: Shapes = {}
  readonly #troubles: FailedRequest[] = []
  #lastFailure: Failure | null = null

  constructor(session: Session) {
    this.#session = session
  }

  /**
   * Calls an endpoint. Returns the records if the response is a list, or `[]` otherwise. Throws a failure only if it
   * would affect all other requests too.
   */
  async ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<readonly JsonValue[]> {
    const due = (await getExpectedAnswers()).find(({ id }) => id === endpoint.id)
    if (!due) return []
    try {
      const { reply } = await send(this.#session.caller, endpoint, input, { stream: true })
      const start = new BodyStart()
      let isWhole = true
      for await (const chunk of reply.body ?? []) {
        start.add(chunk)
        if (!start.isCut) continue
        isWhole = false
        break
      }
      const sample = start.sample(isWhole)
      foldAnswer(this.#shapes, due, sample)
      return sample === null || !endpoint.list ? [] : recordsIn(sample.value, endpoint.list.member)
    } catch (error) {
      if (!(error instanceof Failure) || FATAL_CODES.includes(error.code)) throw error
      this.#lastFailure = error
      this.#troubles.push({ endpoint: `${endpoint.method} ${endpoint.path}`, message: error.message })
      return []
    }
  }

  end() {
    if (this.#lastFailure !== null && Object.keys(this.#shapes).length === 0) throw this.#lastFailure
    return { shapes: this.#shapes, troubles: this.#troubles }
  }
}

/**
 * Returns the IDs of up to `most` records that together have the most non-empty members. Empty members do not reveal
 * the form of their values. Omits IDs that cannot be part of a path.
 */
function mostCompleteIds(records: readonly JsonValue[], idMember: string, most: number): string[] {
  const left = records.flatMap((record) => {
    const id = isJsonObject(record) ? record[idMember] : null
    return typeof id === 'string' ? [{ id, filled: new Set(filledPaths(record)) }] : []
  })
  const told = new Set<string>()
  const chosen: string[] = []
  while (chosen.length < most) {
    let best: (typeof left)[number] | null = null
    let bestGain = 0
    for (const one of left) {
      const gain = [...one.filled].filter((path) => !told.has(path)).length
      if (gain > bestGain) [best, bestGain] = [one, gain]
    }
    if (best === null) break
    chosen.push(best.id)
    for (const path of best.filled) told.add(path)
  }
  return chosen.filter((id) => PATH_ID_PATTERN.test(id))
}

/** The maximum length of a member path, in characters. All documented paths are shorter. */
const MAX_PATH_LENGTH = 200

/** Returns the paths of all non-empty members. */
function filledPaths(value: JsonValue, path = ''): string[] {
  if (path.length > MAX_PATH_LENGTH || value === null || value === '') return []
  if (Array.isArray(value)) return value.flatMap((one) => filledPaths(one, `${path}[]`))
  if (!isJsonObject(value)) return [path]
  return Object.entries(value).flatMap(([name, member]) => filledPaths(member ?? null, `${path}.${name}`))
}
