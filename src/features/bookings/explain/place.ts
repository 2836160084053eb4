import { formatNamed } from '../../../client/named.ts'
import { type FreeTable, type Offer, suggestNearest } from '../../shared/venue.ts'
import { findByIdOrName, type NameLookup, type Reason, reason, serviceMessage } from './reason.ts'
import type { VenueContext } from './venue-context.ts'

/**
 * Checks the requested tables in the same order as the service does. If `sectionId` is `null`, the tables may be in any
 * section, but must all be in the same one. Throws USAGE for an ambiguous name.
 */
export async function checkTables(
  context: VenueContext,
  minutes: number,
  sectionId: string | null,
  looksUp: NameLookup,
) {
  const { tables: typed } = context.asked
  const free = typed.length > 0 ? await context.free(minutes) : []
  const reasons: Reason[] = []
  const meant: FreeTable[] = []
  for (const text of typed) {
    const answer = serviceMessage('unknownTable', { table: text })
    const one =
      findByIdOrName(text, '--table', free, looksUp) ?? findByIdOrName(text, '--table', await context.all(), looksUp)
    if (one === null) {
      const near = suggestNearest(text, [...free, ...(await context.all())])
      reasons.push(reason('table-unknown', `the venue has no table ${JSON.stringify(text)}${near}`, answer))
      continue
    }
    meant.push(one.found)
    if (one.isName && !looksUp) {
      const message = `tables must be IDs, but ${JSON.stringify(text)} is the name of ${one.found.id}`
      reasons.push(reason('table-name', message, answer))
    }
  }
  const tables = meant.filter((table, at) => meant.findIndex(({ id }) => id === table.id) === at)
  if (tables.length < meant.length)
    reasons.push(reason('table-twice', 'a table is listed twice', serviceMessage('duplicateTables')))
  const inSection = sectionId ?? tables[0]?.sectionId ?? ''
  for (const table of tables)
    if (table.sectionId !== '' && table.sectionId !== inSection) {
      const message = `table ${formatNamed(table)} is in section ${formatSection(table)}, not in ${JSON.stringify(inSection)}`
      const answer = serviceMessage('tableElsewhere', { table: table.id, sectionId: inSection })
      reasons.push(reason('table-elsewhere', message, answer))
    }
  for (const table of tables)
    if (table.isWalkInOnly) {
      const answer = serviceMessage('walkInsOnly', { table: table.id })
      reasons.push(reason('table-walk-ins-only', `table ${formatNamed(table)} takes walk-ins only`, answer))
    }
  if (meant.length === typed.length) reasons.push(...checkCapacity(tables, context.asked.people))
  for (const table of tables)
    if (!free.some(({ id }) => id === table.id))
      reasons.push(reason('table-taken', `table ${formatNamed(table)} is in use at ${context.when}`, context.noService))
  return { tables, reasons }
}

/** Explains why the party cannot have any of the free tables. */
export function explainFull(context: VenueContext, free: readonly FreeTable[], where: string, answer: string): Reason {
  const { party, when } = context
  const { people } = context.asked
  const open = free.filter(({ isWalkInOnly }) => !isWalkInOnly)
  const largest = open.toSorted((a, b) => (b.capacity ?? 0) - (a.capacity ?? 0))[0]
  if (largest === undefined) return reason('full', `no table in ${where} is free at ${when}`, answer)
  if (largest.capacity !== null && people > largest.capacity) {
    const room = `the largest, ${largest.names[0] || largest.id}, seats ${largest.capacity}`
    const message = `a party of ${people} is too large for the free tables in ${where} at ${when}: ${room}`
    return reason('party-too-large', message, answer)
  }
  const least = Math.min(...open.map((table) => table.least ?? 0))
  if (people < least) {
    const message = `a party of ${people} is too small for the free tables in ${where} at ${when}, which are for parties of ${least} or more`
    return reason('party-too-small', message, answer)
  }
  return reason('full', `${where} has no room for ${party} at ${when}`, answer)
}

/** Returns a reason if even the largest table that day is too small for the party; otherwise returns an empty list. */
export function checkLargestTable(
  context: VenueContext,
  tables: readonly FreeTable[],
  where: string,
  answer: string,
): Reason[] {
  const { people } = context.asked
  const seats = tables.filter(({ isWalkInOnly }) => !isWalkInOnly).map(({ capacity }) => capacity ?? people)
  const most = Math.max(0, ...seats)
  if (seats.length === 0 || people <= most) return []
  const message = `a party of ${people} is too large for any table in ${where}: the largest seats ${most}`
  return [reason('party-too-large', message, answer)]
}

export function tablesInSections(tables: readonly FreeTable[], sections: readonly string[]): readonly FreeTable[] {
  return tables.filter(({ sectionId }) => sections.includes(sectionId))
}

export function isSuitable({ capacity, least, isWalkInOnly }: FreeTable, people: number): boolean {
  return !isWalkInOnly && (capacity === null || people <= capacity) && (least === null || people >= least)
}

function checkCapacity(tables: readonly FreeTable[], people: number): Reason[] {
  const answer = serviceMessage('tablesUnfit', { tables: tables.map(({ id }) => id).join(', '), numOfPeople: people })
  const seats = tables.reduce((sum, { capacity }) => sum + (capacity ?? Number.POSITIVE_INFINITY), 0)
  const names = tables.map(({ id, names: [name] }) => name || id).join(' and ')
  const small = `${names} ${tables.length === 1 ? 'seats' : 'seat'} ${seats}, and the party is ${people}`
  const kept = tables.filter(({ least }) => least !== null && people < least)
  const messages = [
    ...(tables.length > 0 && people > seats ? [small] : []),
    ...kept.map((table) => `table ${formatNamed(table)} is for parties of ${table.least} or more, not ${people}`),
  ]
  return messages.map((message) => reason('tables-unfit', message, answer))
}

function formatSection({ sectionId, sectionName }: FreeTable): string {
  return formatNamed({ id: sectionId, names: sectionName === '' ? [] : [sectionName] })
}

/**
 * Finds a section of the requested service, or of any service that day if the service is unknown. If no such section
 * exists, returns the text as typed. `reason` is `null` if nothing is wrong. Throws USAGE for an ambiguous name.
 */
export function findSection(context: VenueContext, service: Offer | null, looksUp: NameLookup) {
  const { sectionId } = context.asked
  const all = service?.sections ?? context.day.offers.flatMap(({ sections }) => sections)
  const meant = findByIdOrName(sectionId, '--section', all, looksUp)
  const asTyped = { id: sectionId, shown: sectionId, reason: null }
  // If the schedule lists no sections, the ID cannot be checked. A missing section ID has already been reported.
  if (sectionId === '' || all.length === 0) return asTyped
  if (meant === null) {
    const whose = service === null ? '' : ` in ${formatNamed(service)}`
    const message = `there is no section ${JSON.stringify(sectionId)}${whose}${suggestNearest(sectionId, all)}`
    return { ...asTyped, reason: reason('section-unknown', message, context.noService) }
  }
  const { found, isName } = meant
  const message = `sectionId must be an ID, but ${JSON.stringify(sectionId)} is the name of ${found.id}`
  const isWrong = isName && !looksUp
  return {
    ...{ id: found.id, shown: formatNamed(found) },
    reason: isWrong ? reason('section-name', message, context.noService) : null,
  }
}

type OpenOffer = ReturnType<typeof findOpenServices>[number]

/** Returns the services that have room at the requested time. */
export function findOpenServices({ asked }: VenueContext, offers: readonly Offer[]) {
  return offers.flatMap((offer) => {
    const slot = offer.times.find(({ atMs, isFree }) => atMs === asked.atMs && isFree)
    return slot ? [{ offer, slot }] : []
  })
}

/**
 * Explains why the section has no room in any open service. If `sectionId` is `null`, considers all sections. Returns
 * `null` if a service has room or if no service is open.
 */
export async function explainClosedSections(
  context: VenueContext,
  offers: readonly OpenOffer[],
  sectionId: string | null,
) {
  const reasons: Reason[] = []
  for (const open of offers)
    for (const id of sectionId === null ? open.offer.sections.map((section) => section.id) : [sectionId]) {
      const closed = await explainClosedSection(context, open, id)
      if (closed === null) return null
      reasons.push(closed)
    }
  const [first = null] = reasons
  if (first === null || reasons.length === 1 || sectionId !== null) return first
  const minutes = Math.min(...offers.map(({ offer }) => context.minutesIn(offer)))
  const message = `no section has room for ${context.party} for ${minutes} minutes from ${context.when}`
  return { ...first, code: 'full' as const, message }
}

/** Explains why a section has no room although its service does. Returns `null` if the section has room. */
async function explainClosedSection(
  context: VenueContext,
  { offer, slot }: OpenOffer,
  sectionId: string,
): Promise<Reason | null> {
  const { when, party, noService } = context
  const minutes = context.minutesIn(offer)
  const isOpen = slot.sections?.has(sectionId) ?? true
  const isLonger = offer.minutes !== null && minutes > offer.minutes
  if (isOpen && !isLonger) return null
  const free = tablesInSections(await context.free(Math.max(minutes, offer.minutes ?? 0)), [sectionId])
  if (isOpen && free.some((table) => isSuitable(table, context.asked.people))) return null
  const section = offer.sections.find(({ id }) => id === sectionId)
  const where = section ? formatNamed(section) : sectionId
  const without = `${where} has no table for ${party} that is free for ${minutes} minutes from ${when}`
  if (isOpen) return reason('section-closed', without, noService)
  const why = explainFull(context, free, where, noService)
  if (why.code !== 'full') return why
  return reason('section-closed', `${where} is closed or full for ${party} at ${when}`, noService)
}
