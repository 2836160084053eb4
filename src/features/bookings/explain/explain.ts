import type { JsonObject } from '../../../base/json/exact.ts'
import { secondsOnly } from '../../../base/time/booking-time.ts'
import { findNearestNamed, formatNamed } from '../../../client/named.ts'
import { listBookingStatuses } from '../../../contract/bookings/statuses.ts'
import { namedIn } from '../../shared/venue.ts'
import { type Look, lookAround, type Read, type VenueClock } from './look.ts'
import { findNearest } from './nearest.ts'
import type { Explained } from './output.ts'
import { checkTables, findSection, noSectionOpen, openAt } from './place.ts'
import { answerOf, type Doubt, isCurable, type LooksUp, type Reason, reason } from './reason.ts'
import { readRequest } from './request.ts'
import { checkAnyService, checkTime, findService } from './service.ts'

/** A reservation to explain, and which of its members may be names. */
export interface Asked {
  readonly body: JsonObject
  /** Whether `reservations create` looks up the member, so that it may be a name instead of an ID. */
  readonly looksUp: { readonly [F in 'service' | 'section' | 'table']: LooksUp } & { readonly status?: boolean }
  /** Whether an absent service, section or guest is listed as not checked, instead of as a reason. */
  readonly mayBePartial?: boolean
}

/** Finds all reasons against a reservation, in the service's order. Fails: as `read`; USAGE for an ambiguous name. */
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
  // The named tables would not do at another time either.
  return { ...whole, nearest, withoutTables: requested.tables.length > 0 && wish.tables.length === 0 }
}

/** Checks service, time, tables and section. Returns what was understood, and what to find at another time. */
async function checkPlace(look: Look, looksUp: Asked['looksUp'], reasons: Reason[], doubts: Doubt[]) {
  const { asked, day } = look
  const service = await findService(look, looksUp.service)
  const { offer, meant } = service
  reasons.push(...service.reasons)
  if (day.message !== '' && !day.isClosed)
    doubts.push({ code: 'venue-says', message: `the venue says: ${day.message}` })
  if (offer !== null) reasons.push(...(await checkTime(look, offer)))
  if (offer?.payment) {
    const message = `${formatNamed(offer)} asks for a ${offer.payment}: a reservation pays nothing`
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
  else if (closed) doubts.push({ code: 'section', message: `${closed.message}; the service looks at the tables alone` })

  // Tables that are merely taken would do at another time.
  const tables = found.reasons.every(({ code }) => code === 'table-taken') ? found.tables : []
  return {
    wish: { serviceId: meant?.id ?? null, sectionId: section.id || (tables[0]?.sectionId ?? ''), tables },
    request: {
      people: asked.people,
      time: look.when,
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
    doubts.push({ code: 'statuses-unknown', message: 'the service names no statuses, so the one here is not checked' })
    return
  }
  const near = findNearestNamed(code, known)
  const codes = known.map(({ id }) => id).slice(0, MOST_CODES)
  const meant = near ? `; did you mean ${near.id}?` : `; they are ${codes.join(', ')}`
  const message = `${JSON.stringify(code)} is no status of the venue${meant}`
  reasons.push(reason('status-unknown', message, answerOf('invalidStatus', { status: code })))
}

const MOST_CODES = 30
