import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { nearestNamed, shownNamed } from '../../../client/named.ts'
import { answerAtTime, findMeant, type LooksUp, nearWords, type Occasion } from './asked.ts'
import { clockText, type Reason, whenText } from './reason.ts'
import type { Offer, OfferedTime, ScheduleSeen } from './venue.ts'

/** A service that was asked for: what is meant, and what is wrong with it. */
export interface FoundService {
  /** As it is on that day; null: it is not. */
  readonly offer: Offer | null
  /** The one that is meant, on whatever day; of a name that is mistyped the nearest. Null: there is none. */
  readonly meant: Offer | null
  readonly reasons: readonly Reason[]
}

/**
 * Finds the service that is meant on its day. `week`: the schedule of the days around, asked for only when the day does not have it.
 * Fails: USAGE for a name that several have, where a name may be given.
 */
export async function findService(
  occasion: Occasion,
  day: ScheduleSeen,
  { looksUp, week }: { readonly looksUp: LooksUp; readonly week: () => Promise<ScheduleSeen> },
): Promise<FoundService> {
  const { serviceId, atMs, timezone } = occasion
  if (serviceId === '') return { offer: null, meant: null, reasons: [] }
  const answer = answerAtTime(occasion, day)
  const closed = closedDay(occasion, day, answer)
  const here = findMeant(serviceId, '--service', day.offers, looksUp)
  const there = here ?? findMeant(serviceId, '--service', (await week()).offers, looksUp)
  const reasons = [...closed]
  if (there === null) {
    const all = [...day.offers, ...(await week()).offers]
    const message = `there is no service ${JSON.stringify(serviceId)}${nearWords(serviceId, all)}`
    reasons.push({ code: 'service-unknown', message, answer })
    const near = nearestNamed(serviceId, all)
    return { offer: null, meant: all.find(({ id }) => id === near?.id) ?? null, reasons }
  }
  if (there.isName && !looksUp)
    reasons.push({
      code: 'service-name',
      message: `serviceId must be an ID, and ${JSON.stringify(serviceId)} is a name: it is ${there.found.id}`,
      answer,
    })
  if (here === null && closed.length === 0) {
    const days = daysOf(there.found, timezone)
    const when = `${shownNamed(there.found)} is not offered on ${dayText(atMs, timezone)}`
    reasons.push({ code: 'service-not-that-day', message: `${when}; it is on ${days}`, answer })
  }
  return { offer: here?.found ?? null, meant: there.found, reasons }
}

/** Says that the venue is closed on the day of a request; nothing when it is open. */
export function closedDay({ atMs, timezone }: Occasion, day: ScheduleSeen, answer: string): Reason[] {
  if (!day.isClosed) return []
  const why = day.message === '' ? '' : `: ${day.message}`
  return [{ code: 'venue-closed', message: `the venue is closed on ${dayText(atMs, timezone)}${why}`, answer }]
}

/** What is wrong with the time of a request, given its service. The time itself is given too, where the service has it. */
export function checkTime(
  occasion: Occasion,
  offer: Offer,
  day: ScheduleSeen,
  nowMs: number,
): { readonly slot: OfferedTime | null; readonly reasons: readonly Reason[] } {
  const { atMs, timezone } = occasion
  const answer = answerAtTime(occasion, day)
  const slot = offer.times.find((time) => time.atMs === atMs) ?? null
  const reasons: Reason[] = []
  if (slot?.isPast || (slot === null && isPast(atMs, day, nowMs)))
    reasons.push({ code: 'time-past', message: `${whenText(atMs, timezone)} is past`, answer })
  if (slot === null) reasons.push(offTheGrid(occasion, offer, answer))
  return { slot, reasons }
}

/** By the service's clock, where it tells: no time of the day that is later has passed. */
export function isPast(atMs: number, { offers }: ScheduleSeen, nowMs: number): boolean {
  const times = offers.flatMap((offer) => offer.times)
  if (times.length === 0) return atMs < nowMs
  return times.some((time) => time.isPast && time.atMs >= atMs)
}

function offTheGrid({ atMs, timezone }: Occasion, offer: Offer, answer: string): Reason {
  const times = offer.times.map((time) => time.atMs).toSorted((a, b) => a - b)
  const [first = atMs, last = first] = [times[0], times.at(-1)]
  const name = shownNamed(offer)
  const at = clockText(atMs, timezone)
  const span = `from ${clockText(first, timezone)} to ${clockText(last, timezone)}`
  if (times.length === 0)
    return { code: 'time-outside-service', message: `${name} has no times on ${dayText(atMs, timezone)}`, answer }
  if (atMs < first || atMs > last)
    return { code: 'time-outside-service', message: `${name} takes bookings ${span}, and not at ${at}`, answer }
  const before = times.findLast((time) => time < atMs) ?? first
  const after = times.find((time) => time > atMs) ?? last
  const beside = `${clockText(before, timezone)} and ${clockText(after, timezone)}`
  return { code: 'time-off-grid', message: `${at} is no time of ${name}: beside it are ${beside}`, answer }
}

function dayText(atMs: number, timezone: string | null): string {
  return whenText(atMs, timezone).slice(0, 'Fri yyyy-MM-dd'.length)
}

function daysOf({ times }: Offer, timezone: string | null): string {
  const dates = [...new Set(times.map(({ atMs }) => dateIn(atMs, timezone)))]
  const shown = dates.slice(0, 3).map((date) => `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`)
  return `${shown.join(', ')}${dates.length > shown.length ? ', …' : ''}`
}
