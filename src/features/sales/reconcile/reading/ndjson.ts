import { isJsonObject, type JsonObject, numberText, parseExact, withoutExponent } from '../../../../base/json/exact.ts'
import { readJsonText } from '../../../../base/json/json-text.ts'
import { valueAt } from '../../../../base/json/paths.ts'
import { RecordStreamError } from '../../../../base/json/record-stream-error.ts'
import type { RawLine } from '../../../../base/storage/lines.ts'
import { parseWireTime } from '../../../../base/time/wire-time.ts'
import type { Input } from '../../../../client/bulk/input/input.ts'
import { limitHeapGrowth } from '../../../../terminal/output/heap.ts'
import {
  type Closing,
  MAP_KEYS,
  type PosFile,
  type PosSale,
  parseSaleType,
  type SaleType,
  withSign,
} from '../ledger.ts'
import { type Units, unitsOfCents } from '../units.ts'
import { UnreadableLines } from './unread-lines.ts'

const MANY = 2000

/** Reads sales from NDJSON. Members that only `POST /Sales` needs may be missing. Throws USAGE or a system error. */
export async function readNdjson(input: Pick<Input, 'name' | 'lines'>): Promise<PosFile> {
  const unread = new UnreadableLines()
  const sales: PosSale[] = []
  for await (const lines of input.lines()) {
    if (sales.length > MANY) await limitHeapGrowth()
    for (const raw of lines) {
      const read = readLine(raw)
      if (typeof read === 'string') unread.add(raw.line, read)
      else sales.push(read)
    }
  }
  unread.throwIfAny(input.name)
  return { sales, keys: new Set(MAP_KEYS) }
}

/** Returns the text of the lines with the given numbers. Throws a system error if the file cannot be read. */
export async function readLineTexts(input: Input, wanted: ReadonlySet<number>): Promise<string[]> {
  const texts: string[] = []
  for await (const lines of input.lines())
    for (const { line, bytes } of lines)
      if (bytes !== null && wanted.has(line)) texts.push(Buffer.from(bytes).toString('utf8').trim())
  return texts
}

function readLine({ line, bytes }: RawLine): PosSale | string {
  if (bytes === null) return 'it is longer than 16 MiB'
  try {
    const value = parseExact(readJsonText(bytes))
    return isJsonObject(value) ? parseSale(value, line) : 'it is not a JSON object'
  } catch (error) {
    if (error instanceof Unreadable) return error.message
    if (!(error instanceof RecordStreamError)) throw error
    return error.message.replace('the response ', 'it ')
  }
}

class Unreadable extends Error {}

function parseSale(sale: JsonObject, line: number): PosSale {
  if (sale['saleDetail'] !== undefined)
    throw new Unreadable(
      "it is a sale in the format of the service's list: pass the POS's sales, in the format of sales import",
    )
  const saleId = textAt(sale, 'origin.saleId')
  if (saleId === null) throw new Unreadable('origin.saleId is required')
  const type = typeAt(sale)
  const total = priceAt(sale, 'total')
  return {
    line,
    saleId,
    total: total && withSign(total, type),
    tax: priceAt(sale, 'tax'),
    bookingId: textAt(sale, 'bookingId'),
    table: textAt(sale, 'table.number'),
    closed: parseClosing(sale),
    type,
    originalSaleId: textAt(sale, 'origin.originalSaleId'),
    currency: textAt(sale, 'total.currency'),
  }
}

function typeAt(sale: JsonObject): SaleType {
  const text = textAt(sale, 'type') ?? 'SALE'
  const type = parseSaleType(text)
  if (type === null) throw new Unreadable(`type must be SALE, REFUND or VOID, not ${JSON.stringify(text)}`)
  return type
}

function textAt(sale: JsonObject, path: string): string | null {
  const value = valueAt(sale, path)
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new Unreadable(`${path} must be text`)
  return value.trim() === '' ? null : value
}

function priceAt(sale: JsonObject, member: string): Units | null {
  const price = sale[member]
  if (price === undefined || price === null) return null
  const amount = isJsonObject(price) ? numberText(price['amount']) : null
  if (amount === null) throw new Unreadable(`${member} must be {"amount": whole cents, "currency": CODE}`)
  const cents = withoutExponent(amount)
  if (!/^-?\d+$/.test(cents))
    throw new Unreadable(`${member}.amount must be whole cents, not ${amount}: 12500 is 125.00`)
  return unitsOfCents(BigInt(cents))
}

const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?:\[[\w/+-]+\])?$/i

function parseClosing(sale: JsonObject): Closing | null {
  for (const member of ['closedZonedDateTime', 'openedZonedDateTime']) {
    const text = textAt(sale, member)?.trim()
    if (text === undefined) continue
    const ms = ZONED.test(text) ? parseWireTime(text.replace(/\[.*$/, '')) : Number.NaN
    if (Number.isNaN(ms))
      throw new Unreadable(`${member} must be a time such as 2026-11-20T10:40:00Z, not ${JSON.stringify(text)}`)
    return { ms }
  }
  return null
}
