import { dateIn } from '../../../base/time/zone.ts'
import { sumOf } from '../../../money/amount.ts'
import { dayOf, isAmong } from './closing.ts'
import type { Days, Difference, Kind, KnownSales, PosFile, PosSale, ServiceSale, StatementRow } from './ledger.ts'
import { KINDS } from './ledger.ts'
import * as words from './printed/words.ts'
import { type Judgement, judge } from './sale.ts'
import type { Units } from './units.ts'

/** Kinds about money. Other kinds count only where totals are compared. */
const OF_MONEY: ReadonlySet<Kind> = new Set(['missing', 'extra', 'doubled', 'total'])

/**
 * Compares the sales of the POS with those that the service lists. A sale of the file counts if either side closed it
 * on these days; a sale that only the service has, if it was closed on them. Both sides of a sale count whole, so that
 * the totals differ by exactly the sum of the differences.
 * @param known earlier writes. The service lists only sales with a booking, so an accepted sale that it does not list
 * counts with the total of the file, without a booking.
 */
export function compare(
  { sales, says }: PosFile,
  service: readonly ServiceSale[],
  days: Days,
  known: KnownSales = NOTHING_KNOWN,
) {
  const inFile = Map.groupBy(sales, ({ saleId }) => saleId)
  const listed = Map.groupBy(service, ({ saleId }) => saleId)
  const nameless = (listed.get(null) ?? []).map((one) => [one])
  const counts = {
    /** Sales without a total in the file: they count on neither side. */
    withoutTotal: 0,
    /** Sales on no booking at the service for which the file does not name one either. */
    unlinkedAnyway: 0,
    /** Sales only at the service that have no closing time, so that nobody knows their day. */
    undated: 0,
    otherDays: 0,
  }
  const judged: Judgement[] = []
  const hasSale = (id: string) => inFile.has(id) || listed.has(id)
  const isThen = ({ closedMs }: ServiceSale) => closedMs !== null && isAmong(dateIn(closedMs, days.timezone), days)
  for (const [saleId, lines] of inFile) {
    const rows = listed.get(saleId) ?? acceptedRows(lines, known.accepted.get(saleId))
    const counted = lines.some(({ closed }) => closed === null || isAmong(dayOf(closed, days.timezone), days))
    if (!counted && !rows.some(isThen)) {
      counts.otherDays++
      continue
    }
    const judgement = judge(lines, rows, days, known.doubtful.get(saleId))
    const orphan = says.has('originalSaleId') ? orphanOf(lines, rows, days, hasSale) : null
    judged.push({ ...judgement, differences: [...judgement.differences, ...(orphan === null ? [] : [orphan])] })
    if (judgement.pair?.pos.total === null) counts.withoutTotal++
    if (judgement.isUnlinkedAnyway) counts.unlinkedAnyway++
  }
  const extra = [...listed].flatMap(([saleId, rows]) => (saleId === null || inFile.has(saleId) ? [] : [rows]))
  for (const rows of [...extra, ...nameless]) {
    if (rows.every(({ closedMs }) => closedMs === null)) counts.undated++
    if (rows.some(isThen)) judged.push(judge([], rows, days))
  }
  return { ...reportOf(judged), ...missingOf(judged, inFile), counts }
}

export type Report = ReturnType<typeof compare>

const NOTHING_KNOWN: KnownSales = { accepted: new Map(), doubtful: new Map() }

function acceptedRows([first]: readonly PosSale[], acceptedBy: string | undefined): readonly ServiceSale[] {
  if (first === undefined || acceptedBy === undefined) return []
  const unknown = { bookingId: null, totalExTax: null, tax: null, closedMs: null }
  return [{ ...unknown, saleId: first.saleId, total: first.total, acceptedBy }]
}

function reportOf(judged: readonly Judgement[]) {
  const all = judged.flatMap(({ differences }) => differences)
  const kinds = KINDS.map((kind) => [kind, all.filter((one) => one.kind === kind)] as const)
  const [pos, service] = [sumOf(judged.map((one) => one.pos)), sumOf(judged.map((one) => one.service))]
  const sums = kinds.map(([kind, found]) => [kind, sumOf(found.map((one) => one.difference))])
  const byKind = Object.fromEntries(sums) as Readonly<Record<Kind, Units>>
  return {
    differences: kinds.flatMap(([, found]) => found),
    totals: { pos, service, difference: pos - service, byKind },
    statement: statementOf(judged),
  }
}

/** The missing sales that could be sent, and the IDs whose lines in the file contradict each other. */
function missingOf(judged: readonly Judgement[], inFile: ReadonlyMap<string, readonly PosSale[]>) {
  const lines = judged.flatMap(({ differences, pair }) =>
    pair !== null && differences.some(({ kind }) => kind === 'missing') ? [inFile.get(pair.pos.saleId) ?? []] : [],
  )
  const isSame = (sales: readonly PosSale[]) => new Set(sales.map(contentOf)).size === 1
  return {
    missing: lines.filter(isSame).flatMap(([first]) => first ?? []),
    undecided: lines.filter((sales) => !isSame(sales)).flatMap(([first]) => first?.saleId ?? []),
  }
}

function contentOf({ line: _line, ...content }: PosSale): string {
  return JSON.stringify(content, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** The difference for a refund whose sale, which only the file can name, is unnamed or on neither side; else null. */
function orphanOf(
  lines: readonly PosSale[],
  rows: readonly ServiceSale[],
  days: Days,
  hasSale: (id: string) => boolean,
): Difference | null {
  const refund = lines.find(({ type }) => type === 'REFUND')
  if (refund === undefined) return null
  const { saleId, originalSaleId: parent } = refund
  const isThere = parent !== null && parent !== saleId && hasSale(parent)
  return isThere ? null : words.orphan(refund, rows[0] ?? null, days)
}

function statementOf(judged: readonly Judgement[]): readonly StatementRow[] {
  const none = { count: 0, pos: 0n, service: 0n }
  const sums = new Map<StatementRow['kind'], typeof none>([['all', none]])
  const add = (kind: StatementRow['kind'], pos: Units, service: Units) => {
    const sum = sums.get(kind) ?? none
    sums.set(kind, { count: sum.count + 1, pos: sum.pos + pos, service: sum.service + service })
  }
  for (const one of judged) {
    const { pos, service } = one.surplus ?? { pos: 0n, service: 0n }
    const kinds = new Set(one.differences.map(({ kind }) => kind))
    const main = (['missing', 'extra', 'total'] as const).find((kind) => kinds.has(kind)) ?? 'equal'
    add(main, one.pos - pos, one.service - service)
    if (kinds.has('doubled')) add('doubled', pos, service)
    for (const kind of kinds) if (!OF_MONEY.has(kind)) add(kind, 0n, 0n)
    add('all', one.pos, one.service)
  }
  return (['equal', ...KINDS, 'all'] as const).flatMap((kind): StatementRow | [] => {
    const sum = sums.get(kind)
    if (sum === undefined) return []
    if (kind === 'equal' || kind === 'all' || OF_MONEY.has(kind))
      return { kind, ...sum, difference: sum.pos - sum.service }
    return { kind, count: sum.count, pos: null, service: null, difference: 0n }
  })
}
