import type { JsonObject } from '../../../base/json/exact.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import { COMMON_FAILURES } from '../../../contract/failures.ts'
import { messageReply, refusalReply } from '../../../sandbox/app/replies.ts'
import { conclude } from '../../../sandbox/app/request.ts'
import type { Bench } from '../bench/bench.ts'
import type { Seen } from '../bench/wire.ts'
import type { Item } from '../certify.ts'

const COUNT = 10
/** Shorter than the sum of the waits in the specification's example. Milliseconds. */
const WINDOW_MS = 800
/** Tolerance for early timers and coarse clocks. Milliseconds. */
const EARLY_MS = 50
/** Requests this close to the first were sent before its answer. Milliseconds. */
const AT_ONCE_MS = 25
/** A random wait may be too short once or twice. */
const MOST_EARLY = 2

/** The first list of a poll is over the limit, and so are requests within the window that the answer names. */
export const keepsToRateLimit: Item = {
  id: 'keeps-to-rate-limit',
  name: 'Keeps to the rate limit (429)',
  mend: 'After a 429, send nothing to that endpoint until the window in its message is over ("… every 800 milliseconds"), or back off from 500 ms on; then go on where you were.',
  check: async (bench) => {
    const changed = await polledAndChanged(bench)
    if (changed === null) return
    let limitedAt: number | null = null
    let early = 0
    bench.wire.answerInstead('GET', '/Bookings', () => {
      const now = monotonicMs()
      if (limitedAt !== null && now - limitedAt >= WINDOW_MS - EARLY_MS) return null
      if (limitedAt === null) limitedAt = now
      else if (now - limitedAt > AT_ONCE_MS) early += 1
      const values = { count: COUNT, window: WINDOW_MS }
      return conclude(refusalReply(COMMON_FAILURES.rateLimited, values), 'over the rate limit')
    })
    const answered = bench.wire.noteBookings()
    await bench.must({ do: 'poll' })
    bench.wire.letPass()
    if (early > MOST_EARLY)
      bench.finding(`${early} requests came within the ${WINDOW_MS} ms for which the 429 asked for none`)
    checkCopy(bench, changed, answered)
  },
}

const FAILING = 3
const LEAST_WAITED_MS = 300
const LEAST_ONLY_WAIT_MS = 200
/** How much longer the last wait must be than the first, by the number of waits. */
const GROWTH = { ofTwo: 1.3, ofMore: 1.5 }
const MOST_TRIES = 10
/** Random waits may not grow once, and a busy machine may stretch one, so most of three rounds count. */
const MOST_OF_ROUNDS = 2

/** The service is down for the first three lists of a poll: the waits between the attempts count. */
export const backsOff: Item = {
  id: 'backs-off',
  name: 'Backs off when the service fails (5xx)',
  mend: 'After a 5xx to a read, try again a few times, each time after a longer wait: for example after 500 ms, 1 s and 2 s. Then give up, and let the next poll do it.',
  check: async (bench) => {
    const changed = await polledAndChanged(bench)
    if (changed === null) return
    const answered = bench.wire.noteBookings()
    const problems: string[] = []
    for (let grown = 0; grown < MOST_OF_ROUNDS && problems.length < MOST_OF_ROUNDS; ) {
      const problem = waitProblem(await triesWhileDown(bench))
      if (problem === null) grown += 1
      else problems.push(problem)
    }
    if (problems.length === MOST_OF_ROUNDS) bench.finding(problems[0] ?? '')
    if (await bench.must({ do: 'poll' })) checkCopy(bench, changed, answered)
  },
}

/** Polls once while the service is down for the first requests, and returns the times of the attempts. */
async function triesWhileDown(bench: Bench): Promise<readonly number[]> {
  const { wire } = bench
  const before = wire.to('GET', '/Bookings').length
  let failed = 0
  wire.answerInstead('GET', '/Bookings', () => {
    if (failed >= FAILING) return null
    failed += 1
    return conclude(messageReply(503, 'The service is unavailable.'), 'the service is down')
  })
  await bench.step({ do: 'poll' })
  wire.before = null
  const tries = wire.to('GET', '/Bookings').slice(before)
  // After the first answer it may request more.
  const isDown = ({ status }: Seen) => status === 503
  return tries.slice(0, tries.filter(isDown).length + 1).map(({ arrivedMs }) => arrivedMs)
}

function waitProblem(tries: readonly number[]): string | null {
  const waits = tries.slice(1).map((at, index) => Math.round(at - (tries[index] ?? at)))
  const [first = 0, ...later] = waits
  const shown = `the waits between the tries were ${waits.map((ms) => `${ms} ms`).join(', ')}`
  if (tries.length === 0) return 'the poll asked for no bookings'
  if (waits.length === 0) return 'the poll gave up after one try'
  if (tries.length > MOST_TRIES) return `the poll tried ${tries.length} times`
  if (later.length === 0) return first < LEAST_ONLY_WAIT_MS ? `${shown}: too short` : null
  if (waits.reduce((sum, ms) => sum + ms, 0) < LEAST_WAITED_MS) return `${shown}: too short`
  const growth = later.length === 1 ? GROWTH.ofTwo : GROWTH.ofMore
  return Math.max(...later) < first * growth ? `${shown}: they must grow` : null
}

/** Changes a booking after a poll. Null, recorded, when the poll failed. */
async function polledAndChanged(bench: Bench): Promise<string | null> {
  const bookingId = await bench.venue.book(2)
  if (!(await bench.must({ do: 'poll' }))) return null
  await bench.venue.resize(bookingId, 7)
  bench.note('change', `booking ${bookingId} is for 7`)
  return bookingId
}

/** Checks that the copy has the later answers. Another item checks the requests. */
function checkCopy(bench: Bench, bookingId: string, answered: ReadonlyMap<string, JsonObject>): void {
  const people = answered.get(bookingId)?.['people']
  if (answered.has(bookingId) && bench.copy.get(bookingId)?.['people'] !== people)
    bench.finding(
      `the copy does not have the change of booking ${bookingId}, which came once the service answered again`,
    )
  if (bench.wire.to('GET', '/Bookings').at(-1)?.status !== 200)
    bench.finding('the last list that was asked for never came')
}
