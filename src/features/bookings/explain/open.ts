import { noService, type Occasion } from './asked.ts'
import type { Look } from './look.ts'
import { clockText, partyText, type Reason, whenText } from './reason.ts'
import { closedDay, isPast } from './service.ts'
import { tooManyForAll } from './tables.ts'
import type { Offer, OfferedTime, ScheduleSeen } from './venue.ts'

/** The services that have room at the time of a request. */
export function offersAt(
  { atMs }: Occasion,
  { offers }: ScheduleSeen,
): { readonly offer: Offer; readonly slot: OfferedTime }[] {
  return offers.flatMap((offer) => {
    const slot = offer.times.find((time) => time.atMs === atMs && time.isFree)
    return slot ? [{ offer, slot }] : []
  })
}

/** Says why no service would take a request that leaves the service open; nothing when one has room. */
export async function checkAnyService(
  occasion: Occasion,
  day: ScheduleSeen,
  look: Look,
  nowMs: number,
): Promise<readonly Reason[]> {
  const { atMs, people, timezone } = occasion
  const answer = noService(occasion)
  const closed = closedDay(occasion, day, answer)
  if (closed.length > 0) return closed
  const when = whenText(atMs, timezone)
  if (isPast(atMs, day, nowMs)) return [{ code: 'time-past', message: `${when} is past`, answer }]
  if (offersAt(occasion, day).length > 0) return []
  const times = day.offers.map((offer) => offer.times.map((time) => time.atMs))
  if (times.some((some) => some.includes(atMs))) {
    const tooMany = tooManyForAll(occasion, await look.all(), 'the venue')
    if (tooMany.length > 0) return tooMany.map((reason) => ({ ...reason, answer }))
    return [{ code: 'full', message: `no service has room for ${partyText(people)} at ${when}`, answer }]
  }
  const isWithin = times.some((some) => some.some((time) => time < atMs) && some.some((time) => time > atMs))
  const message = `${clockText(atMs, timezone)} is not a time of any service on ${when.slice(0, -' 19:05'.length)}`
  return [{ code: isWithin ? 'time-off-grid' : 'time-outside-service', message, answer }]
}
