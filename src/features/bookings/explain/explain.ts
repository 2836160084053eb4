import type { JsonObject } from '../../../base/json/exact.ts'
import { nearestNamed, shownNamed } from '../../../client/named.ts'
import { type Asked, answerAtTime, distinct, type Occasion, type VenueReader } from './asked.ts'
import { Look } from './look.ts'
import { isRoomAmong, type NearTime, nearestTimes } from './nearest.ts'
import { checkAnyService, offersAt } from './open.ts'
import { answerOf, type Doubt, type Reason, type ReasonCode, whenText } from './reason.ts'
import { readRequest } from './request.ts'
import { type FoundSection, findSection, noSectionOpen } from './section.ts'
import { checkTime, findService } from './service.ts'
import { checkTables, tablesOf, tooManyForAll, whyFull, wouldDo } from './tables.ts'
import { type FreeTable, type Offer, type OfferedTime, type ScheduleSeen, statusesIn, suits } from './venue.ts'

/** What would become of a reservation. */
export interface Explained {
  readonly accepted: boolean
  /** Every reason against it, in the order in which the service looks: the first is the one that it names. */
  readonly reasons: readonly Reason[]
  readonly doubts: readonly Doubt[]
  /** Times that would do, when it is its time or place that is wrong. */
  readonly nearest: readonly NearTime[]
  /** True when these are without the tables that were named, which would not do at any time. */
  readonly isWithoutTables: boolean
  /** What was asked for, as far as it was understood. */
  readonly understood: JsonObject
  /** The flags of required members that were left open, in the order of the help: `--service`. */
  readonly notChecked: readonly string[]
}

/** How long a table is asked for, where nothing says for how long it is taken. Minutes. */
const USUAL_MINUTES = 90

/** Faults that another time, service or section may cure. */
const CURABLE: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  ...(['venue-closed', 'service-not-that-day', 'service-unknown', 'time-past', 'time-outside-service'] as const),
  ...(['time-off-grid', 'party-too-large', 'party-too-small', 'full', 'section-unknown', 'section-closed'] as const),
  'table-taken',
])

/**
 * Says whether the service would accept a reservation, and if not, everything that speaks against it.
 * Fails: as the reader does; USAGE for a name that several have.
 */
export async function explain(
  { body, looksUp, mayBePartial = false }: Asked,
  reader: VenueReader,
  { nowMs, timezone }: { readonly nowMs: number; readonly timezone: string | null },
): Promise<Explained> {
  const { requested, reasons: first } = readRequest(body, timezone, mayBePartial)
  const reasons: Reason[] = [...first]
  const doubts: Doubt[] = []
  await checkStatus(requested.status, looksUp.status === true, reader, reasons, doubts)
  const { people, atMs, notChecked } = requested
  if (people === null || atMs === null) return { ...verdict(reasons, doubts, {}), notChecked }
  const occasion: Occasion = { ...requested, people, atMs, timezone }
  const look = new Look(reader, occasion, nowMs)
  const found = await checkPlace(occasion, look, { looksUp, nowMs })
  const all = distinct([...reasons, ...found.reasons])
  doubts.push(...found.doubts)
  if (!all.some(({ code }) => CURABLE.has(code))) return { ...verdict(all, doubts, found.understood), notChecked }
  const nearest = await findNearest(occasion, look, found)
  const isWithoutTables = occasion.tables.length > 0 && found.tables.length === 0
  return { ...verdict(all, doubts, found.understood), notChecked, nearest, isWithoutTables }
}

/** Whether the service, section and tables are what they must be at that time. */
interface FoundPlace {
  readonly service: Offer | null
  readonly section: FoundSection
  /** Those that were named, where they would do at another time; none when none were named. */
  readonly tables: readonly FreeTable[]
  readonly reasons: readonly Reason[]
  readonly doubts: readonly Doubt[]
  readonly understood: JsonObject
}

async function checkPlace(
  occasion: Occasion,
  look: Look,
  { looksUp, nowMs }: { readonly looksUp: Asked['looksUp']; readonly nowMs: number },
): Promise<FoundPlace> {
  const day = await look.day()
  const service = await findService(occasion, day, { looksUp: looksUp.service, week: () => look.week() })
  const { offer } = service
  const time = offer && checkTime(occasion, offer, day, nowMs)
  const slot = time?.slot ?? null
  const isAnyService = occasion.notChecked.includes('--service')
  const isAnySection = occasion.notChecked.includes('--section')
  const heldFor = (one: Offer) => occasion.minutes ?? one.minutes ?? USUAL_MINUTES
  const atTime = isAnyService ? offersAt(occasion, day) : []
  const minutes = offer
    ? heldFor(offer)
    : atTime.length > 0
      ? Math.min(...atTime.map(({ offer: one }) => heldFor(one)))
      : (occasion.minutes ?? USUAL_MINUTES)
  const reasons: Reason[] = [...service.reasons, ...(time?.reasons ?? [])]
  if (isAnyService) reasons.push(...(await checkAnyService(occasion, day, look, nowMs)))
  const doubts: Doubt[] = []
  if (day.message !== '' && !day.isClosed)
    doubts.push({ code: 'venue-says', message: `the venue says: ${day.message}` })
  if (offer?.payment) {
    const message = `${shownNamed(offer)} asks for a ${offer.payment}: a reservation pays nothing`
    doubts.push({ code: 'payment', message })
  }
  if (offer !== null) reasons.push(...(await noRoom(occasion, { offer, slot, minutes, day }, look)))
  const section = findSection(occasion, service.meant, day, looksUp.section)
  const isNamed = occasion.tables.length > 0
  const sectionId = looksUp.section ? section.id : occasion.sectionId
  const named = { sectionId: isAnySection ? null : sectionId, looksUp: looksUp.table }
  const free = isNamed ? await look.free(minutes) : []
  const tables = isNamed ? await checkTables(occasion, named, { free, all: () => look.all() }) : null
  reasons.push(...(tables?.reasons ?? []))
  const open = offer !== null && slot?.isFree === true ? [{ offer, slot }] : atTime
  const tried = open.map((one) => ({ ...one, minutes: heldFor(one.offer) }))
  const closed = section.reason ?? (await noSectionOpen(occasion, tried, isAnySection ? null : section.id, look))
  const isElsewhere = reasons.some(({ code }) => code === 'table-elsewhere')
  // The service looks at the tables that are named, and not at their section.
  if (closed && (!isNamed || isElsewhere)) reasons.push(closed)
  else if (closed) doubts.push({ code: 'section', message: `${closed.message}; the service looks at the tables alone` })
  return {
    ...{ service: service.meant, section, reasons, doubts },
    tables: tables !== null && wouldDo(tables) ? tables.tables : [],
    understood: {
      people: occasion.people,
      time: whenText(occasion.atMs, occasion.timezone),
      timeUtc: `${new Date(occasion.atMs).toISOString().slice(0, 19)}Z`,
      service: service.meant === null || service.offer === null ? occasion.serviceId : shownNamed(service.meant),
      section: section.shown,
      tables: tables === null ? [] : tables.tables.map(shownNamed),
      minutes,
    },
  }
}

/** Why a party finds no room in a service: at its time, or at any time of the day. */
async function noRoom(
  occasion: Occasion,
  { offer, slot, minutes, day }: Tried,
  look: Look,
): Promise<readonly Reason[]> {
  const sections = offer.sections.map(({ id }) => id)
  const answer = answerAtTime(occasion, day)
  if (slot !== null && !slot.isPast && !slot.isFree) {
    const why = whyFull(occasion, tablesOf(await look.free(minutes), sections), shownNamed(offer))
    return [{ ...why, answer }]
  }
  if (offer.times.some(({ isFree }) => isFree)) return []
  const all = tablesOf(await look.all(), sections)
  return tooManyForAll(occasion, all, shownNamed(offer)).map((reason) => ({ ...reason, answer }))
}

interface Tried {
  readonly offer: Offer
  readonly slot: OfferedTime | null
  readonly minutes: number
  readonly day: ScheduleSeen
}

async function findNearest(occasion: Occasion, look: Look, found: FoundPlace): Promise<readonly NearTime[]> {
  const { service, section, tables } = found
  const sectionId = section.id || (tables[0]?.sectionId ?? '')
  const wish = { serviceId: service?.id ?? null, sectionId, isFixed: tables.length > 0 }
  const isRoom = async (one: Offer, sectionId: string, atMs: number) => {
    const lasts = occasion.minutes ?? one.minutes ?? USUAL_MINUTES
    // The schedule tells what is free for as long as the service takes.
    if (tables.length === 0 && lasts <= (one.minutes ?? lasts)) return true
    const free = await look.free(lasts, atMs)
    return isRoomAmong(free, tables, (table) => table.sectionId === sectionId && suits(table, occasion.people))
  }
  const asks = tables.length > 0 || occasion.minutes !== null ? isRoom : null
  const here = await nearestTimes(occasion, [await look.day()], wish, asks)
  const isEnough = here.filter(
    ({ serviceId, sectionId }) => serviceId === wish.serviceId && sectionId === wish.sectionId,
  )
  if (isEnough.length >= 3) return here
  return nearestTimes(occasion, [await look.day(), await look.week()], wish, asks)
}

async function checkStatus(
  code: string,
  isTyped: boolean,
  reader: VenueReader,
  reasons: Reason[],
  doubts: Doubt[],
): Promise<void> {
  if (code === '') return
  const known = statusesIn(await reader.statuses())
  if (known.some(({ id }) => id === code)) return
  if (isTyped && known.filter(({ id }) => id.toLowerCase() === code.trim().toLowerCase()).length === 1) return
  if (known.length === 0) {
    doubts.push({ code: 'statuses-unknown', message: 'the service names no statuses, so the one here is not checked' })
    return
  }
  const near = nearestNamed(code, known)
  const codes = known.map(({ id }) => id).slice(0, MOST_CODES)
  const meant = near ? `; did you mean ${near.id}?` : `; they are ${codes.join(', ')}`
  reasons.push({
    code: 'status-unknown',
    message: `${JSON.stringify(code)} is no status of the venue${meant}`,
    answer: answerOf('invalidStatus', { status: code }),
  })
}

const MOST_CODES = 30

function verdict(reasons: readonly Reason[], doubts: readonly Doubt[], understood: JsonObject): Explained {
  return {
    accepted: reasons.length === 0,
    reasons,
    doubts,
    nearest: [],
    isWithoutTables: false,
    understood,
    notChecked: [],
  }
}
