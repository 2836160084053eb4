import type { JsonObject } from '../../../base/json/exact.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { instantOf } from './closing.ts'
import type { PosSale } from './ledger.ts'
import { centsOfUnits, type Units } from './units.ts'

/** A sale as `POST /Sales` takes it, with what a file of CSV says of it and no more. Amounts in cents. */
export function bodyOf(sale: PosSale, timezone: string | null): JsonObject {
  const { saleId, originalSaleId, type, bookingId, total, tax, currency, closed } = sale
  const { table: number, staffId = null, seats = null } = sale
  const ms = closed === null ? null : instantOf(closed, timezone)
  const price = (units: Units | null) => {
    const cents = units === null ? null : centsOfUnits(units)
    if (cents === null) return undefined
    return { amount: JSON.rawJSON(String(cents)), ...(currency === null ? {} : { currency }) }
  }
  const members: JsonObject = {
    origin: { saleId, ...(originalSaleId === null ? {} : { originalSaleId }) },
    source: { type: 'POS' },
    type: type ?? 'SALE',
    ...(ms === null ? {} : { openedZonedDateTime: toWireTime(ms), closedZonedDateTime: toWireTime(ms) }),
    ...(bookingId === null ? {} : { bookingId }),
    ...(staffId === null ? {} : { staff: { id: staffId } }),
    ...(seats === null && number === null
      ? {}
      : { table: { ...(seats === null ? {} : { seats }), ...(number === null ? {} : { number }) } }),
    total: price(total),
    tax: price(tax),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
