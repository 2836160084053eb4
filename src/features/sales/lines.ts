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

export interface SaleReading {
  /** False with `--no-validate`. */
  readonly isChecked: boolean
  /** The opening time of sales without one, epoch milliseconds. */
  readonly now: number
  /** The service's names for the POS's tables; null to send the POS's own. */
  readonly tables: TableMap | null
}

/** Reads the sales of a file, one on each line, checked like `sales create --data`. Fails: the system's error. */
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
    checkSaleOrder(body, problems, null)
  }
  // Without it, nobody could ever tell whether a sale has been sent.
  if (id === null && !problems.names('origin.saleId')) problems.add('origin.saleId is required')
  if (problems.lines.length > 0 || id === null) return { line, id, invalid: problems.lines.join('; ') }
  // Of the POS's own text, so that a changed table map does not make it another sale.
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

/** Sorts members, because a POS may write them in another order next time. */
function sorted(value: JsonValue | undefined): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted)
  if (!isJsonObject(value)) return value ?? null
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}
