import type { JsonObject } from '../../base/json/exact.ts'
import { localToInstant } from '../../base/time/zone.ts'
import { readInstant } from '../../sync/reading/sync-record.ts'
import { type Entry, type Seen, sourceOfPlaces } from './entry.ts'
import { amountIn, centsIn, instantIn, joinedWords, peopleText, textIn } from './values.ts'
import { factsOf } from './versions.ts'

/** Returns timeline entries for a booking's creation, start and payment. */
export function bookingEntries(subject: string, { record, where }: Seen, timezone: string | null): Entry[] {
  const entries: Entry[] = []
  const add = (kind: Entry['kind'], atMs: number | null, text: string, oddity: string | null = null) => {
    if (atMs !== null) entries.push({ ...sourceOfPlaces([where]), subject, kind, atMs, text, oddity })
  }
  const method = textIn(record, 'method')
  add('booked', instantIn(record, 'bookedAt'), method === null ? 'booked' : `booked (${method})`)
  const timeMs = getBookingTimeMs(record, timezone)
  const { people, service, tables, minutes, isCancelled, status } = factsOf(record)
  const details = joinedWords([peopleText(people), service, tables, minutes === null ? null : `${minutes} minutes`])
  add('booking-time', timeMs, `time of the booking: ${details}${isCancelled ? ` (${status})` : ''}`)
  const tooMuch = findOverpayment(record)
  const paidMs = instantIn(record, 'paymentSummary.paymentDate')
  add('payment', paidMs ?? (tooMuch === null ? null : timeMs), paymentText(record), tooMuch)
  return entries
}

/**
 * Returns a booking's time in epoch milliseconds, or `null` if it has no valid time. If `timezone` is `null`, local
 * times are read as UTC.
 */
export function getBookingTimeMs(record: JsonObject, timezone: string | null): number | null {
  const text = textIn(record, 'bookingTime')
  const [, date, clock, offset] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/i.exec(text ?? '') ?? []
  if (text === null || date === undefined) return null
  if (offset !== undefined) return readInstant(text)
  try {
    return localToInstant(`${date}T${clock}`, timezone)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function paymentText(record: JsonObject): string {
  const at = (name: string) => amountIn(record, `paymentSummary.${name}`)
  const [paid, amount, due] = [at('amountPaid'), at('amount'), at('amountDue')]
  const of = amount === null || paid === null ? null : `of ${amount}`
  const sum = joinedWords(['paid', textIn(record, 'paymentSummary.currencyCode'), paid ?? amount, of], ' ')
  const more = [textIn(record, 'paymentSummary.paymentType'), textIn(record, 'paymentSummary.transactionId')]
  return joinedWords([sum, due === null ? null : `${due} due`, ...more])
}

/**
 * Returns a remark if a booking was overpaid, otherwise `null`. The specification does not say whether `amountDue` is
 * the whole amount or the unpaid part, so the booking must be overpaid under both interpretations.
 */
function findOverpayment(record: JsonObject): string | null {
  const of = (name: string) => centsIn(record, `paymentSummary.${name}`)
  const [amount, due, paid] = [of('amount'), of('amountDue'), of('amountPaid')]
  const isOver = amount !== null && amount > 0n && paid !== null && paid > amount && paid > (due ?? 0n)
  return isOver || (due !== null && due < 0n) ? 'more was paid than was due' : null
}
