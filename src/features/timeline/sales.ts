import type { JsonObject } from '../../base/json/exact.ts'
import { centsText } from '../../money/amount.ts'
import { type Entry, type Seen, sourceOfPlaces } from './entry.ts'
import { amountIn, centsIn, getObjects, instantIn, joinedWords, tableName, textIn } from './values.ts'
import { factsOf } from './versions.ts'

/**
 * Collects the facts about bookings that are needed to check their sales. `missing` contains the IDs of bookings that
 * the service does not have.
 */
export function collectBookingFacts(
  bookings: readonly (readonly [id: string, record: JsonObject])[],
  missing: readonly string[],
) {
  /** Maps the ID of each cancelled booking to its status code. */
  const cancelled = new Map<string, string>()
  const bookedMs = new Map<string, number>()
  for (const [id, record] of bookings) {
    const { isCancelled, status } = factsOf(record)
    if (isCancelled) cancelled.set(id, status ?? 'cancelled')
    const atMs = instantIn(record, 'bookedAt')
    if (atMs !== null) bookedMs.set(id, atMs)
  }
  return { unknown: new Set(missing), cancelled, bookedMs }
}

type BookingFactsOfSales = ReturnType<typeof collectBookingFacts>

type Sale = ReturnType<typeof saleOf> & { readonly saleId: string; readonly wheres: readonly Seen['where'][] }

/** Returns a sale's ID in the POS, or `null` if it has none. */
export function saleIdOf(record: JsonObject): string | null {
  return textIn(record, 'saleDetail.transactionId')
}

export function bookingsOf(seen: readonly Seen[]): ReadonlySet<string> {
  return new Set(seen.map(({ record }) => textIn(record, 'bookingId')).filter((id) => id !== null))
}

/** Counts the sales that have no closing time. They do not appear in the timeline. */
export function countUndatedSales(seen: readonly Seen[]): number {
  return seen.filter(({ record }) => instantIn(record, 'saleDetail.transactionDateTime') === null).length
}

/**
 * Returns an entry for the closing of each sale, and another for its opening if the opening time is known. A sale that
 * was found in several places is listed once.
 */
export function saleEntries(seen: readonly Seen[], bookings: BookingFactsOfSales): Entry[] {
  const sales = mergeSales(seen)
  return sales.flatMap((sale): Entry[] => {
    const { saleId, closedMs, record, wheres } = sale
    if (closedMs === null) return []
    const said = { ...sourceOfPlaces(wheres), subject: saleId }
    const openedMs = getOpenedMs(record)
    const opened: Entry[] =
      openedMs === null || openedMs === closedMs
        ? []
        : [{ ...said, kind: 'sale-opened', atMs: openedMs, text: `sale ${saleId} opened`, oddity: null }]
    const oddity = joinedWords(findOddities(sale, sales, bookings), '; ') || null
    return [...opened, { ...said, kind: 'sale', atMs: closedMs, text: textOf(sale), oddity }]
  })
}

function mergeSales(seen: readonly Seen[]): readonly Sale[] {
  const sales = new Map<string, Sale>()
  for (const { record, where } of seen) {
    const saleId = saleIdOf(record)
    if (saleId === null) continue
    const sale = saleOf(record)
    const key = JSON.stringify([saleId, sale.bookingId, sale.closedMs, sale.total])
    const known = sales.get(key) ?? { ...sale, saleId, wheres: [] }
    const isKnownPlace = where !== null && known.wheres.includes(where)
    sales.set(key, isKnownPlace ? known : { ...known, wheres: [...known.wheres, where] })
  }
  return [...sales.values()]
}

function saleOf(record: JsonObject) {
  const closedMs = instantIn(record, 'saleDetail.transactionDateTime')
  return { record, closedMs, bookingId: textIn(record, 'bookingId'), total: amountIn(record, 'saleDetail.total') }
}

function textOf({ saleId, bookingId, total, record, wheres }: Sale): string {
  const type = textIn(record, 'saleDetail.status')
  const tip = centsIn(record, 'saleDetail.tipAmount')
  const tables = getObjects(record, 'tables').map(tableName)
  const parts = [
    `sale ${saleId} closed${total === null ? '' : `: ${total}`}`,
    type === null || type === 'SALE' ? null : type,
    tip === null || tip === 0n ? null : `tip ${centsText(tip)}`,
    joinedWords(tables, ' '),
    bookingId === null ? null : `booking ${bookingId}`,
    listedTwice(wheres) ? 'listed twice' : null,
  ]
  return joinedWords(parts)
}

function listedTwice(wheres: readonly (string | null)[]): boolean {
  return wheres.filter((where) => where === null).length > 1
}

function findOddities(sale: Sale, sales: readonly Sale[], bookings: BookingFactsOfSales): (string | null)[] {
  const { saleId, bookingId, closedMs, wheres, record } = sale
  const others = sales.filter((one) => one !== sale && one.saleId === saleId)
  const bookedMs = bookingId === null ? undefined : bookings.bookedMs.get(bookingId)
  const cancelled = bookingId === null ? undefined : bookings.cancelled.get(bookingId)
  return [
    bookingId === null ? 'sale without a booking' : null,
    bookingId !== null && bookings.unknown.has(bookingId)
      ? `sale without a booking: the service has no booking ${bookingId}`
      : null,
    others.length > 0 || listedTwice(wheres) ? `two sales with the same ID${otherWords(sale, others)}` : null,
    findOverpayment(record),
    cancelled === undefined ? null : `its booking is ${cancelled}`,
    bookedMs !== undefined && closedMs !== null && closedMs < bookedMs ? 'closed before its booking was made' : null,
  ]
}

function otherWords({ bookingId, total }: Sale, others: readonly Sale[]): string {
  const [other] = others
  if (other === undefined) return ''
  if (other.bookingId !== bookingId) return `: another is linked to ${other.bookingId ?? 'no booking'}`
  return other.total === total ? '' : `: another has a total of ${other.total ?? 'nothing'}`
}

/**
 * Returns a remark if a sale was overpaid, otherwise `null`. Tills send payments in various formats, so a sale is
 * checked only if all its payments are whole cents.
 */
function findOverpayment(record: JsonObject): string | null {
  const paid = getObjects(record, 'saleDetail.payments').map((payment) =>
    textIn(payment, 'goodsAndServicesAmount.amount'),
  )
  const total = centsIn(record, 'saleDetail.total')
  if (total === null || paid.length === 0 || !paid.every((cents) => cents !== null && /^-?\d+$/.test(cents)))
    return null
  const sum = paid.reduce((all, cents) => all + BigInt(cents ?? '0'), 0n)
  const due = total + (centsIn(record, 'saleDetail.tipAmount') ?? 0n)
  return total >= 0n && sum > due ? `more was paid than was due: ${centsText(sum)} for ${centsText(due)}` : null
}

/**
 * Returns the time at which a sale was opened, in epoch milliseconds. Returns `null` if the time is missing or has no
 * UTC offset.
 */
function getOpenedMs(record: JsonObject): number | null {
  const text = textIn(record, 'saleDetail.actualStartTime') ?? ''
  return /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? instantIn(record, 'saleDetail.actualStartTime') : null
}
