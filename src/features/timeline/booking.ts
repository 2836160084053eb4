import type { JsonObject } from '../../base/json/exact.ts'
import { localToInstant } from '../../base/time/zone.ts'
import { readInstant } from '../../sync/reading/sync-record.ts'
import type { Entry } from './entry.ts'
import { factsOf } from './facts.ts'
import { amountIn, centsIn, joinedWords, peopleText, textIn } from './values.ts'
import type { SeenBooking } from './versions.ts'

/** Entries of what a booking says about itself: when it was made, when it is for, when it was paid. */
export function bookingEntries(subject: string, { record, where }: SeenBooking, timezone: string | null): Entry[] {
  const said = { source: where === null ? 'service' : 'copy', where, subject } as const
  const bookedMs = instantIn(record, 'bookedAt')
  const timeMs = bookingTimeMs(record, timezone)
  const paidMs = instantIn(record, 'paymentSummary.paymentDate')
  const { people, service, tables, minutes, isCancelled, status } = factsOf(record)
  const details = joinedWords([peopleText(people), service, tables, minutes === null ? null : `${minutes} minutes`])
  return [
    ...(bookedMs === null
      ? []
      : [{ ...said, kind: 'booked' as const, atMs: bookedMs, text: bookedText(record), oddity: null }]),
    ...(timeMs === null
      ? []
      : [
          {
            ...{ ...said, kind: 'booking-time' as const, atMs: timeMs, oddity: null },
            text: `time of the booking: ${details}${isCancelled ? ` (${status})` : ''}`,
          },
        ]),
    ...(paidMs === null
      ? []
      : [
          {
            ...{ ...said, kind: 'payment' as const, atMs: paidMs, text: paymentText(record) },
            oddity: overpaid(record),
          },
        ]),
    ...(paidMs === null && overpaid(record) !== null && timeMs !== null
      ? [{ ...said, kind: 'payment' as const, atMs: timeMs, text: paymentText(record), oddity: overpaid(record) }]
      : []),
  ]
}

/** When a booking is for, epoch milliseconds; null when it does not say. Without a zone, its time is taken for UTC. */
export function bookingTimeMs(record: JsonObject, timezone: string | null): number | null {
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

/** The instant at a path, epoch milliseconds; null when there is none. */
export function instantIn(record: JsonObject, path: string): number | null {
  const text = textIn(record, path)
  return text === null ? null : readInstant(text)
}

function bookedText(record: JsonObject): string {
  const method = textIn(record, 'method')
  return method === null ? 'booked' : `booked (${method})`
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
 * Whether more was paid than was due. The specification does not say whether `amountDue` is what is still due: it counts only where
 * both readings agree.
 */
function overpaid(record: JsonObject): string | null {
  const of = (name: string) => centsIn(record, `paymentSummary.${name}`)
  const [amount, due, paid] = [of('amount'), of('amountDue'), of('amountPaid')]
  const isOver = amount !== null && amount > 0n && paid !== null && paid > amount && paid > (due ?? 0n)
  return isOver || (due !== null && due < 0n) ? 'more was paid than was due' : null
}
