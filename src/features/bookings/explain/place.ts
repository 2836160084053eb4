import { formatNamed } from '../../../client/named.ts'
import { type FreeTable, type Offer, suggestNearest } from '../../shared/venue.ts'
import type { Look } from './look.ts'
import { answerOf, findMeant, type LooksUp, type Reason, reason } from './reason.ts'

/** Checks tables in the service's order. `sectionId` null: none is chosen, they must share one. Fails: USAGE. */
export async function checkTables(look: Look, minutes: number, sectionId: string | null, looksUp: LooksUp) {
  const { tables: typed } = look.asked
  const free = typed.length > 0 ? await look.free(minutes) : []
  const reasons: Reason[] = []
  const meant: FreeTable[] = []
  for (const text of typed) {
    const answer = answerOf('unknownTable', { table: text })
    const one = findMeant(text, '--table', free, looksUp) ?? findMeant(text, '--table', await look.all(), looksUp)
    if (one === null) {
      const near = suggestNearest(text, [...free, ...(await look.all())])
      reasons.push(reason('table-unknown', `the venue has no table ${JSON.stringify(text)}${near}`, answer))
      continue
    }
    meant.push(one.found)
    if (one.isName && !looksUp) {
      const message = `tables must be IDs, and ${JSON.stringify(text)} is a name: it is ${one.found.id}`
      reasons.push(reason('table-name', message, answer))
    }
  }
  const tables = meant.filter((table, at) => meant.findIndex(({ id }) => id === table.id) === at)
  if (tables.length < meant.length)
    reasons.push(reason('table-twice', 'a table is named twice', answerOf('duplicateTables')))
  const inSection = sectionId ?? tables[0]?.sectionId ?? ''
  for (const table of tables)
    if (table.sectionId !== '' && table.sectionId !== inSection) {
      const message = `table ${formatNamed(table)} is in section ${placeText(table)}, not in ${JSON.stringify(inSection)}`
      const answer = answerOf('tableElsewhere', { table: table.id, sectionId: inSection })
      reasons.push(reason('table-elsewhere', message, answer))
    }
  for (const table of tables)
    if (table.isWalkInOnly) {
      const answer = answerOf('walkInsOnly', { table: table.id })
      reasons.push(reason('table-walk-ins-only', `table ${formatNamed(table)} takes walk-ins only`, answer))
    }
  if (meant.length === typed.length) reasons.push(...unfit(tables, look.asked.people))
  for (const table of tables)
    if (!free.some(({ id }) => id === table.id))
      reasons.push(reason('table-taken', `table ${formatNamed(table)} is taken at ${look.when}`, look.noService))
  return { tables, reasons }
}

/** Says why a party has no room at the free tables. */
export function whyFull(look: Look, free: readonly FreeTable[], where: string, answer: string): Reason {
  const { party, when } = look
  const { people } = look.asked
  const open = free.filter(({ isWalkInOnly }) => !isWalkInOnly)
  const largest = open.toSorted((a, b) => (b.capacity ?? 0) - (a.capacity ?? 0))[0]
  if (largest === undefined) return reason('full', `no table of ${where} is free at ${when}`, answer)
  if (largest.capacity !== null && people > largest.capacity) {
    const room = `the largest, ${largest.names[0] || largest.id}, seats ${largest.capacity}`
    const message = `${party} are too many for the free tables of ${where} at ${when}: ${room}`
    return reason('party-too-large', message, answer)
  }
  const least = Math.min(...open.map((table) => table.least ?? 0))
  if (people < least) {
    const message = `${party} are too few for the free tables of ${where} at ${when}: they are for ${least} or more`
    return reason('party-too-small', message, answer)
  }
  return reason('full', `${where} has no room for ${party} at ${when}`, answer)
}

/** Says that a party is too large for every table of the day; empty if it is not. */
export function tooManyForAll(look: Look, tables: readonly FreeTable[], where: string, answer: string): Reason[] {
  const { people } = look.asked
  const seats = tables.filter(({ isWalkInOnly }) => !isWalkInOnly).map(({ capacity }) => capacity ?? people)
  const most = Math.max(0, ...seats)
  if (seats.length === 0 || people <= most) return []
  const message = `${look.party} are too many for any table of ${where}: the largest seats ${most}`
  return [reason('party-too-large', message, answer)]
}

export function tablesOf(tables: readonly FreeTable[], sections: readonly string[]): readonly FreeTable[] {
  return tables.filter(({ sectionId }) => sections.includes(sectionId))
}

export function suits({ capacity, least, isWalkInOnly }: FreeTable, people: number): boolean {
  return !isWalkInOnly && (capacity === null || people <= capacity) && (least === null || people >= least)
}

function unfit(tables: readonly FreeTable[], people: number): Reason[] {
  const answer = answerOf('tablesUnfit', { tables: tables.map(({ id }) => id).join(', '), numOfPeople: people })
  const seats = tables.reduce((sum, { capacity }) => sum + (capacity ?? Number.POSITIVE_INFINITY), 0)
  const names = tables.map(({ id, names: [name] }) => name || id).join(' and ')
  const small = `${names} ${tables.length === 1 ? 'seats' : 'seat'} ${seats}, and the party is ${people}`
  const kept = tables.filter(({ least }) => least !== null && people < least)
  const messages = [
    ...(tables.length > 0 && people > seats ? [small] : []),
    ...kept.map((table) => `table ${formatNamed(table)} is for ${table.least} or more, and the party is ${people}`),
  ]
  return messages.map((message) => reason('tables-unfit', message, answer))
}

function placeText({ sectionId, sectionName }: FreeTable): string {
  return formatNamed({ id: sectionId, names: sectionName === '' ? [] : [sectionName] })
}

/** Finds a section in its service, or else in the day; as typed if there is none. `reason` is null if it is fine. Fails: USAGE. */
export function findSection(look: Look, service: Offer | null, looksUp: LooksUp) {
  const { sectionId } = look.asked
  const all = service?.sections ?? look.day.offers.flatMap(({ sections }) => sections)
  const meant = findMeant(sectionId, '--section', all, looksUp)
  const asTyped = { id: sectionId, shown: sectionId, reason: null }
  // Without a schedule, the sections are not known. A missing ID is reported already.
  if (sectionId === '' || all.length === 0) return asTyped
  if (meant === null) {
    const whose = service === null ? '' : ` of ${formatNamed(service)}`
    const message = `${JSON.stringify(sectionId)} is no section${whose}${suggestNearest(sectionId, all)}`
    return { ...asTyped, reason: reason('section-unknown', message, look.noService) }
  }
  const { found, isName } = meant
  const message = `sectionId must be an ID, and ${JSON.stringify(sectionId)} is a name: it is ${found.id}`
  const isWrong = isName && !looksUp
  return {
    ...{ id: found.id, shown: formatNamed(found) },
    reason: isWrong ? reason('section-name', message, look.noService) : null,
  }
}

type OpenOffer = ReturnType<typeof openAt>[number]

/** The services that have room at the time of a request. */
export function openAt({ asked }: Look, offers: readonly Offer[]) {
  return offers.flatMap((offer) => {
    const slot = offer.times.find(({ atMs, isFree }) => atMs === asked.atMs && isFree)
    return slot ? [{ offer, slot }] : []
  })
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
  const where = section ? formatNamed(section) : sectionId
  const without = `${where} has no table for ${party} that is free for ${minutes} minutes from ${when}`
  if (isOpen) return reason('section-closed', without, noService)
  const why = whyFull(look, free, where, noService)
  if (why.code !== 'full') return why
  return reason('section-closed', `${where} is closed or full for ${party} at ${when}`, noService)
}
