import type { JsonObject } from '../../../base/json/exact.ts'
import { secondsOnly } from '../../../base/time/booking-time.ts'
import { nearestNamed, shownNamed } from '../../../client/named.ts'
import { listBookingStatuses } from '../../../contract/bookings/statuses.ts'
import { namedIn } from '../../shared/venue.ts'
import { type Look, lookAround, type Read, type VenueClock } from './look.ts'
import { findNearest } from './nearest.ts'
import type { Explained } from './output.ts'
import { checkTables, findSection, noSectionOpen, openAt } from './place.ts'
import { answerOf, type Doubt, isCurable, type LooksUp, type Reason, reason } from './reason.ts'
import { readRequest } from './request.ts'
import { checkAnyService, checkTime, findService } from './service.ts'

/** A reservation to explain, and which of its members may be names instead of IDs. */
export interface Asked {
  readonly body: JsonObject
  /** Whether `reservations create` looks up each of these members, so that it may be a name instead of an ID. */
  readonly looksUp: { readonly [F in 'service' | 'section' | 'table']: LooksUp } & { readonly status?: boolean }
  /** Whether a missing service, section or guest is listed as not checked, instead of as a reason. */
  readonly mayBePartial?: boolean
}

/**
 * Finds all reasons why the service would reject a reservation, in the order in which it checks.
 * Fails: as `read`; USAGE for an ambiguous name.
 */
export async function explain(
  { body, looksUp, mayBePartial = false }: Asked,
  read: Read,
  clock: VenueClock,
): Promise<Explained> {
  const { requested, reasons } = readRequest(body, clock.timezone, mayBePartial)
  const doubts: Doubt[] = []
  await checkStatus(requested.status, looksUp.status === true, read, reasons, doubts)
  const { people, atMs, notChecked } = requested
  const verdict = { accepted: reasons.length === 0, reasons, doubts, nearest: [], withoutTables: false, notChecked }
  if (people === null || atMs === null) return { ...verdict, request: {} }
  const look = await lookAround(read, { ...requested, people, atMs }, clock)
  const { request, wish } = await checkPlace(look, looksUp, reasons, doubts)
  const distinct = reasons.filter((one, at) => reasons.findIndex(({ message }) => message === one.message) === at)
  const whole = { ...verdict, accepted: distinct.length === 0, reasons: distinct, request }
  if (!distinct.some(isCurable)) return whole
  const nearest = await findNearest(look, wish)
  // `checkPlace` drops the tables if they would not be possible at another time either.
  return { ...whole, nearest, withoutTables: requested.tables.length > 0 && wish.tables.length === 0 }
}

/**
 * Checks the service, time, tables and section. Returns the request with names resolved, and what to look for at other
 * times.
 */
async function checkPlace(look: Look, looksUp: Asked['looksUp'], reasons: Reason[], doubts: Doubt[]) {
  const { asked, day } = look
  const service = await findService(look, looksUp.service)
  const { offer, meant } = service
  reasons.push(...service.reasons)
  if (day.message !== '' && !day.isClosed)
    doubts.push({ code: 'venue-says', message: `message from the venue: ${day.message}` })
  if (offer !== null) reasons.push(...(await checkTime(look, offer)))
  if (offer?.payment) {
    const message = `${shownNamed(offer)} requires a ${offer.payment}, but a reservation does not pay anything`
    doubts.push({ code: 'payment', message })
  }
  const isAnyService = asked.notChecked.includes('--service')
  if (isAnyService) reasons.push(...(await checkAnyService(look)))
  const open = openAt(look, isAnyService ? day.offers : offer === null ? [] : [offer])
  const lasting = isAnyService && open.length > 0 ? open.map((one) => one.offer) : [offer]
  const minutes = Math.min(...lasting.map((one) => look.minutesIn(one)))

  const section = findSection(look, meant, looksUp.section)
  const isAnySection = asked.notChecked.includes('--section')
  const ofTables = looksUp.section ? section.id : asked.sectionId
  const found = await checkTables(look, minutes, isAnySection ? null : ofTables, looksUp.table)
  reasons.push(...found.reasons)
  const closed = section.reason ?? (await noSectionOpen(look, open, isAnySection ? null : section.id))
  const isElsewhere = found.reasons.some(({ code }) => code === 'table-elsewhere')
  // If tables are named, the service does not check their section.
  if (closed && (asked.tables.length === 0 || isElsewhere)) reasons.push(closed)
  else if (closed)
    doubts.push({ code: 'section', message: `${closed.message}, but the service only checks the requested tables` })

  // Tables that are only in use now may be free at another time.
  const tables = found.reasons.every(({ code }) => code === 'table-taken') ? found.tables : []
  return {
    wish: { serviceId: meant?.id ?? null, sectionId: section.id || (tables[0]?.sectionId ?? ''), tables },
    request: {
      people: asked.people,
      time: look.when,
      timeUtc: secondsOnly(asked.atMs),
      service: meant === null || offer === null ? asked.serviceId : shownNamed(meant),
      section: section.shown,
      tables: found.tables.map(shownNamed),
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
  const near = nearestNamed(code, known)
  const codes = known.map(({ id }) => id).slice(0, MOST_CODES)
  const meant = near ? `; did you mean ${near.id}?` : `; its statuses are ${codes.join(', ')}`
  const message = `the venue has no status ${JSON.stringify(code)}${meant}`
  reasons.push(reason('status-unknown', message, answerOf('invalidStatus', { status: code })))
}

const MOST_CODES = 30
