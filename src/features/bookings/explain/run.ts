import { formatCount } from '../../../base/counted.ts'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { isLocalTime } from '../../../base/time/calendar.ts'
import { describeMatch } from '../../../client/named.ts'
import { getSchedule } from '../../../contract/bookings/availability.ts'
import { reservationRequest } from '../../../contract/bookings/reservations.ts'
import { listBookingStatuses } from '../../../contract/bookings/statuses.ts'
import { schema } from '../../../contract/shapes/schema.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import type { Service } from '../../../terminal/runtime/service.ts'
import type { Occasion } from '../../shared/look-up.ts'
import { scheduleQuery } from '../../shared/venue.ts'
import { type RequestFlags, readRequest } from '../reserving/request.ts'
import { explain } from './explain.ts'
import type { Explained } from './output.ts'
import type { NameLookup } from './reason.ts'
import type { Read } from './venue-context.ts'
import { explainedCard, explainedList } from './views.ts'

/** The body of a reservation request, except that its service, section and guest may be missing. */
const explainable = schema((z) => {
  const { serviceId, sectionId, customer } = reservationRequest(z).shape
  const guest = customer.partial({ firstName: true, lastName: true, phone: true })
  return reservationRequest(z).extend({
    serviceId: serviceId.nullish(),
    sectionId: sectionId.nullish(),
    customer: guest.nullish(),
  })
})

/**
 * Prints whether the service would accept a reservation and, if not, why. A dry run prints only the requests that do
 * not depend on other responses. Throws REJECTED if the service would reject the reservation. Also throws USAGE.
 */
export async function explainReservation(opened: Opened<RequestFlags, object>): Promise<void> {
  const { flags, service, show, host, debug } = opened
  const hint = 'see partner reservations explain --help; nothing was sent'
  const { asked, occasion, isChecked } = await readRequest(explainable, flags, opened, hint)
  const { timezone } = occasion
  if (service.isDryRun) return showReads(service, asked, occasion)
  if (timezone === null) refuseWithoutZone(asked)
  const names: string[] = []
  const noteName: NameLookup = (...meant) => names.push(...[describeMatch(...meant)].filter((text) => text !== null))
  const looksUp = {
    service: isChecked && flags.service !== undefined && noteName,
    section: isChecked && flags.section !== undefined && noteName,
    table: isChecked && flags.table !== undefined && noteName,
    status: isChecked && flags.status !== undefined,
  }
  const read: Read = (endpoint, query) => service.readAll(endpoint, service.complete(endpoint, { query }))
  const clock = { nowMs: host.now(), timezone }
  const explained = await explain({ body: asked, looksUp, mayBePartial: isChecked }, read, clock)
  for (const name of names) await debug(name)
  await show.one(explained, { card: explainedCard(explained), list: explainedList })
  if (!explained.accepted) throw refusedFailure(explained)
}

/** Throws USAGE if a local time is given but the venue's time zone is unknown. */
function refuseWithoutZone({ bookingTimeAsUtc, time }: JsonObject): void {
  if (typeof bookingTimeAsUtc === 'string' || typeof time !== 'string' || !isLocalTime(time)) return
  throw usageFailure(
    ["the venue's time zone is unknown, so the schedule cannot be searched for a local time"],
    "use --time-utc, or set the profile's time zone: partner profiles set --help",
  )
}

async function showReads(service: Service, asked: JsonObject, { at, people, timezone }: Occasion): Promise<void> {
  if (typeof asked['status'] === 'string')
    await service.showPlans(listBookingStatuses, [service.complete(listBookingStatuses, {})])
  if (at === null || typeof people !== 'number') return
  const input = service.complete(getSchedule, { query: scheduleQuery(at, timezone, people) })
  await service.showPlans(getSchedule, [input])
}

function refusedFailure({ reasons, nearest, withoutTables }: Explained): Failure {
  const [first] = nearest
  const flags = first && `--time "${first.time}" --service ${first.serviceId} --section ${first.sectionId}`
  const found = `the nearest possible time${withoutTables ? ', without the tables' : ''}: ${flags}`
  return new Failure('REJECTED', `the service would reject the reservation: ${formatCount(reasons.length, 'reason')}`, {
    hint: first === undefined ? 'correct the request and run the command again' : found,
    details: { reasons: reasons.map(({ code }) => code) },
  })
}
