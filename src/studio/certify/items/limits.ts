import type { JsonObject } from '../../../base/json/exact.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { COMMON_FAILURES } from '../../../contract/failures.ts'
import { messageReply, refusalReply } from '../../../sandbox/app/replies.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { SeenRequest } from '../bench/wire.ts'
import type { Item } from '../certify.ts'

const COUNT = 10
/**
 * The length of the rate-limit window, in milliseconds. It is shorter than the total wait in the specification's
 * example.
 */
const WINDOW_MS = 800
/** The tolerance, in milliseconds, for timers that fire early and for inaccurate clocks. */
const EARLY_MS = 50
/**
 * A request that arrives within this many milliseconds of the first one must have been sent before the first response
 * arrived.
 */
const AT_ONCE_MS = 25
/** The number of early requests to tolerate. Waits with random jitter may occasionally be too short. */
const MAX_EARLY = 2

/** Responds with a 429 to a poll's list requests until the window stated in the first 429 has ended. */
export const keepsToRateLimit: Item = {
  id: 'keeps-to-rate-limit',
  name: 'Respects the rate limit (429)',
  mend: 'After a 429, send nothing to that endpoint until the window that its message names is over ("… every 800 milliseconds"), or back off, starting with 500 ms. Then continue where you stopped.',
  check: async (bench) => {
    const changed = await pollThenChange(bench)
    if (changed === null) return
    let limitedAt: number | null = null
    let early = 0
    bench.wire.intercept('GET', '/Bookings', () => {
      const now = monotonicMs()
      if (limitedAt !== null && now - limitedAt >= WINDOW_MS - EARLY_MS) return null
      if (limitedAt === null) limitedAt = now
      else if (now - limitedAt > AT_ONCE_MS) early += 1
      const values = { count: COUNT, window: WINDOW_MS }
      return conclude(refusalReply(COMMON_FAILURES.rateLimited, values), 'over the rate limit')
    })
    const answered = bench.wire.recordBookings()
    await bench.mustSucceed({ do: 'poll' })
    bench.wire.stopIntercepting()
    if (early > MAX_EARLY)
      bench.finding(`${early} requests arrived before the rate-limit window of ${WINDOW_MS} ms had ended`)
    checkCopy(bench, changed, answered)
  },
}

const FAILING = 3
const LEAST_WAITED_MS = 300
const LEAST_ONLY_WAIT_MS = 200
/** The minimum ratio of the longest later wait to the first wait. `ofTwo` applies if there are only two waits. */
const GROWTH = { ofTwo: 1.3, ofMore: 1.5 }
const MAX_TRIES = 10
/**
 * The number of rounds that must agree before the item is decided. A single round could be distorted by chance or by a
 * busy machine.
 */
const DECIDING_ROUNDS = 2

/** Responds with a 503 to a poll's first three list requests. Checks how long the poll waits between its attempts. */
export const backsOff: Item = {
  id: 'backs-off',
  name: 'Backs off when the service fails (5xx)',
  mend: 'If a read fails with a 5xx, retry it a few times with increasing delays (for example 500 ms, 1 s and 2 s), then give up and leave it to the next poll.',
  check: async (bench) => {
    const changed = await pollThenChange(bench)
    if (changed === null) return
    const answered = bench.wire.recordBookings()
    const problems: string[] = []
    for (let grown = 0; grown < DECIDING_ROUNDS && problems.length < DECIDING_ROUNDS; ) {
      const problem = findWaitProblem(await pollWhileDown(bench))
      if (problem === null) grown += 1
      else problems.push(problem)
    }
    if (problems.length === DECIDING_ROUNDS) bench.finding(problems[0] ?? '')
    if (await bench.mustSucceed({ do: 'poll' })) checkCopy(bench, changed, answered)
  },
}

/** Polls once while the service responds with a 503 to the first few requests. Returns the times of the attempts. */
async function pollWhileDown(bench: Bench): Promise<readonly number[]> {
  const { wire } = bench
  const before = wire.requestsTo('GET', '/Bookings').length
  let failed = 0
  wire.intercept('GET', '/Bookings', () => {
    if (failed >= FAILING) return null
    failed += 1
    return conclude(messageReply(503, 'The service is unavailable.'), 'the service is down')
  })
  await bench.step({ do: 'poll' })
  wire.before = null
  const tries = wire.requestsTo('GET', '/Bookings').slice(before)
  // Requests after the first success are not retries.
  const isDown = ({ status }: SeenRequest) => status === 503
  return tries.slice(0, tries.filter(isDown).length + 1).map(({ arrivedMs }) => arrivedMs)
}

function findWaitProblem(tries: readonly number[]): string | null {
  const waits = tries.slice(1).map((at, index) => Math.round(at - (tries[index] ?? at)))
  const [first = 0, ...later] = waits
  const shown = `the waits between the attempts were ${waits.map((ms) => `${ms} ms`).join(', ')}`
  if (tries.length === 0) return 'the poll requested no bookings'
  if (waits.length === 0) return 'the poll gave up after one attempt'
  if (tries.length > MAX_TRIES) return `the poll made ${tries.length} attempts`
  if (later.length === 0) return first < LEAST_ONLY_WAIT_MS ? `${shown}: too short` : null
  if (waits.reduce((sum, ms) => sum + ms, 0) < LEAST_WAITED_MS) return `${shown}: too short`
  const growth = later.length === 1 ? GROWTH.ofTwo : GROWTH.ofMore
  return Math.max(...later) < first * growth ? `${shown}: they must grow` : null
}

/** Polls, changes a booking, and returns the booking's ID. If the poll fails, records a finding and returns `null`. */
async function pollThenChange(bench: Bench): Promise<string | null> {
  const bookingId = await bench.venue.book(2)
  if (!(await bench.mustSucceed({ do: 'poll' }))) return null
  await bench.venue.resize(bookingId, 7)
  bench.note('change', `booking ${bookingId} is now for 7 guests`)
  return bookingId
}

/**
 * Checks that the copy has the booking as the service last sent it, and that the last list request succeeded. Another
 * item checks that polls request the right bookings.
 */
function checkCopy(bench: Bench, bookingId: string, answered: ReadonlyMap<string, JsonObject>): void {
  const people = answered.get(bookingId)?.['people']
  if (answered.has(bookingId) && bench.copy.get(bookingId)?.['people'] !== people)
    bench.finding(
      `the copy lacks the change to booking ${bookingId}, although a list that the service sent contains it`,
    )
  if (bench.wire.requestsTo('GET', '/Bookings').at(-1)?.status !== 200)
    bench.finding('the last request for a list of bookings failed')
}
