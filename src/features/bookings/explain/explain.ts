import type { JsonObject } from '../../../base/json/exact.ts'
import { secondsOnly } from '../../../base/time/booking-time.ts'
import { findNearestNamed, formatNamed } from '../../../client/named.ts'
import { listBookingStatuses } from '../../../contract/bookings/statuses.ts'
import { namedIn } from '../../shared/venue.ts'
import { findNearest } from './nearest.ts'
import type { Explained } from './output.ts'
import { checkTables, explainClosedSections, findOpenServices, findSection } from './place.ts'
import { type Doubt, isCurable, type NameLookup, type Reason, reason, serviceMessage } from './reason.ts'
import { readRequest } from './request.ts'
import { checkAnyService, checkTime, findService } from './service.ts'
import { type Read, readVenueContext, type VenueClock, type VenueContext } from './venue-context.ts'

/** A reservation to explain. Some of its members may contain names instead of IDs. */
export interface ReservationToExplain {
  readonly body: JsonObject
  /** For each member, whether it may contain a name to look up, as in `reservations create`, instead of an ID. */
  readonly looksUp: { readonly [F in 'service' | 'section' | 'table']: NameLookup } & { readonly status?: boolean }
  /** Whether a missing service, section or guest is reported as not checked rather than as a reason for rejection. */
  readonly mayBePartial?: boolean
}

/**
 * Finds all reasons why the service would reject a reservation, in the order that the service checks them. Throws USAGE
 * for an ambiguous name. Also throws any error from `read`.
 */
export async function explain(
  { body, looksUp, mayBePartial = false }: ReservationToExplain,
  read: Read,
  clock: VenueClock,
): Promise<Explained> {
  const { requested, reasons } = readRequest(body, clock.timezone, mayBePartial)
  const doubts: Doubt[] = []
  await checkStatus(requested.status, looksUp.status === true, read, reasons, doubts)
  const { people, atMs, notChecked } = requested
  const verdict = { accepted: reasons.length === 0, reasons, doubts, nearest: [], withoutTables: false, notChecked }
  if (people === null || atMs === null) return { ...verdict, request: {} }
  const context = await readVenueContext(read, { ...requested, people, atMs }, clock)
  const { request, wish } = await checkPlace(context, looksUp, reasons, doubts)
  const distinct = reasons.filter((one, at) => reasons.findIndex(({ message }) => message === one.message) === at)
  const whole = { ...verdict, accepted: distinct.length === 0, reasons: distinct, request }
  if (!distinct.some(isCurable)) return whole
  const nearest = await findNearest(context, wish)
  // `checkPlace` drops the requested tables from `wish` if they cannot be booked at any other time either.
  return { ...whole, nearest, withoutTables: requested.tables.length > 0 && wish.tables.length === 0 }
}

/**
 * Checks the service, time, tables and section. In the result, `request` describes the request in words, and `wish`
 * contains the service, section and tables for which to suggest other times.
 */
async function checkPlace(
  context: VenueContext,
  looksUp: ReservationToExplain['looksUp'],
  reasons: Reason[],
  doubts: Doubt[],
) {
  const { asked, day } = context
  const service = await findService(context, looksUp.service)
  const { offer, meant } = service
  reasons.push(...service.reasons)
  if (day.message !== '' && !day.isClosed)
    doubts.push({ code: 'venue-says', message: `message from the venue: ${day.message}` })
  if (offer !== null) reasons.push(...(await checkTime(context, offer)))
  if (offer?.payment) {
    const message = `${formatNamed(offer)} requires a ${offer.payment}, but a reservation does not include a payment`
    doubts.push({ code: 'payment', message })
  }
  const isAnyService = asked.notChecked.includes('--service')
  if (isAnyService) reasons.push(...(await checkAnyService(context)))
  const open = findOpenServices(context, isAnyService ? day.offers : offer === null ? [] : [offer])
  const lasting = isAnyService && open.length > 0 ? open.map((one) => one.offer) : [offer]
  const minutes = Math.min(...lasting.map((one) => context.minutesIn(one)))

  const section = findSection(context, meant, looksUp.section)
  const isAnySection = asked.notChecked.includes('--section')
  const ofTables = looksUp.section ? section.id : asked.sectionId
  const found = await checkTables(context, minutes, isAnySection ? null : ofTables, looksUp.table)
  reasons.push(...found.reasons)
  const closed = section.reason ?? (await explainClosedSections(context, open, isAnySection ? null : section.id))
  const isElsewhere = found.reasons.some(({ code }) => code === 'table-elsewhere')
  // If a request names tables, the service does not check its section.
  if (closed && (asked.tables.length === 0 || isElsewhere)) reasons.push(closed)
  else if (closed)
    doubts.push({ code: 'section', message: `${closed.message}, but the service checks only the requested tables` })

  // Keep tables that are merely taken, because they may be free at another time.
  const tables = found.reasons.every(({ code }) => code === 'table-taken') ? found.tables : []
  return {
    wish: { serviceId: meant?.id ?? null, sectionId: section.id || (tables[0]?.sectionId ?? ''), tables },
    request: {
      people: asked.people,
      time: context.when,
      timeUtc: secondsOnly(asked.atMs),
      service: meant === null || offer === null ? asked.serviceId : formatNamed(meant),
      section: section.shown,
      tables: found.tables.map(formatNamed),
      minutes,
    },
  }
}

async function checkStatus(code: string, isTyped: boolean, read: Read, reasons: Reason[], doubts: Doubt[]) {
  if (code === '') return
  const known = namedIn(await read(listBookingStatuses, {}), 'code')
  if (known.some(({ id }) => id === code)) return
  if (isTyped && known.filter(({ id }) => id.toLowerCase() === code.trim().toLowerCase()).length === 1) return
  if (known.length === 0) {
    doubts.push({ code: 'statuses-unknown', message: 'the service lists no statuses, so the status was not checked' })
    return
  }
  const near = findNearestNamed(code, known)
  const codes = known.map(({ id }) => id).slice(0, MAX_CODES)
  const meant = near ? `; did you mean ${near.id}?` : `; its statuses are ${codes.join(', ')}`
  const message = `the venue has no status ${JSON.stringify(code)}${meant}`
  reasons.push(reason('status-unknown', message, serviceMessage('invalidStatus', { status: code })))
}

const MAX_CODES = 30
