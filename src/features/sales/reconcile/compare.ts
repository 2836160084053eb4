import { dateIn } from '../../../base/time/zone.ts'
import { sumOf } from '../../../money/amount.ts'
import { getClosingDay, isInDays } from './closing.ts'
import type { Days, Difference, Kind, KnownSales, PosFile, PosSale, ServiceSale, StatementRow } from './ledger.ts'
import { KINDS } from './ledger.ts'
import * as words from './printed/words.ts'
import { compareSale, type SaleComparison } from './sale.ts'
import type { Units } from './units.ts'

/** The kinds of differences whose rows in the statement contain amounts. Rows of other kinds contain only a count. */
const MONEY_KINDS: ReadonlySet<Kind> = new Set(['missing', 'extra', 'doubled', 'total'])

/**
 * Compares the sales of the POS with those of the service. Includes a sale if either side closed it on one of the
 * compared days, or if the file does not say when it closed. The amounts of both sides then count in full, so that the
 * differences add up to the difference between the totals. The service lists only sales with a booking. If an unlisted
 * sale is `known` to be accepted, its total in the file counts on both sides.
 */
export function compare(
  { sales, keys }: PosFile,
  service: readonly ServiceSale[],
  days: Days,
  known: KnownSales = NOTHING_KNOWN,
) {
  const inFile = groupBySaleId(sales)
  const listed = groupBySaleId(service)
  const counts = {
    /** Sales that have no total in the file. They are excluded from the totals of both sides. */
    withoutTotal: 0,
    /** Sales that have neither a booking in the service nor a booking or table in the file. */
    unlinkedOnBothSides: 0,
    /** Sales that only the service lists and whose day is unknown because they have no closing time. */
    undated: 0,
    otherDays: 0,
  }
  const report = new ReportBuilder()
  const hasSale = (id: string) => inFile.has(id) || listed.has(id)
  const isInPeriod = ({ closedMs }: ServiceSale) => closedMs !== null && isInDays(dateIn(closedMs, days.timezone), days)
  for (const [saleId, group] of inFile) {
    const lines = toArray(group)
    const found = listed.get(saleId)
    const rows = found === undefined ? acceptedRows(lines, known.accepted.get(saleId)) : toArray(found)
    const counted = lines.some(({ closed }) => closed === null || isInDays(getClosingDay(closed, days.timezone), days))
    if (!counted && !rows.some(isInPeriod)) {
      counts.otherDays++
      continue
    }
    const comparison = compareSale(lines, rows, days, known.doubtful.get(saleId))
    const orphan = keys.has('originalSaleId') ? findOrphan(lines, rows, days, hasSale) : null
    if (orphan !== null) comparison.differences.push(orphan)
    report.add(comparison, lines)
    if (comparison.pair?.pos.total === null) counts.withoutTotal++
    if (comparison.isUnlinkedOnBothSides) counts.unlinkedOnBothSides++
  }
  const addExtra = (rows: readonly ServiceSale[]) => {
    if (rows.every(({ closedMs }) => closedMs === null)) counts.undated++
    if (rows.some(isInPeriod)) report.add(compareSale([], rows, days), [])
  }
  for (const [saleId, rows] of listed) if (saleId !== null && !inFile.has(saleId)) addExtra(toArray(rows))
  for (const one of toArray(listed.get(null) ?? [])) addExtra([one])
  return { ...report.build(), counts }
}

export type Report = ReturnType<typeof compare>

const NOTHING_KNOWN: KnownSales = { accepted: new Map(), doubtful: new Map() }

/** One sale, or an array of sales with the same ID. A single sale is stored without an array to save memory. */
type Group<T> = T | T[]

function groupBySaleId<T extends { readonly saleId: string | null }>(sales: readonly T[]) {
  const groups = new Map<T['saleId'], Group<T>>()
  for (const sale of sales) {
    const before = groups.get(sale.saleId)
    if (Array.isArray(before)) before.push(sale)
    else groups.set(sale.saleId, before === undefined ? sale : [before, sale])
  }
  return groups
}

function toArray<T>(group: Group<T>): readonly T[] {
  return Array.isArray(group) ? group : [group]
}

function acceptedRows([first]: readonly PosSale[], acceptedBy: string | undefined): readonly ServiceSale[] {
  if (first === undefined || acceptedBy === undefined) return []
  const unknown = { bookingId: null, totalExTax: null, tax: null, closedMs: null }
  return [{ ...unknown, saleId: first.saleId, total: first.total, acceptedBy }]
}

/** Collects the differences and adds up the amounts of all compared sales. Keeps only the sales that differ. */
class ReportBuilder {
  readonly #found = new Map<Kind, Difference[]>(KINDS.map((kind) => [kind, []]))
  readonly #sums = new Map<StatementRow['kind'], { count: number; pos: Units; service: Units }>([
    ['all', { count: 0, pos: 0n, service: 0n }],
  ])
  readonly #missing: PosSale[] = []
  readonly #undecided: string[] = []

  add({ differences, pos, service, surplus, pair }: SaleComparison, lines: readonly PosSale[]): void {
    for (const one of differences) this.#found.get(one.kind)?.push(one)
    const kinds = new Set(differences.map(({ kind }) => kind))
    const [first] = lines
    if (pair !== null && first !== undefined && kinds.has('missing')) {
      if (new Set(lines.map(serializeContent)).size === 1) this.#missing.push(first)
      else this.#undecided.push(first.saleId)
    }
    const more = surplus ?? { pos: 0n, service: 0n }
    const main = (['missing', 'extra', 'total'] as const).find((kind) => kinds.has(kind)) ?? 'equal'
    this.#count(main, pos - more.pos, service - more.service)
    if (kinds.has('doubled')) this.#count('doubled', more.pos, more.service)
    for (const kind of kinds) if (!MONEY_KINDS.has(kind)) this.#count(kind, 0n, 0n)
    this.#count('all', pos, service)
  }

  #count(kind: StatementRow['kind'], pos: Units, service: Units): void {
    const sum = this.#sums.get(kind) ?? { count: 0, pos: 0n, service: 0n }
    this.#sums.set(kind, { count: sum.count + 1, pos: sum.pos + pos, service: sum.service + service })
  }

  build() {
    const sums = KINDS.map((kind) => [kind, sumOf(this.#found.get(kind)?.map((one) => one.difference) ?? [])])
    const byKind = Object.fromEntries(sums) as Readonly<Record<Kind, Units>>
    const { pos, service } = this.#sums.get('all') ?? { pos: 0n, service: 0n }
    return {
      differences: [...this.#found.values()].flat(),
      totals: { pos, service, difference: pos - service, byKind },
      statement: this.#statement(),
      /** The missing sales that an import can submit. */
      missing: this.#missing,
      /** The IDs of missing sales that have contradictory lines in the file. */
      undecided: this.#undecided,
    }
  }

  #statement(): readonly StatementRow[] {
    return (['equal', ...KINDS, 'all'] as const).flatMap((kind): StatementRow | [] => {
      const sum = this.#sums.get(kind)
      if (sum === undefined) return []
      if (kind === 'equal' || kind === 'all' || MONEY_KINDS.has(kind))
        return { kind, ...sum, difference: sum.pos - sum.service }
      return { kind, count: sum.count, pos: null, service: null, difference: 0n }
    })
  }
}

function serializeContent({ line: _line, ...content }: PosSale): string {
  return JSON.stringify(content, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** Returns a difference if a refund does not name its original sale, or if neither side has that sale. */
function findOrphan(
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
