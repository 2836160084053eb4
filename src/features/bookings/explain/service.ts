import { WEEKDAYS } from '../../../base/time/calendar.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { findNearestNamed, formatNamed } from '../../../client/named.ts'
import { type Offer, suggestNearest } from '../../shared/venue.ts'
import { checkLargestTable, explainFull, findOpenServices, tablesInSections } from './place.ts'
import { findByIdOrName, type NameLookup, type Reason, reason } from './reason.ts'
import type { VenueContext } from './venue-context.ts'

/**
 * Finds the requested service. `offer` is its offer on the requested day, or `null`. `meant` is the requested service,
 * even if it is not offered on that day. If the service does not exist, `meant` is the one with the most similar name.
 * Throws USAGE for an ambiguous name.
 */
export async function findService(context: VenueContext, looksUp: NameLookup) {
  const { day, notThen: answer } = context
  const { serviceId } = context.asked
  if (serviceId === '') return { offer: null, meant: null, reasons: [] }
  const closed = checkClosedDay(context, answer)
  const here = findByIdOrName(serviceId, '--service', day.offers, looksUp)
  const there = here ?? findByIdOrName(serviceId, '--service', (await context.week()).offers, looksUp)
  const reasons = [...closed]
  if (there === null) {
    const all = [...day.offers, ...(await context.week()).offers]
    const message = `there is no service ${JSON.stringify(serviceId)}${suggestNearest(serviceId, all)}`
    reasons.push(reason('service-unknown', message, answer))
    return { offer: null, meant: findNearestNamed(serviceId, all), reasons }
  }
  const { found, isName } = there
  if (isName && !looksUp) {
    const message = `serviceId must be an ID, but ${JSON.stringify(serviceId)} is the name of ${found.id}`
    reasons.push(reason('service-name', message, answer))
  }
  if (here === null && closed.length === 0) {
    const message = `${formatNamed(found)} is not offered on ${context.date}; it is offered on ${formatDays(found, context.timezone)}`
    reasons.push(reason('service-not-that-day', message, answer))
  }
  return { offer: here?.found ?? null, meant: found, reasons }
}

/** Explains why a service does not take the booking at the requested time, or why it has no room for the party. */
export async function checkTime(context: VenueContext, offer: Offer): Promise<readonly Reason[]> {
  const { notThen: answer } = context
  const slot = offer.times.find(({ atMs }) => atMs === context.asked.atMs)
  const reasons: Reason[] = []
  if (slot?.isPast || (!slot && isPast(context)))
    reasons.push(reason('time-past', `${context.when} is in the past`, answer))
  if (!slot) reasons.push(explainUnofferedTime(context, offer, answer))
  const sections = offer.sections.map(({ id }) => id)
  if (slot && !slot.isPast && !slot.isFree) {
    const free = await context.free(context.minutesIn(offer))
    return [...reasons, explainFull(context, tablesInSections(free, sections), formatNamed(offer), answer)]
  }
  if (offer.times.some(({ isFree }) => isFree)) return reasons
  return [
    ...reasons,
    ...checkLargestTable(context, tablesInSections(await context.all(), sections), formatNamed(offer), answer),
  ]
}

/**
 * Explains why every service would reject a request that names no service. Returns an empty list if any service has
 * room.
 */
export async function checkAnyService(context: VenueContext): Promise<readonly Reason[]> {
  const { day, noService: answer } = context
  const { atMs } = context.asked
  const closed = checkClosedDay(context, answer)
  if (closed.length > 0) return closed
  if (isPast(context)) return [reason('time-past', `${context.when} is in the past`, answer)]
  if (findOpenServices(context, day.offers).length > 0) return []
  const times = day.offers.map((offer) => offer.times.map((time) => time.atMs))
  if (times.some((some) => some.includes(atMs))) {
    const tooMany = checkLargestTable(context, await context.all(), 'the venue', answer)
    if (tooMany.length > 0) return tooMany
    return [reason('full', `no service has room for ${context.party} at ${context.when}`, answer)]
  }
  const isWithin = times.some((some) => some.some((time) => time < atMs) && some.some((time) => time > atMs))
  const message = `no service on ${context.date} takes bookings at ${context.clock()}`
  return [reason(isWithin ? 'time-off-grid' : 'time-outside-service', message, answer)]
}

function checkClosedDay({ day, date }: VenueContext, answer: string): Reason[] {
  if (!day.isClosed) return []
  const why = day.message === '' ? '' : `: ${day.message}`
  return [reason('venue-closed', `the venue is closed on ${date}${why}`, answer)]
}

/**
 * Returns whether the requested time is in the past, which is the case if the schedule marks it or a later time as
 * past. If the schedule has no times, this machine's clock decides.
 */
function isPast({ asked, day, nowMs }: VenueContext): boolean {
  const times = day.offers.flatMap((offer) => offer.times)
  if (times.length === 0) return asked.atMs < nowMs
  return times.some((time) => time.isPast && time.atMs >= asked.atMs)
}

function explainUnofferedTime(context: VenueContext, offer: Offer, answer: string): Reason {
  const { atMs } = context.asked
  const times = offer.times.map((time) => time.atMs).toSorted((a, b) => a - b)
  const [first, last] = [times[0], times.at(-1)]
  const name = formatNamed(offer)
  if (first === undefined || last === undefined)
    return reason('time-outside-service', `${name} has no times on ${context.date}`, answer)
  if (atMs < first || atMs > last) {
    const span = `from ${context.clock(first)} to ${context.clock(last)}`
    return reason('time-outside-service', `${name} takes bookings ${span}, not at ${context.clock()}`, answer)
  }
  const before = times.findLast((time) => time < atMs)
  const after = times.find((time) => time > atMs)
  const nearest = `${context.clock(before)} and ${context.clock(after)}`
  return reason(
    'time-off-grid',
    `${name} has no booking time at ${context.clock()}; the nearest are ${nearest}`,
    answer,
  )
}

function formatDays({ times }: Offer, timezone: string | null): string {
  const dates = [...new Set(times.map(({ atMs }) => dateIn(atMs, timezone)))]
  const shown = dates.slice(0, 3).map((date) => `${WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`)
  return `${shown.join(', ')}${dates.length > shown.length ? ', …' : ''}`
}
