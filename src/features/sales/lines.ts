import { isJsonObject, type JsonObject, type JsonValue, parseExact } from '../../base/json/exact.ts'
import { readJsonText } from '../../base/json/json-text.ts'
import { valueAt } from '../../base/json/paths.ts'
import { RecordStreamError } from '../../base/json/record-stream-error.ts'
import { hasRepeatedMember } from '../../base/json/repeated-member.ts'
import type { RawLine } from '../../base/storage/lines.ts'
import type { Input } from '../../client/bulk/input/input.ts'
import { digestOf } from '../../client/bulk/journal/entry.ts'
import type { BulkLine } from '../../client/bulk/run-lines.ts'
import { createSale } from '../../contract/sales.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { validate } from '../../terminal/input/validate.ts'
import type { TableMap } from '../shared/table-map.ts'
import { checkSaleOrder, saleToCheck, withSaleDefaults } from './sale-body.ts'

/** How the lines of an import are read. */
export interface SaleReading {
  /** False: as `--no-validate` asks. */
  readonly isChecked: boolean
  /** When a sale was opened that does not say so, epoch milliseconds. */
  readonly now: number
  /** What the service calls the tables of the till; null: as the till does. */
  readonly tables: TableMap | null
}

/** Reads the sales of a file, one a line, each checked as `sales create --data` checks it. Fails: the system's error. */
export async function* saleLines(input: Input, reading: SaleReading): AsyncGenerator<readonly BulkLine<JsonObject>[]> {
  for await (const lines of input.lines()) yield await Promise.all(lines.map((line) => saleLine(line, reading)))
}

async function saleLine({ line, bytes }: RawLine, reading: SaleReading): Promise<BulkLine<JsonObject>> {
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
    if (hasRepeatedMember(text)) problems.add('a member comes twice')
    await validate(createSale.body, saleToCheck(body), {}, problems)
    checkSaleOrder(body, problems, {
      names: ['openedZonedDateTime', 'closedZonedDateTime'],
      typed: [undefined, undefined],
    })
  }
  // Without it nobody could tell whether a sale has been sent: not even on request.
  if (id === null && !problems.names('origin.saleId')) problems.add('origin.saleId is required')
  if (problems.lines.length > 0 || id === null) return { line, id, invalid: problems.lines.join('; ') }
  // Of what the till wrote: a sale stays the one it was when the map of tables changes.
  const digest = digestOf(JSON.stringify(sorted(value)))
  if (mapped.problem !== null && isChecked) return { line, id, digest, invalid: `table.number: ${mapped.problem}` }
  return { line, id, digest, item: body }
}

const SAID: Readonly<Partial<Record<RecordStreamError['kind'], string>>> = {
  'bad-utf8': 'it is not UTF-8',
  truncated: 'the JSON stops before its end',
}

/** The object on a line, or what is wrong with it. */
function readObject(bytes: Uint8Array): { readonly text: string; readonly value: JsonObject } | string {
  try {
    const text = readJsonText(bytes)
    const value = parseExact(text)
    return isJsonObject(value) ? { text, value } : 'it is no JSON object'
  } catch (error) {
    if (!(error instanceof RecordStreamError)) throw error
    return SAID[error.kind] ?? error.message.replace('the answer ', 'it ')
  }
}

/** The same value whatever the order of its members: a till may write it anew. */
function sorted(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted)
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}
