import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import type { TimeRange } from '../../../base/time/window.ts'
import type { Caller } from '../../../client/calls/caller.ts'
import { paginate } from '../../../client/calls/paginate.ts'
import { listSales } from '../../../contract/sales.ts'
import { saleIdOf } from '../sales.ts'
import { textIn } from '../values.ts'

const MOST_RECORDS = 10_000

/** Sales of a booking, or with an ID. */
export interface SoughtSale {
  readonly bookingId?: string
  readonly saleId?: string
}

/** Searches the sales of a period, and others with the same ID. Fails: as `paginate`; INCOMPLETE if there are too many sales. */
export async function searchSales(caller: Caller, range: TimeRange, sought: SoughtSale): Promise<JsonObject[]> {
  const query = { StartDate: toWireTime(range.fromMs), EndDate: toWireTime(range.toMs) }
  const all: { readonly saleId: string; readonly bookingId: string | null; readonly record: JsonObject }[] = []
  let count = 0
  for await (const batch of paginate(caller, listSales, { query }, { pageSize: 100, limit: MOST_RECORDS }))
    for (const { value: record } of batch) {
      count++
      const saleId = isJsonObject(record) ? saleIdOf(record) : null
      if (saleId !== null && isJsonObject(record))
        all.push({ saleId, bookingId: textIn(record, 'bookingId'), record: brief(record) })
    }
  if (count >= MOST_RECORDS)
    throw new Failure('INCOMPLETE', `only the first ${MOST_RECORDS} sales of that time were looked through`, {
      hint: 'search a shorter time: --from TIME --to TIME',
    })
  const ids = new Set(
    all.filter((one) => one.saleId === sought.saleId || one.bookingId === sought.bookingId).map(({ saleId }) => saleId),
  )
  return all.filter(({ saleId }) => ids.has(saleId)).map(({ record }) => record)
}

/** Keeps only the members that are needed, to save memory. */
function brief(record: JsonObject): JsonObject {
  const { bookingId, tables, saleDetail } = record
  const { items: _items, ...detail } = isJsonObject(saleDetail) ? saleDetail : {}
  return { bookingId, tables, saleDetail: detail }
}
