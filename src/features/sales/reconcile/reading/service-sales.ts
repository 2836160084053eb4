import { isJsonObject, type JsonObject, type JsonValue, numberText, parseExact } from '../../../../base/json/exact.ts'
import { valueAt } from '../../../../base/json/paths.ts'
import { toWireTime } from '../../../../base/time/instant.ts'
import type { TimeRange } from '../../../../base/time/window.ts'
import { parseWireTime } from '../../../../base/time/wire-time.ts'
import type { Caller } from '../../../../client/calls/caller.ts'
import { paginate } from '../../../../client/calls/paginate.ts'
import { listSales } from '../../../../contract/sales.ts'
import type { CopyToRead } from '../../../../sync/open-target.ts'
import type { ServiceSale } from '../ledger.ts'
import { type Units, unitsOf } from '../units.ts'

const PAGE = 100

/** Lists the service's sales that closed in a time range. Rethrows errors from `paginate`. */
export async function listServiceSales(caller: Caller, { fromMs, toMs }: TimeRange): Promise<ServiceSale[]> {
  const query = { StartDate: toWireTime(fromMs), EndDate: toWireTime(toMs) }
  const found: ServiceSale[] = []
  for await (const batch of paginate(caller, listSales, { query }, { pageSize: PAGE }))
    for (const { value } of batch) if (isJsonObject(value)) found.push(toServiceSale(value))
  return found
}

/**
 * Reads sales from a copy: those that closed in a time range, and those without a closing time. Throws if the copy
 * cannot be read.
 */
export async function readCopiedSales(copy: CopyToRead, { fromMs, toMs }: TimeRange): Promise<ServiceSale[]> {
  const found: ServiceSale[] = []
  for await (const batch of copy.records())
    for (const { text } of batch) {
      const record = parseExact(text)
      if (!isJsonObject(record)) continue
      const sale = toServiceSale(record)
      if (sale.closedMs === null || (sale.closedMs >= fromMs && sale.closedMs <= toMs)) found.push(sale)
    }
  return found
}

/** Extracts the members to compare. The service lists no currency, type or original sale. */
export function toServiceSale(record: JsonObject): ServiceSale {
  const closedMs = parseWireTime(textAt(record, 'saleDetail.transactionDateTime') ?? '')
  return {
    saleId: textAt(record, 'saleDetail.transactionId'),
    bookingId: textAt(record, 'bookingId'),
    total: unitsAt(record, 'saleDetail.total'),
    totalExTax: unitsAt(record, 'saleDetail.totalExTax'),
    tax: unitsAt(record, 'saleDetail.tax'),
    closedMs: Number.isNaN(closedMs) ? null : closedMs,
  }
}

function textAt(record: JsonValue, path: string): string | null {
  const value = valueAt(record, path)
  if (typeof value !== 'string') return numberText(value)
  return value.trim() === '' ? null : value
}

function unitsAt(record: JsonValue, path: string): Units | null {
  const text = textAt(record, path)
  return text === null ? null : unitsOf(text)
}
