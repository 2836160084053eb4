import { dateIn } from '../../../base/time/zone.ts'
import { sizeOf, sumOf } from '../../../money/amount.ts'
import { getClosingDay } from './closing.ts'
import type { Days, Difference, PosSale, ServiceSale } from './ledger.ts'
import * as words from './printed/words.ts'
import { type Units, unitsText } from './units.ts'

export type SaleComparison = Readonly<ReturnType<typeof compareSale>>

/**
 * Compares the file's lines and the service's records that have the same sale ID. `doubt` is the reason why the service
 * may have the sale without listing it.
 */
export function compareSale(lines: readonly PosSale[], rows: readonly ServiceSale[], days: Days, doubt?: string) {
  const [pos, service] = findBestPair(lines, rows)
  // If the file has no total for a sale, the sale is excluded from the totals of both sides.
  const isKnown = pos === null || pos.total !== null
  const posTotal = pos?.total ?? 0n
  const serviceTotal = isKnown ? (service?.total ?? 0n) : 0n
  const surplus = sumDuplicates(lines, rows, { pos, service })
  const differences: Difference[] = []
  if (pos !== null && service === null) differences.push(words.missing(pos, days, doubt))
  if (pos === null && service !== null) differences.push(words.extra(service, days))
  if (surplus !== null) differences.push(words.doubled(lines, rows, surplus.pos - surplus.service))
  if (pos !== null && service !== null) differences.push(...pairDifferences(pos, service, days))
  return {
    differences,
    /** The amounts that the sale adds to the totals of the two sides. */
    pos: posTotal + (surplus?.pos ?? 0n),
    service: serviceTotal + (surplus?.service ?? 0n),
    /** The line and the record that match best, or `null` if the sale is not in the file. */
    pair: pos === null ? null : { pos, service },
    surplus,
    /** Whether the sale has no booking in the service and no booking or table in the file. */
    isUnlinkedOnBothSides: service !== null && pos !== null && service.bookingId === null && !namesBookingOrTable(pos),
  }
}

function* pairDifferences(pos: PosSale, service: ServiceSale, { timezone }: Days): Generator<Difference> {
  if (pos.total !== null && pos.total !== service.total) yield words.total(pos, service, explainTotal(pos, service))
  if (service.bookingId === null) {
    if (namesBookingOrTable(pos)) yield words.unlinked(pos, service)
  } else if (pos.bookingId !== null && pos.bookingId !== service.bookingId) yield words.booking(pos, service)
  if (pos.closed === null || service.closedMs === null) return
  if (getClosingDay(pos.closed, timezone) !== dateIn(service.closedMs, timezone))
    yield words.day(pos, pos.closed, service, service.closedMs, timezone)
}

function namesBookingOrTable({ bookingId, table }: PosSale): boolean {
  return bookingId !== null || table !== null
}

/** Returns the line and the record that match best, or the first such pair if several match equally well. */
function findBestPair(lines: readonly PosSale[], rows: readonly ServiceSale[]): [PosSale | null, ServiceSale | null] {
  let best: readonly [PosSale | null, ServiceSale | null] = [lines[0] ?? null, rows[0] ?? null]
  let most = -1
  for (const pos of lines)
    for (const service of rows) {
      const fit =
        (pos.total === service.total ? 2 : 0) + (pos.bookingId !== null && pos.bookingId === service.bookingId ? 1 : 0)
      if (fit > most) [best, most] = [[pos, service], fit]
    }
  return [...best]
}

/** Returns the total of each side's duplicates, or `null` if neither side has any. */
function sumDuplicates(
  lines: readonly PosSale[],
  rows: readonly ServiceSale[],
  pair: { readonly pos: PosSale | null; readonly service: ServiceSale | null },
) {
  if (lines.length < 2 && rows.length < 2) return null
  return {
    pos: sumOf(lines.filter((one) => one !== pair.pos).map(({ total }) => total ?? 0n)),
    service: sumOf(rows.filter((one) => one !== pair.service).map(({ total }) => total ?? 0n)),
  }
}

function explainTotal(pos: PosSale, service: ServiceSale): string | null {
  if (pos.total === null) return null
  if (service.total === null) return 'the service lists no total'
  const { total } = service
  const plain = explainScale(pos.total, total)
  if (plain !== null) return plain
  for (const tax of knownTaxes(pos, service)) {
    const without = `the service's total excludes the tax of ${unitsText(sizeOf(tax))}`
    const within = `the service's total includes the tax of ${unitsText(sizeOf(tax))}, but the POS's does not`
    for (const [net, why] of [[pos.total - tax, without] as const, [pos.total + tax, within] as const]) {
      if (net === total) return why
      const more = explainScale(net, total)
      if (more !== null) return `${why}; and ${more}`
    }
  }
  return null
}

/**
 * Explains why two amounts differ by a factor of 100 or in their sign. Returns `null` if they differ in any other way.
 */
function explainScale(pos: Units, service: Units): string | null {
  if (pos === 0n || service === 0n) return null
  if (service === pos * 100n)
    return "the service's total is too high by a factor of 100: cents were mistaken for currency units"
  if (service * 100n === pos)
    return "the service's total is too low by a factor of 100: currency units were sent as cents"
  if (service === -pos) return "the service's total has the opposite sign"
  return null
}

/** Returns the tax amounts that either side gives for a sale, with the sign of the POS's total. */
function knownTaxes({ total, tax }: PosSale, service: ServiceSale): readonly Units[] {
  const shown = service.total !== null && service.totalExTax !== null ? service.total - service.totalExTax : null
  const known = [tax, service.tax, shown].filter((one) => one !== null && one !== 0n) as Units[]
  return [...new Set(known.map((one) => ((total ?? 0n) < 0n ? -sizeOf(one) : sizeOf(one))))]
}
