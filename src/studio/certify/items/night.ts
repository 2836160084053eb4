import type { JsonObject } from '../../../base/json/exact.ts'
import { DAY, HOUR, MINUTE } from '../../../sandbox/venue/time.ts'
import { SYDNEY, type Zone } from '../../../sandbox/venue/zone.ts'
import type { Bench } from '../bench/bench.ts'
import { isTo } from '../bench/wire.ts'
import type { Item, OpenBench } from '../certify.ts'

/**
 * Tests the night when clocks go back and an hour repeats. The copy must contain all of that night's bookings, and
 * their times must match the service's. If the integration uses the service's clock, polls during that night must not
 * miss any changes.
 */
export const daylightSavingNight: Item = {
  id: 'daylight-saving-night',
  name: 'Handles daylight saving changes',
  mend: "Store all cursors and time bounds in UTC. Store bookingTime as received, or convert it in the venue's time zone (PARTNER_TIMEZONE), never with a fixed offset or the machine's time zone. Identify bookings by bookingId: two may have the same local time.",
  check: async (bench, open) => {
    await checkBookingsOfNight(bench)
    await checkPollsDuringNight(open)
  },
}

async function checkBookingsOfNight(bench: Bench): Promise<void> {
  const { zone } = bench.state.store
  const changes = listClockChanges(zone, bench.venue.now)
  const [back, forward] = [findNearest(changes, -1, bench.venue.now), findNearest(changes, 1, bench.venue.now)]
  const starts = [
    ...[-90, -30, 30, 90].map((minutes) => back + minutes * MINUTE),
    ...[-30, 30].map((minutes) => forward + minutes * MINUTE),
  ]
  const answered = bench.wire.recordBookings()
  if (!(await bench.mustSucceed({ do: 'poll' }))) return
  const booked = new Map<string, number>()
  for (const at of starts) {
    const bookingId = await bench.venue.book(2, at)
    booked.set(bookingId, at)
    const local = new Date(zone.toLocal(at)).toISOString().slice(0, 16).replace('T', ' ')
    bench.note('change', `booking ${bookingId} is created for ${local} at the venue (${new Date(at).toISOString()})`)
  }
  if (!(await bench.mustSucceed({ do: 'poll' }))) return
  const problems = () => {
    const { copy } = bench
    return [...booked].flatMap(([bookingId, at]) => {
      const wire = answered.get(bookingId)
      return wire ? findTimeProblems(copy.get(bookingId), wire, at, zone) : []
    })
  }
  for (const problem of await bench.pollUntil(problems)) bench.finding(problem)
  if (bench.wire.requestsTo('GET', '/Bookings').length === 0) bench.finding('the polls requested no bookings')
}

/**
 * Compares the times on a line of the copy with the service's booking, which starts at `at` (in milliseconds since
 * 1970).
 */
function findTimeProblems(line: JsonObject | undefined, wire: JsonObject, at: number, zone: Zone): string[] {
  const [bookingId, given] = [String(wire['bookingId']), String(wire['bookingTime'])]
  if (!line) return [`the copy does not have booking ${bookingId}, whose time in the service is ${given}`]
  // A local time in the repeated hour is ambiguous, so either instant is accepted.
  const right = [at - HOUR, at, at + HOUR].filter((one) => zone.toLocal(one) === zone.toLocal(at))
  return Object.entries(line).flatMap(([member, value]) => {
    if (typeof value !== 'string' || !isOwnTime(member, wire)) return []
    const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value)
    const is = Date.parse(value)
    const isRight = isZoned ? right.includes(is) : value.replace(' ', 'T').startsWith(given.slice(0, 16))
    // Ignore unrelated times, such as when the booking was last changed. They are more than a day away from the
    // booking's time.
    const isIt = member === 'bookingTime' || (isZoned && Math.abs(is - at) < DAY)
    if (isRight || !isIt) return []
    return [`${member} of booking ${bookingId} is ${value} in the copy, but ${given} in the service`]
  })
}

/** Returns whether a member in the copy contains the booking's time, or a time that the integration derived from it. */
function isOwnTime(member: string, wire: JsonObject): boolean {
  if (member === 'bookingTime') return true
  const isTime = /start|begin|time|utc|instant/i.test(member) && !/end|fetch|sync|seen|modif|updat/i.test(member)
  return isTime && !(member in wire)
}

/**
 * Polls during the night when clocks go back. Reports nothing if the integration uses the machine's time, or if it
 * loses changes on other nights too.
 */
async function checkPollsDuringNight(open: OpenBench): Promise<void> {
  const machine = Date.now()
  const changes = listClockChanges(SYDNEY, machine)
  const back = Math.max(...changes.filter(({ by, at }) => by < 0 && at < machine - 30 * DAY).map(({ at }) => at))
  const bench = await open(back + FIRST_MINUTE * MINUTE)
  const lost = await findLostChanges(bench, back, machine)
  if (lost.length === 0) return
  const another = back + WEEK
  if ((await findLostChanges(await open(another + FIRST_MINUTE * MINUTE), another, machine)).length > 0) return
  for (const id of lost)
    bench.finding(`the copy lacks the change to booking ${id}, which was made in the repeated hour`)
}

const WEEK = 7 * DAY
const FIRST_MINUTE = -50

/**
 * Changes bookings shortly before and after an instant. Polls after each change. Returns the IDs of the bookings whose
 * changes are missing from the copy.
 */
async function findLostChanges(bench: Bench, around: number, machine: number): Promise<readonly string[]> {
  const { venue, state, wire } = bench
  const [first, second] = [await venue.book(2), await venue.book(2)]
  if ((await bench.step({ do: 'poll' })).code !== 0) return []
  const before = wire.seen.length
  const wanted = new Map<string, number>()
  for (const [minutes, bookingId, people] of [
    [-20, first, 3],
    [10, second, 4],
    [40, first, 5],
  ] as const) {
    state.changeClock((clock) => clock.set(around + minutes * MINUTE, false))
    await venue.resize(bookingId, people)
    wanted.set(bookingId, people)
    const local = new Date(state.store.zone.toLocal(venue.now)).toISOString().slice(11, 16)
    bench.note('change', `booking ${bookingId} is now for ${people} guests, at ${local} on the venue's clock`)
    if ((await bench.step({ do: 'poll' })).code !== 0 || usesMachineTime(bench, before, machine)) return []
  }
  return bench.pollUntil(() => {
    const { copy } = bench
    return [...wanted].flatMap(([id, people]) => (copy.get(id)?.['people'] === people ? [] : [id]))
  })
}

/** Returns whether the integration's time filters are closer to the machine's time than to the venue's time. */
function usesMachineTime({ wire, venue }: Bench, from: number, machine: number): boolean {
  const lists = wire.seen.slice(from).filter(({ request }) => isTo(request, 'GET', '/Bookings'))
  const filters = lists.flatMap(({ request: { url } }) =>
    ['UpdatedFromDate', 'StartDate'].flatMap((name) => url.searchParams.get(name) ?? []),
  )
  const begins = filters.map((text) => Date.parse(text))
  const distance = (to: number) => Math.min(...begins.map((at) => Math.abs(at - to)))
  return begins.length === 0 || distance(machine) < distance(venue.now)
}

/**
 * Returns all clock changes in a time zone within 400 days of an instant. `by` is the size of the change in
 * milliseconds, which is negative if clocks go back.
 */
function listClockChanges({ toLocal }: Zone, around: number) {
  const first = Math.floor((around - 400 * DAY) / HOUR) * HOUR
  const changes: { readonly at: number; readonly by: number }[] = []
  for (let at = first; at < around + 400 * DAY; at += HOUR) {
    const by = toLocal(at) - toLocal(at - HOUR) - HOUR
    if (by !== 0) changes.push({ at, by })
  }
  return changes
}

function findNearest(changes: ReturnType<typeof listClockChanges>, sign: number, to: number): number {
  const fitting = changes.filter(({ by }) => Math.sign(by) === sign).map(({ at }) => at)
  return fitting.reduce((best, at) => (Math.abs(at - to) < Math.abs(best - to) ? at : best), Number.MAX_SAFE_INTEGER)
}
