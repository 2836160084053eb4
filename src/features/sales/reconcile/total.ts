import type { PosSale, ServiceSale } from './ledger.ts'
import { type Units, unitsText } from './units.ts'

/** Why two totals differ, in words; null when nothing explains it. */
export function whyTotal(pos: PosSale, service: ServiceSale): string | null {
  if (pos.total === null) return null
  if (service.total === null) return 'the service shows no total'
  const { total } = service
  const plain = scaled(pos.total, total)
  if (plain !== null) return plain
  for (const tax of taxesOf(pos, service)) {
    const without = `the service's total is without the tax of ${unitsText(size(tax))}`
    const within = `the service's total has the tax of ${unitsText(size(tax))} in it, and the POS's has not`
    for (const [net, words] of [[pos.total - tax, without] as const, [pos.total + tax, within] as const]) {
      if (net === total) return words
      const more = net === 0n ? null : scaled(net, total)
      if (more !== null) return `${words}; and ${more}`
    }
  }
  return null
}

/** Why one amount stands where the other should; null when they have nothing to do with each other. */
function scaled(pos: Units, service: Units): string | null {
  if (pos === 0n || service === 0n) return null
  if (service === pos * 100n) return 'the service has 100 times as much: cents were taken for currency units'
  if (service * 100n === pos) return 'the service has a 100th of it: currency units were sent as cents'
  if (service === -pos) return 'the service has it with the other sign'
  return null
}

/** The taxes that are known of a sale, with the sign of the POS's total. */
function taxesOf({ total, tax }: PosSale, service: ServiceSale): readonly Units[] {
  const shown = service.total !== null && service.totalExTax !== null ? service.total - service.totalExTax : null
  const known = [tax, service.tax, shown].filter((one) => one !== null && one !== 0n) as Units[]
  return [...new Set(known.map((one) => ((total ?? 0n) < 0n ? -size(one) : size(one))))]
}

function size(units: Units): Units {
  return units < 0n ? -units : units
}
