import { shownNamed } from '../../../client/named.ts'
import { findMeant, type LooksUp, nearWords, noService, type Occasion } from './asked.ts'
import type { Look } from './look.ts'
import { partyText, type Reason, whenText } from './reason.ts'
import { hasRoom, tablesOf, whyFull } from './tables.ts'
import type { Offer, OfferedTime, ScheduleSeen } from './venue.ts'

/** A section that was asked for. */
export interface FoundSection {
  /** The ID that is meant; as it was typed when there is none such. */
  readonly id: string
  /** With its name, where it is known. */
  readonly shown: string
  readonly reason: Reason | null
}

/** Finds the section that is meant, among those of its service, or of the day when nobody knows that. Fails: USAGE. */
export function findSection(
  occasion: Occasion,
  service: Offer | null,
  day: ScheduleSeen,
  looksUp: LooksUp,
): FoundSection {
  const { sectionId } = occasion
  const all = service?.sections ?? day.offers.flatMap(({ sections }) => sections)
  const meant = findMeant(sectionId, '--section', all, looksUp)
  // Without a schedule, nobody knows the sections; without an ID, that is the reason.
  if (sectionId === '' || all.length === 0) return { id: sectionId, shown: sectionId, reason: null }
  const answer = noService(occasion)
  if (meant === null) {
    const whose = service === null ? '' : ` of ${shownNamed(service)}`
    const message = `${JSON.stringify(sectionId)} is no section${whose}${nearWords(sectionId, all)}`
    return { id: sectionId, shown: sectionId, reason: { code: 'section-unknown', message, answer } }
  }
  const { found, isName } = meant
  const message = `sectionId must be an ID, and ${JSON.stringify(sectionId)} is a name: it is ${found.id}`
  const reason = isName && !looksUp ? ({ code: 'section-name', message, answer } as const) : null
  return { id: found.id, shown: shownNamed(found), reason }
}

/**
 * Says why none of the services that have room at a time has it in the section, or in any section if that is null.
 * Null if one has, and if no service has room, which is a reason of its own.
 */
export async function noSectionOpen(
  occasion: Occasion,
  offers: readonly Omit<Held, 'sectionId'>[],
  sectionId: string | null,
  look: Look,
): Promise<Reason | null> {
  const reasons: Reason[] = []
  for (const held of offers)
    for (const id of sectionId === null ? held.offer.sections.map((section) => section.id) : [sectionId]) {
      const reason = await closedReason(occasion, { ...held, sectionId: id }, look)
      if (reason === null) return null
      reasons.push(reason)
    }
  const [first = null] = reasons
  if (first === null || reasons.length === 1 || sectionId !== null) return first
  const lasts = Math.min(...offers.map(({ minutes }) => minutes))
  const when = `for ${lasts} minutes from ${whenText(occasion.atMs, occasion.timezone)}`
  return { ...first, code: 'full', message: `no section has room for ${partyText(occasion.people)} ${when}` }
}

/** Why a section has no room at a time at which its service has; null: it has. */
async function closedReason(
  occasion: Occasion,
  { offer, slot, sectionId, minutes }: Held,
  look: Look,
): Promise<Reason | null> {
  const { people, atMs, timezone } = occasion
  const isOpen = slot.sections?.has(sectionId) ?? true
  const isLonger = offer.minutes !== null && minutes > offer.minutes
  if (isOpen && !isLonger) return null
  const free = tablesOf(await look.free(Math.max(minutes, offer.minutes ?? 0)), [sectionId])
  if (isOpen && hasRoom(free, people)) return null
  const section = offer.sections.find(({ id }) => id === sectionId)
  const where = section ? shownNamed(section) : sectionId
  const answer = noService(occasion)
  if (isOpen)
    return {
      code: 'section-closed',
      message: `${where} has no table for ${partyText(people)} that is free for ${minutes} minutes from ${whenText(atMs, timezone)}`,
      answer,
    }
  const why = whyFull(occasion, free, where)
  if (why.code !== 'full') return { ...why, answer }
  return {
    code: 'section-closed',
    message: `${where} is closed or full for ${partyText(people)} at ${whenText(atMs, timezone)}`,
    answer,
  }
}

interface Held {
  readonly offer: Offer
  readonly slot: OfferedTime
  readonly sectionId: string
  readonly minutes: number
}
