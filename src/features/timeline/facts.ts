import type { JsonObject } from '../../base/json/exact.ts'
import { amountIn, bareCode, joinedWords, objectsAt, peopleText, textIn } from './values.ts'

/** What is compared of a booking from one version to the next. Null: this version does not say. */
export interface BookingFacts {
  readonly status: string | null
  readonly people: string | null
  /** `2026-11-20 19:00`, on the venue's clock. */
  readonly time: string | null
  readonly minutes: string | null
  readonly service: string | null
  readonly tables: string | null
  readonly paid: string | null
  readonly due: string | null
  readonly notes: string | null
  /** Whether the status says that it is cancelled. */
  readonly isCancelled: boolean
}

const COMPARED = ['status', 'people', 'time', 'minutes', 'service', 'tables', 'paid', 'due', 'notes'] as const

/** Reads what is compared out of a booking. */
export function factsOf(booking: JsonObject): BookingFacts {
  const status = textIn(booking, 'status.code') ?? textIn(booking, 'status.name')
  const tables = objectsAt(booking, 'tables')
  return {
    status,
    people: textIn(booking, 'people'),
    time: timeText(textIn(booking, 'bookingTime')),
    minutes: textIn(booking, 'duration'),
    service: textIn(booking, 'serviceName') ?? textIn(booking, 'serviceId'),
    tables: tables.length === 0 ? null : joinedWords(tables.map(tableName), ', '),
    paid: amountIn(booking, 'paymentSummary.amountPaid'),
    due: amountIn(booking, 'paymentSummary.amountDue'),
    notes: textIn(booking, 'notes'),
    isCancelled: [textIn(booking, 'status.statusType'), status].some((code) => /^cancell?ed$/.test(bareCode(code))),
  }
}

/** What they say, in short: `CONFIRMED, 4 people, 2026-11-20 19:00, Dinner, T1`. */
export function describeFacts({ status, people, time, service, tables }: BookingFacts): string {
  return joinedWords([status, peopleText(people), time, service, tables])
}

/** In what a version differs from the one before, a phrase for each: `status CONFIRMED → SEATED`. */
export function differences(before: BookingFacts, after: BookingFacts): readonly string[] {
  return COMPARED.flatMap((name) => {
    const [was, is] = [before[name], after[name]]
    // What one of the two does not say, is no difference.
    if (was === null || is === null || was === is) return []
    return [name === 'notes' ? 'notes changed' : `${name} ${was} → ${is}`]
  })
}

function tableName(table: JsonObject): string | null {
  return textIn(table, 'tableName') ?? textIn(table, 'tableId')
}

function timeText(time: string | null): string | null {
  return time?.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2') ?? null
}
