import { dateIn } from '../../../base/time/zone.ts'
import { dayOf, isAmong } from './closing.ts'
import {
  type Days,
  type Difference,
  KINDS,
  type Kind,
  type KnownSales,
  type PosFile,
  type PosSale,
  type Report,
  type ServiceSale,
  type StatementRow,
} from './ledger.ts'
import * as words from './printed/words.ts'
import { type Judgement, judge } from './sale.ts'
import type { Units } from './units.ts'

/** Where the sale that a refund gives back may be. */
interface Known {
  readonly inFile: ReadonlyMap<string, unknown>
  readonly listed: ReadonlyMap<string, unknown>
  readonly days: Days
}

/** The kinds that are about money; of the others it counts where the totals are compared. */
const OF_MONEY: ReadonlySet<Kind> = new Set(['missing', 'extra', 'doubled', 'total'])

/**
 * Compares the sales of the POS with those that the service lists. What counts is each sale of the file that was closed on these days, by
 * either side, and each sale only at the service that was closed on them. Of a sale that counts, all that both sides have counts: the
 * totals differ by exactly what the differences add up to.
 * @param known what earlier writes say. The service lists only sales that are linked to a booking, so a sale that was accepted and is not
 * listed counts at the service with the total of the file, linked to no booking.
 */
export function compare(
  { sales, says }: PosFile,
  service: readonly ServiceSale[],
  days: Days,
  known: KnownSales = NOTHING_KNOWN,
): Report {
  const inFile = grouped(sales, ({ saleId }) => saleId)
  const listed = grouped(
    service.filter(({ saleId }) => saleId !== null),
    ({ saleId }) => saleId ?? '',
  )
  const counts = { withoutTotal: 0, unlinkedAnyway: 0, undated: 0, otherDays: 0 }
  const judged: Judgement[] = []
  const isThen = ({ closedMs }: ServiceSale) => closedMs !== null && isAmong(dateIn(closedMs, days.timezone), days)
  for (const [saleId, lines] of inFile) {
    const rows = listed.get(saleId) ?? acceptedRows(lines, known.accepted.get(saleId))
    const counted = lines.some(({ closed }) => closed === null || isAmong(dayOf(closed, days.timezone), days))
    if (!counted && !rows.some(isThen)) {
      counts.otherDays++
      continue
    }
    const judgement = judge(lines, rows, days, known.doubtful.get(saleId))
    const orphan = says.has('originalSaleId') ? orphanOf(lines, rows, { inFile, listed, days }) : null
    judged.push({ ...judgement, differences: [...judgement.differences, ...(orphan === null ? [] : [orphan])] })
    if (judgement.pair?.pos.total === null) counts.withoutTotal++
    if (judgement.isUnlinkedAnyway) counts.unlinkedAnyway++
  }
  for (const rows of onlyAtService(service, listed, inFile)) {
    if (rows.every(({ closedMs }) => closedMs === null)) counts.undated++
    if (rows.some(isThen)) judged.push(judge([], rows, days))
  }
  return { ...reportOf(judged), ...missingOf(judged, inFile), counts }
}

const NOTHING_KNOWN: KnownSales = { accepted: new Map(), doubtful: new Map() }

function acceptedRows([first]: readonly PosSale[], acceptedBy: string | undefined): readonly ServiceSale[] {
  if (first === undefined || acceptedBy === undefined) return []
  const unknown = { bookingId: null, totalExTax: null, tax: null, closedMs: null }
  return [{ ...unknown, saleId: first.saleId, total: first.total, acceptedBy }]
}

function onlyAtService(
  service: readonly ServiceSale[],
  listed: ReadonlyMap<string, readonly ServiceSale[]>,
  inFile: ReadonlyMap<string, unknown>,
): readonly (readonly ServiceSale[])[] {
  const nameless = service.filter(({ saleId }) => saleId === null).map((one) => [one])
  return [...[...listed].filter(([saleId]) => !inFile.has(saleId)).map(([, rows]) => rows), ...nameless]
}

function reportOf(judged: readonly Judgement[]): Pick<Report, 'differences' | 'totals' | 'statement'> {
  const all = judged.flatMap(({ differences }) => differences)
  const differences = KINDS.flatMap((kind) => all.filter((one) => one.kind === kind))
  const sum = (of: readonly bigint[]) => of.reduce((total, one) => total + one, 0n)
  const pos = sum(judged.map((one) => one.pos))
  const service = sum(judged.map((one) => one.service))
  const byKind = Object.fromEntries(
    KINDS.map((kind) => [kind, sum(of(differences, kind).map(({ difference }) => difference))]),
  ) as Report['totals']['byKind']
  return {
    differences,
    totals: { pos, service, difference: pos - service, byKind },
    statement: statementOf(judged),
  }
}

function of(differences: readonly Difference[], kind: Difference['kind']): readonly Difference[] {
  return differences.filter((one) => one.kind === kind)
}

/** Which missing sales could be sent, and which stand in lines that differ from each other. */
function missingOf(
  judged: readonly Judgement[],
  inFile: ReadonlyMap<string, readonly PosSale[]>,
): Pick<Report, 'missing' | 'undecided'> {
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

function grouped<T>(all: readonly T[], key: (one: T) => string): Map<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const group = groups.get(key(one))
    if (group) group.push(one)
    else groups.set(key(one), [one])
  }
  return groups
}

/**
 * The difference of a refund without its sale: it names none, or one that neither the file nor the service has on the days that were
 * read. The service does not show which sale a refund is of: the file alone says so. Null for anything else.
 */
function orphanOf(
  lines: readonly PosSale[],
  rows: readonly ServiceSale[],
  { inFile, listed, days }: Known,
): Difference | null {
  const refund = lines.find(({ type }) => type === 'REFUND')
  if (refund === undefined) return null
  const { saleId, originalSaleId: parent } = refund
  const isThere = parent !== null && parent !== saleId && (inFile.has(parent) || listed.has(parent))
  return isThere ? null : words.orphan(refund, rows[0] ?? null, days)
}

function statementOf(judged: readonly Judgement[]): readonly StatementRow[] {
  const sums = new Map<StatementRow['kind'], { count: number; pos: Units; service: Units }>()
  const add = (kind: StatementRow['kind'], pos: Units, service: Units) => {
    const sum = sums.get(kind) ?? { count: 0, pos: 0n, service: 0n }
    sums.set(kind, { count: sum.count + 1, pos: sum.pos + pos, service: sum.service + service })
  }
  for (const one of judged) {
    const { pos: posSurplus, service: serviceSurplus } = one.surplus ?? { pos: 0n, service: 0n }
    const [pos, service] = [one.pos - posSurplus, one.service - serviceSurplus]
    const kinds = new Set(one.differences.map(({ kind }) => kind))
    const main = (['missing', 'extra', 'total'] as const).find((kind) => kinds.has(kind)) ?? 'equal'
    add(main, pos, service)
    if (kinds.has('doubled')) add('doubled', posSurplus, serviceSurplus)
    for (const kind of kinds) if (!OF_MONEY.has(kind)) add(kind, 0n, 0n)
    add('all', one.pos, one.service)
  }
  const rows = (['equal', ...KINDS, 'all'] as const).map((kind): StatementRow | null => {
    const sum = sums.get(kind) ?? (kind === 'all' ? { count: 0, pos: 0n, service: 0n } : null)
    if (sum === null) return null
    const { count, pos, service } = sum
    if (kind === 'equal' || kind === 'all' || OF_MONEY.has(kind))
      return { kind, count, pos, service, difference: pos - service }
    return { kind, count, pos: null, service: null, difference: 0n }
  })
  return rows.filter((row) => row !== null)
}
