import { usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue, numberText, parseExact } from '../../base/json/exact.ts'
import { readJsonText } from '../../base/json/json-text.ts'
import { parseJson } from '../../base/json/parse.ts'
import { valueAt } from '../../base/json/paths.ts'
import { RecordStreamError } from '../../base/json/record-stream-error.ts'
import { hasRepeatedMember } from '../../base/json/repeated-member.ts'
import type { RawLine } from '../../base/storage/lines.ts'
import { DuplicateFinder } from '../../client/bulk/duplicates.ts'
import type { Input } from '../../client/bulk/input/input.ts'
import { digestOf } from '../../client/bulk/journal/entry.ts'
import type { BulkLine } from '../../client/bulk/run-lines.ts'
import { createSale } from '../../contract/sales.ts'
import { centsText } from '../../money/amount.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import type { TableMap } from '../shared/table-map.ts'
import { counted } from '../shared/views/wording.ts'
import { checkSaleTimes, isLinked, withRequiredParents, withSaleDefaults } from './sale-body.ts'

export interface SaleReading {
  /** Whether to validate the sales. It is `false` with `--no-validate`. */
  readonly isChecked: boolean
  /** The opening time, in epoch milliseconds, for sales that have none. */
  readonly now: number
  /** Maps the POS's table names to the service's. If it is `null`, the POS's names are sent unchanged. */
  readonly tables: TableMap | null
}

/**
 * Reads one sale from each line of a file and checks it as `sales create --data` does. Throws a system error if the
 * file cannot be read.
 */
export async function* readSaleLines(
  input: Input,
  reading: SaleReading,
): AsyncGenerator<readonly BulkLine<JsonObject>[]> {
  for await (const lines of input.lines()) yield await Promise.all(lines.map((line) => readSaleLine(line, reading)))
}

async function readSaleLine({ line, bytes }: RawLine, reading: SaleReading): Promise<BulkLine<JsonObject>> {
  const { isChecked, now, tables } = reading
  if (bytes === null) return { line, id: null, invalid: 'the line is longer than 16 MiB' }
  const read = readObject(bytes)
  if (typeof read === 'string') return { line, id: null, invalid: read }
  const { text, value } = read
  const saleId = valueAt(value, 'origin.saleId')
  const id = typeof saleId === 'string' && saleId.trim() !== '' ? saleId : null
  const mapped = tables?.applyTo(value) ?? { sale: value, problem: null }
  const body = withSaleDefaults(mapped.sale, now)
  const problems = new Problems()
  if (isChecked) {
    if (hasRepeatedMember(text)) problems.add('it contains a duplicate member')
    await validate(createSale.body, withRequiredParents(body), {}, problems)
    checkSaleTimes(body, problems, null)
  }
  // Without an ID, a later run cannot determine whether the sale was already sent.
  if (id === null && !problems.hasProblemWith('origin.saleId')) problems.add('origin.saleId is required')
  if (problems.lines.length > 0 || id === null) return { line, id, invalid: problems.lines.join('; ') }
  // Compute the digest before mapping, so that it does not depend on the table map.
  const digest = digestOf(JSON.stringify(sortMembers(value)))
  if (mapped.problem !== null && isChecked) return { line, id, digest, invalid: `table.number: ${mapped.problem}` }
  return { line, id, digest, item: body }
}

const MESSAGES: Readonly<Partial<Record<RecordStreamError['kind'], string>>> = {
  'bad-utf8': 'it is not UTF-8',
  truncated: 'the JSON is incomplete',
}

function readObject(bytes: Uint8Array): { readonly text: string; readonly value: JsonObject } | string {
  try {
    const text = readJsonText(bytes)
    const value = parseExact(text)
    return isJsonObject(value) ? { text, value } : 'it is not a JSON object'
  } catch (error) {
    if (!(error instanceof RecordStreamError)) throw error
    return MESSAGES[error.kind] ?? error.message.replace('the response ', 'it ')
  }
}

/** Sorts the members of all objects, because a POS may write them in a different order each time. */
function sortMembers(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sortMembers)
  if (!isJsonObject(value)) return value ?? null
  const names = Object.keys(value).sort()
  return Object.fromEntries(names.map((name) => [name, sortMembers(value[name])]))
}

/**
 * A summary of a file of sales. `unlinked` is a sentence about the sales that name no booking or table, or `null` if
 * there are none.
 */
export type SalesSummary = Awaited<ReturnType<typeof summarizeSales>>

const MAX_COMPLAINTS = 20

/**
 * Summarizes a file of sales. Throws USAGE if two lines share a sale ID, even if one is invalid, because either line
 * may be correct.
 */
export async function summarizeSales(name: string, read: () => AsyncIterable<readonly BulkLine<JsonObject>[]>) {
  const doubles = new DuplicateFinder()
  const sums: Sums = new Map()
  const complaints: { line: number; invalid: string }[] = []
  const firstUnlinked: number[] = []
  const count = { lines: 0, invalid: 0, unlinked: 0 }
  for await (const batch of read())
    for (const line of batch) {
      count.lines++
      if (line.id !== null) doubles.add(line.id)
      if ('invalid' in line) {
        if (count.invalid++ < MAX_COMPLAINTS) complaints.push({ line: line.line, invalid: line.invalid })
        continue
      }
      if (!isLinked(line.item) && count.unlinked++ < MAX_COMPLAINTS) firstUnlinked.push(line.line)
      addToSums(sums, line.item)
    }
  const found = await doubles.findDuplicates(() => idsOf(read()))
  const twice = found.map(({ id, lines }) => `sale ${JSON.stringify(id)} appears in lines ${lines.join(', ')}`)
  if (twice.length > 0)
    throw usageFailure(twice.slice(0, MAX_COMPLAINTS), `each sale may appear only once in ${name}; nothing was sent`)
  const { lines, invalid, unlinked } = count
  return {
    lines,
    invalid,
    complaints,
    unlinked: describeUnlinked(unlinked, firstUnlinked, lines),
    totals: computeTotals(sums),
  }
}

function describeUnlinked(count: number, first: readonly number[], lines: number): string | null {
  if (count === 0) return null
  const more = count > first.length ? ` and ${count - first.length} more` : ''
  const where = `${count === 1 ? 'line' : 'lines'} ${first.join(', ')}${more}`
  return `${count} of ${counted(lines, 'sale', 'sales')} without a booking or a table (${where}): the service cannot link them`
}

async function* idsOf(batches: AsyncIterable<readonly BulkLine<JsonObject>[]>) {
  for await (const batch of batches) for (const { id, line } of batch) if (id !== null) yield { id, line }
}

type Sums = Map<string, { sales: number; cents: bigint | null }>

function addToSums(sums: Sums, sale: JsonObject): void {
  const currency = valueAt(sale, 'total.currency')
  const key = JSON.stringify([typeof currency === 'string' ? currency : null, String(sale['type'])])
  const sum = sums.get(key) ?? { sales: 0, cents: null }
  const cents = numberText(valueAt(sale, 'total.amount'))
  sum.sales++
  if (cents !== null && /^-?\d+$/.test(cents)) sum.cents = (sum.cents ?? 0n) + BigInt(cents)
  sums.set(key, sum)
}

function computeTotals(sums: Sums): JsonObject[] {
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { sales, cents }]) => {
      const [currency, type] = parseJson(key) as [string | null, string]
      const totalCents = cents === null ? null : JSON.rawJSON(String(cents))
      return { currency, type, sales, totalCents, total: cents === null ? null : centsText(cents) }
    })
}
