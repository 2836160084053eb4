import { shownNamed } from '../../../client/named.ts'
import { nearWords, type Offer } from '../../shared/venue.ts'
import type { Look } from './look.ts'
import { findMeant, type LooksUp, type Reason, reason } from './reason.ts'
import type { OpenOffer } from './service.ts'
import { suits, tablesOf, whyFull } from './tables.ts'

/** Finds a section in its service, or else in the day; as typed if there is none. `reason` is null if it is fine. Fails: USAGE. */
export function findSection(look: Look, service: Offer | null, looksUp: LooksUp) {
  const { sectionId } = look.asked
  const all = service?.sections ?? look.day.offers.flatMap(({ sections }) => sections)
  const meant = findMeant(sectionId, '--section', all, looksUp)
  const asTyped = { id: sectionId, shown: sectionId, reason: null }
  // Without a schedule, the sections are not known. A missing ID is reported already.
  if (sectionId === '' || all.length === 0) return asTyped
  if (meant === null) {
    const whose = service === null ? '' : ` of ${shownNamed(service)}`
    const message = `${JSON.stringify(sectionId)} is no section${whose}${nearWords(sectionId, all)}`
    return { ...asTyped, reason: reason('section-unknown', message, look.noService) }
  }
  const { found, isName } = meant
  const message = `sectionId must be an ID, and ${JSON.stringify(sectionId)} is a name: it is ${found.id}`
  const isWrong = isName && !looksUp
  return {
    ...{ id: found.id, shown: shownNamed(found) },
    reason: isWrong ? reason('section-name', message, look.noService) : null,
  }
}

/** Says why no open service has room in the section, or in any if null. Null if one has, or if no service is open. */
export async function noSectionOpen(look: Look, offers: readonly OpenOffer[], sectionId: string | null) {
  const reasons: Reason[] = []
  for (const open of offers)
    for (const id of sectionId === null ? open.offer.sections.map((section) => section.id) : [sectionId]) {
      const closed = await closedReason(look, open, id)
      if (closed === null) return null
      reasons.push(closed)
    }
  const [first = null] = reasons
  if (first === null || reasons.length === 1 || sectionId !== null) return first
  const minutes = Math.min(...offers.map(({ offer }) => look.minutesIn(offer)))
  const message = `no section has room for ${look.party} for ${minutes} minutes from ${look.when}`
  return { ...first, code: 'full' as const, message }
}

/** Says why a section has no room although its service has; null if it has room. */
async function closedReason(look: Look, { offer, slot }: OpenOffer, sectionId: string): Promise<Reason | null> {
  const { when, party, noService } = look
  const minutes = look.minutesIn(offer)
  const isOpen = slot.sections?.has(sectionId) ?? true
  const isLonger = offer.minutes !== null && minutes > offer.minutes
  if (isOpen && !isLonger) return null
  const free = tablesOf(await look.free(Math.max(minutes, offer.minutes ?? 0)), [sectionId])
  if (isOpen && free.some((table) => suits(table, look.asked.people))) return null
  const section = offer.sections.find(({ id }) => id === sectionId)
  const where = section ? shownNamed(section) : sectionId
  const without = `${where} has no table for ${party} that is free for ${minutes} minutes from ${when}`
  if (isOpen) return reason('section-closed', without, noService)
  const why = whyFull(look, free, where, noService)
  if (why.code !== 'full') return why
  return reason('section-closed', `${where} is closed or full for ${party} at ${when}`, noService)
}
