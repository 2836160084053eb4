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
import { expectedAnswers } from '../../../contract/shapes/expected.ts'
import { PATH_ID_PATTERN } from '../../../contract/shapes/scalars.ts'
import { getWebhook, listWebhooks } from '../../../contract/webhooks.ts'
import { type Judged, judgeAnswers, type Trouble } from './report.ts'

/** How many records a page is asked for. */
const PAGE = 20
/** How many records are asked for by their ID. */
const MOST_BOOKINGS = 5
const MOST_CARDS = 3

/** Of each, all other requests would end the same. */
const ENDS_ALL: readonly FailureCode[] = [
  ...(['UNAUTHORIZED', 'UNKNOWN_APP', 'VENUE_NOT_LINKED', 'NETWORK_ERROR', 'TIMEOUT'] as const),
  ...(['NO_PROFILE', 'USAGE', 'INTERRUPTED'] as const),
]

/** Asks the service of a session, and judges its answers together with what was recorded. Fails: as `askService`, `judgeAnswers`. */
export async function lookForDrift(
  session: Session,
  { env, now }: { readonly env: Variables; readonly now: () => number },
  forget = false,
): Promise<Judged> {
  const { service, caller, shape } = session
  const asked = await askService(session, now())
  return judgeAnswers({
    ...{ env, nowMs: now(), service, profile: caller.profile, dialect: shape },
    ...{ ...asked, withRecorded: true, forget },
  })
}

/**
 * Asks a service once for each list, and for a few of the records in it; nothing is changed, and nothing but the shape of the
 * answers is kept. Fails: as `send`, when the service cannot be reached at all, or refuses everything.
 */
async function askService(session: Session, nowMs: number) {
  const asking = new Asking(session)
  const at = (days: number) => new Date(nowMs + days * DAY_MS).toISOString()
  await asking.ask(listBookingStatuses, {})
  const bookings = await asking.ask(listBookings, {
    query: { StartDate: at(-7), EndDate: at(7), IncludeCustomerDetails: true },
  })
  for (const id of asking.idsOf(bookings, 'bookingId', MOST_BOOKINGS)) await asking.ask(getBooking, { path: { id } })
  await asking.ask(getSchedule, { query: { BookingDateTimeStart: at(1), NumOfPeople: 2 } })
  await asking.ask(listTables, { query: { Date: at(1).slice(0, 10) } })
  await asking.ask(listCustomers, { query: { Limit: PAGE, StartIndex: 0 } })
  const cards = await asking.ask(listGiftCards, {
    query: { Limit: PAGE, StartIndex: 0, IncludeCancelled: true, IncludeRedeemed: true, IncludeExpired: true },
  })
  for (const cardNumber of asking.idsOf(cards, 'cardNumber', MOST_CARDS))
    await asking.ask(getGiftCard, { path: { cardNumber } })
  await asking.ask(listSales, { query: { StartDate: at(-30), EndDate: at(0), Limit: PAGE, StartIndex: 0 } })
  const webhooks = await asking.ask(listWebhooks, {})
  for (const event of asking.idsOf(webhooks, 'event', 1)) await asking.ask(getWebhook, { path: { event } })
  return asking.end()
}

/** Asks one thing after the other, and folds the answers. */
class Asking {
  readonly #session: Session
  readonly #shapes: Shapes = {}
  readonly #troubles: Trouble[] = []
  #lastFailure: Failure | null = null

  constructor(session: Session) {
    this.#session = session
  }

  /** Asks once; gives the records of a list. Fails: as `send`, with what would end every request. */
  async ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<readonly JsonValue[]> {
    const due = (await expectedAnswers()).find(({ id }) => id === endpoint.id)
    if (!due) return []
    try {
      const { reply } = await send(this.#session.caller, endpoint, input, { stream: true })
      const start = new BodyStart()
      let isWhole = true
      for await (const chunk of reply.body ?? []) {
        start.take(chunk)
        if (!start.isCut) continue
        isWhole = false
        break
      }
      const sample = start.sample(isWhole)
      foldAnswer(this.#shapes, due, sample)
      return sample === null || !endpoint.list ? [] : recordsIn(sample.value, endpoint.list.member)
    } catch (error) {
      if (!(error instanceof Failure) || ENDS_ALL.includes(error.code)) throw error
      this.#lastFailure = error
      this.#troubles.push({ endpoint: `${endpoint.method} ${endpoint.path}`, message: error.message })
      return []
    }
  }

  /** The IDs of a few records that show the most, as far as they can stand in a path. */
  idsOf(records: readonly JsonValue[], member: string, most: number): string[] {
    return tellingIds(records, member, most).filter((id) => PATH_ID_PATTERN.test(id))
  }

  end() {
    if (this.#lastFailure !== null && Object.keys(this.#shapes).length === 0) throw this.#lastFailure
    return { shapes: this.#shapes, troubles: this.#troubles }
  }
}

/**
 * Chooses the few records of a list that together have most of their members filled in, and gives their IDs: with so few requests,
 * an empty member shows nothing.
 */
function tellingIds(records: readonly JsonValue[], idMember: string, most: number): string[] {
  const left = records.flatMap((record) => {
    const id = isJsonObject(record) ? record[idMember] : null
    return typeof id === 'string' ? [{ id, filled: filledPaths(record) }] : []
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
  return chosen
}

/** No record of ours is nested deeper. */
const MOST_DOTS = 200

/** The paths of all members that hold something. */
function filledPaths(value: JsonValue, path = '', into: Set<string> = new Set()): Set<string> {
  if (path.length > MOST_DOTS) return into
  if (Array.isArray(value)) for (const one of value) filledPaths(one, `${path}[]`, into)
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value)) filledPaths(member ?? null, `${path}.${name}`, into)
  else if (value !== null && value !== '') into.add(path)
  return into
}
