import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { findNearestNamed, formatNamed } from '../../../client/named.ts'
import { type Offer, suggestNearest } from '../../shared/venue.ts'
import type { Look } from './look.ts'
import { openAt, tablesOf, tooManyForAll, whyFull } from './place.ts'
import { findMeant, type LooksUp, type Reason, reason } from './reason.ts'

/** Finds the service on that day (`offer`), and on any day or the nearest by name (`meant`). Fails: USAGE. */
export async function findService(look: Look, looksUp: LooksUp) {
  const { day, notThen: answer } = look
  const { serviceId } = look.asked
  if (serviceId === '') return { offer: null, meant: null, reasons: [] }
  const closed = closedDay(look, answer)
  const here = findMeant(serviceId, '--service', day.offers, looksUp)
  const there = here ?? findMeant(serviceId, '--service', (await look.week()).offers, looksUp)
  const reasons = [...closed]
  if (there === null) {
    const all = [...day.offers, ...(await look.week()).offers]
    const message = `there is no service ${JSON.stringify(serviceId)}${suggestNearest(serviceId, all)}`
    reasons.push(reason('service-unknown', message, answer))
    return { offer: null, meant: findNearestNamed(serviceId, all), reasons }
  }
  const { found, isName } = there
  if (isName && !looksUp) {
    const message = `serviceId must be an ID, and ${JSON.stringify(serviceId)} is a name: it is ${found.id}`
    reasons.push(reason('service-name', message, answer))
  }
  if (here === null && closed.length === 0) {
    const message = `${formatNamed(found)} is not offered on ${look.date}; it is on ${daysOf(found, look.timezone)}`
    reasons.push(reason('service-not-that-day', message, answer))
  }
  return { offer: here?.found ?? null, meant: found, reasons }
}

/** Says what is wrong with the time of a request in its service, and why the party has no room then. */
export async function checkTime(look: Look, offer: Offer): Promise<readonly Reason[]> {
  const { notThen: answer } = look
  const slot = offer.times.find(({ atMs }) => atMs === look.asked.atMs)
  const reasons: Reason[] = []
  if (slot?.isPast || (!slot && isPast(look))) reasons.push(reason('time-past', `${look.when} is past`, answer))
  if (!slot) reasons.push(offTheGrid(look, offer, answer))
  const sections = offer.sections.map(({ id }) => id)
  if (slot && !slot.isPast && !slot.isFree) {
    const free = await look.free(look.minutesIn(offer))
    return [...reasons, whyFull(look, tablesOf(free, sections), formatNamed(offer), answer)]
  }
  if (offer.times.some(({ isFree }) => isFree)) return reasons
  return [...reasons, ...tooManyForAll(look, tablesOf(await look.all(), sections), formatNamed(offer), answer)]
}

/** Says why no service would accept a request that leaves the service open; empty if one has room. */
export async function checkAnyService(look: Look): Promise<readonly Reason[]> {
  const { day, noService: answer } = look
  const { atMs } = look.asked
  const closed = closedDay(look, answer)
  if (closed.length > 0) return closed
  if (isPast(look)) return [reason('time-past', `${look.when} is past`, answer)]
  if (openAt(look, day.offers).length > 0) return []
  const times = day.offers.map((offer) => offer.times.map((time) => time.atMs))
  if (times.some((some) => some.includes(atMs))) {
    const tooMany = tooManyForAll(look, await look.all(), 'the venue', answer)
    if (tooMany.length > 0) return tooMany
    return [reason('full', `no service has room for ${look.party} at ${look.when}`, answer)]
  }
  const isWithin = times.some((some) => some.some((time) => time < atMs) && some.some((time) => time > atMs))
  const message = `${look.clock()} is not a time of any service on ${look.date}`
  return [reason(isWithin ? 'time-off-grid' : 'time-outside-service', message, answer)]
}

function closedDay({ day, date }: Look, answer: string): Reason[] {
  if (!day.isClosed) return []
  const why = day.message === '' ? '' : `: ${day.message}`
  return [reason('venue-closed', `the venue is closed on ${date}${why}`, answer)]
}

/** Prefers the schedule's own clock: a time is past if the schedule marks it or a later one as past. */
function isPast({ asked, day, nowMs }: Look): boolean {
  const times = day.offers.flatMap((offer) => offer.times)
  if (times.length === 0) return asked.atMs < nowMs
  return times.some((time) => time.isPast && time.atMs >= asked.atMs)
}

function offTheGrid(look: Look, offer: Offer, answer: string): Reason {
  const { atMs } = look.asked
  const times = offer.times.map((time) => time.atMs).toSorted((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  const name = formatNamed(offer)
  if (first === undefined || last === undefined)
    return reason('time-outside-service', `${name} has no times on ${look.date}`, answer)
  if (atMs < first || atMs > last) {
    const span = `from ${look.clock(first)} to ${look.clock(last)}`
    return reason('time-outside-service', `${name} takes bookings ${span}, and not at ${look.clock()}`, answer)
  }
  const before = times.findLast((time) => time < atMs)
  const after = times.find((time) => time > atMs)
  const beside = `${look.clock(before)} and ${look.clock(after)}`
  return reason('time-off-grid', `${look.clock()} is no time of ${name}: beside it are ${beside}`, answer)
}

function daysOf({ times }: Offer, timezone: string | null): string {
  const dates = [...new Set(times.map(({ atMs }) => dateIn(atMs, timezone)))]
  const shown = dates.slice(0, 3).map((date) => `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`)
  return `${shown.join(', ')}${dates.length > shown.length ? ', …' : ''}`
}
