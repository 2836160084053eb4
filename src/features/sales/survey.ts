import { usageFailure } from '../../base/failure/failure.ts'
import { type JsonObject, numberText } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { Doubles } from '../../client/bulk/doubles.ts'
import type { BulkLine } from '../../client/bulk/run-lines.ts'
import { centsText } from '../../money/amount.ts'
import { counted } from '../shared/views/wording.ts'
import { isLinked } from './sale-body.ts'

/** What a file of sales contains. `unlinked`: the sales without a booking and a table, in words; null if there are none. */
export type Survey = Awaited<ReturnType<typeof survey>>

const MOST_COMPLAINTS = 20

/** Reads a file once. Fails: USAGE if two lines, even invalid ones, have one sale ID: the correct line is not known. */
export async function survey(name: string, read: () => AsyncIterable<readonly BulkLine<JsonObject>[]>) {
  const doubles = new Doubles()
  const sums: Sums = new Map()
  const complaints: { line: number; invalid: string }[] = []
  const firstUnlinked: number[] = []
  const count = { lines: 0, invalid: 0, unlinked: 0 }
  for await (const batch of read())
    for (const line of batch) {
      count.lines++
      if (line.id !== null) doubles.see(line.id)
      if ('invalid' in line) {
        if (count.invalid++ < MOST_COMPLAINTS) complaints.push({ line: line.line, invalid: line.invalid })
        continue
      }
      if (!isLinked(line.item) && count.unlinked++ < MOST_COMPLAINTS) firstUnlinked.push(line.line)
      add(sums, line.item)
    }
  const found = await doubles.found(() => idsOf(read()))
  if (found.length > 0)
    throw usageFailure(
      found
        .slice(0, MOST_COMPLAINTS)
        .map(({ id, lines }) => `sale ${JSON.stringify(id)} stands in lines ${lines.join(', ')}`),
      `each sale must stand in ${name} once; nothing was sent`,
    )
  const { lines, invalid, unlinked } = count
  return { lines, invalid, complaints, unlinked: unlinkedText(unlinked, firstUnlinked, lines), totals: totalsOf(sums) }
}

function unlinkedText(count: number, first: readonly number[], lines: number): string | null {
  if (count === 0) return null
  const more = count > first.length ? ` and ${count - first.length} more` : ''
  const where = `${count === 1 ? 'line' : 'lines'} ${first.join(', ')}${more}`
  return `${count} of ${counted(lines, 'sale', 'sales')} without a booking or a table (${where}): the service cannot link them`
}

async function* idsOf(batches: AsyncIterable<readonly BulkLine<JsonObject>[]>) {
  for await (const batch of batches) for (const { id, line } of batch) if (id !== null) yield { id, line }
}

type Sums = Map<string, { sales: number; cents: bigint | null }>

function add(sums: Sums, sale: JsonObject): void {
  const currency = valueAt(sale, 'total.currency')
  const key = JSON.stringify([typeof currency === 'string' ? currency : null, String(sale['type'])])
  const sum = sums.get(key) ?? { sales: 0, cents: null }
  const cents = numberText(valueAt(sale, 'total.amount'))
  sum.sales++
  if (cents !== null && /^-?\d+$/.test(cents)) sum.cents = (sum.cents ?? 0n) + BigInt(cents)
  sums.set(key, sum)
}

function totalsOf(sums: Sums): JsonObject[] {
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { sales, cents }]) => {
      const [currency, type] = JSON.parse(key) as [string | null, string]
      const totalCents = cents === null ? null : JSON.rawJSON(String(cents))
      return { currency, type, sales, totalCents, total: cents === null ? null : centsText(cents) }
    })
}
