import { dateIn } from '../../../base/time/zone.ts'
import { dayOf, isAmong } from './closing.ts'
import {
  type Days,
  type Difference,
  KINDS,
  type KnownSales,
  type PosFile,
  type PosSale,
  type Report,
  type ServiceSale,
} from './ledger.ts'
import { orphanOf } from './refund.ts'
import { type Judgement, judge } from './sale.ts'
import { statementOf } from './statement.ts'

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
