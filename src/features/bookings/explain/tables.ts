import { shownNamed } from '../../../client/named.ts'
import { findMeant, type LooksUp, nearWords, noService, type Occasion } from './asked.ts'
import { answerOf, partyText, type Reason, whenText } from './reason.ts'
import { type FreeTable, suits } from './venue.ts'

/** The tables that a request names. */
export interface FoundTables {
  /** Those of them that there are. */
  readonly tables: readonly FreeTable[]
  readonly reasons: readonly Reason[]
}

/** What is free, and what there is. */
export interface TablesSeen {
  /** Free for as long as the booking lasts. */
  readonly free: readonly FreeTable[]
  /** Free at some time of the day; asked for only when one that is named is not free. */
  readonly all: () => Promise<readonly FreeTable[]>
}

/**
 * Finds the tables that a request names, and says what is wrong with them, in the order in which the service looks.
 * `sectionId` is null if no section is chosen yet; the tables must then share one. Fails: USAGE.
 */
export async function checkTables(
  occasion: Occasion,
  { sectionId, looksUp }: { readonly sectionId: string | null; readonly looksUp: LooksUp },
  seen: TablesSeen,
): Promise<FoundTables> {
  const { tables: typed, people } = occasion
  const reasons: Reason[] = []
  const meant: FreeTable[] = []
  for (const text of typed) {
    const free = findMeant(text, '--table', seen.free, looksUp)
    const found = free ?? findMeant(text, '--table', await seen.all(), looksUp)
    const answer = answerOf('unknownTable', { table: text })
    if (found === null) {
      const near = nearWords(text, [...seen.free, ...(await seen.all())])
      reasons.push({ code: 'table-unknown', message: `there is no table ${JSON.stringify(text)}${near}`, answer })
      continue
    }
    meant.push(found.found)
    if (found.isName && !looksUp) {
      const message = `tables must be IDs, and ${JSON.stringify(text)} is a name: it is ${found.found.id}`
      reasons.push({ code: 'table-name', message, answer })
    }
  }
  const named = meant.filter((table, at) => meant.findIndex(({ id }) => id === table.id) === at)
  if (named.length < meant.length)
    reasons.push({ code: 'table-twice', message: 'a table is named twice', answer: answerOf('duplicateTables') })
  const inSection = sectionId ?? named[0]?.sectionId ?? ''
  for (const table of named)
    if (table.sectionId !== '' && table.sectionId !== inSection)
      reasons.push({
        code: 'table-elsewhere',
        message: `table ${shownNamed(table)} is in section ${placeText(table)}, not in ${JSON.stringify(inSection)}`,
        answer: answerOf('tableElsewhere', { table: table.id, sectionId: inSection }),
      })
  for (const table of named)
    if (table.isWalkInOnly)
      reasons.push({
        code: 'table-walk-ins-only',
        message: `table ${shownNamed(table)} takes walk-ins only`,
        answer: answerOf('walkInsOnly', { table: table.id }),
      })
  if (meant.length === typed.length) reasons.push(...unfit(named, people))
  for (const table of named)
    if (!seen.free.some(({ id }) => id === table.id))
      reasons.push({
        code: 'table-taken',
        message: `table ${shownNamed(table)} is taken at ${whenText(occasion.atMs, occasion.timezone)}`,
        answer: noService(occasion),
      })
  return { tables: named, reasons }
}

/** Whether tables would do at another time: all are there, of that section, and seat the party. */
export function wouldDo({ reasons }: FoundTables): boolean {
  return reasons.every(({ code }) => code === 'table-taken')
}

/** Why a party finds no room among the tables that are free: the reason as it is known, and in words. */
export function whyFull(
  occasion: Occasion,
  free: readonly FreeTable[],
  where: string,
): Pick<Reason, 'code' | 'message'> {
  const { people, atMs, timezone } = occasion
  const open = free.filter(({ isWalkInOnly }) => !isWalkInOnly)
  const at = whenText(atMs, timezone)
  const largest = open.toSorted((a, b) => (b.capacity ?? 0) - (a.capacity ?? 0))[0]
  if (open.length === 0 || largest === undefined)
    return { code: 'full', message: `no table of ${where} is free at ${at}` }
  if (largest.capacity !== null && people > largest.capacity)
    return {
      code: 'party-too-large',
      message: `${partyText(people)} are too many for the free tables of ${where} at ${at}: the largest, ${largest.names[0] || largest.id}, seats ${largest.capacity}`,
    }
  const least = Math.min(...open.map((table) => table.least ?? 0))
  if (people < least)
    return {
      code: 'party-too-small',
      message: `${partyText(people)} are too few for the free tables of ${where} at ${at}: they are for ${least} or more`,
    }
  return { code: 'full', message: `${where} has no room for ${partyText(people)} at ${at}` }
}

/** The reason of a party that no table takes at any time of the day; none where one does. */
export function tooManyForAll(
  { people }: Occasion,
  tables: readonly FreeTable[],
  where: string,
): Pick<Reason, 'code' | 'message'>[] {
  const seats = tables.filter(({ isWalkInOnly }) => !isWalkInOnly).map(({ capacity }) => capacity ?? people)
  const most = Math.max(0, ...seats)
  if (seats.length === 0 || people <= most) return []
  const message = `${partyText(people)} are too many for any table of ${where}: the largest seats ${most}`
  return [{ code: 'party-too-large', message }]
}

/** The tables of one of some sections. */
export function tablesOf(tables: readonly FreeTable[], sections: readonly string[]): readonly FreeTable[] {
  return tables.filter(({ sectionId }) => sections.includes(sectionId))
}

/** Whether one of the tables takes the party. */
export function hasRoom(tables: readonly FreeTable[], people: number): boolean {
  return tables.some((table) => suits(table, people))
}

function unfit(tables: readonly FreeTable[], people: number): Reason[] {
  const answer = answerOf('tablesUnfit', { tables: tables.map(({ id }) => id).join(', '), numOfPeople: people })
  const seats = tables.reduce((sum, { capacity }) => sum + (capacity ?? Number.POSITIVE_INFINITY), 0)
  const small = tables.length > 0 && people > seats
  const names = tables.map(({ id, names: [name] }) => name || id).join(' and ')
  const message = `${names} ${tables.length === 1 ? 'seats' : 'seat'} ${seats}, and the party is ${people}`
  const kept = tables.filter(({ least }) => least !== null && people < least)
  return [
    ...(small ? [{ code: 'tables-unfit' as const, message, answer }] : []),
    ...kept.map((table) => ({
      code: 'tables-unfit' as const,
      message: `table ${shownNamed(table)} is for ${table.least} or more, and the party is ${people}`,
      answer,
    })),
  ]
}

function placeText({ sectionId, sectionName }: FreeTable): string {
  return shownNamed({ id: sectionId, names: sectionName === '' ? [] : [sectionName] })
}
