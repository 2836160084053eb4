import { WALK_IN_CUSTOMER } from '../../records/customers.ts'
import type { Diary } from '../../store/diary.ts'
import { LINKED } from '../../store/store.ts'

/** Which bookings to list. Instants in milliseconds since 1970, both included. */
export interface BookingFilter {
  readonly by: 'starts' | 'modified'
  readonly from: number
  readonly to: number
  readonly serviceName: string | null
  readonly withCancelled: boolean
}

const CHUNK = 16

const NOBODY = JSON.stringify(WALK_IN_CUSTOMER)

/** Finds the ranks of all matching bookings, by their time. As these are only numbers, a great many take little memory. */
export function findRanks(diary: Diary, filter: BookingFilter): number[] {
  const conditions = [`${LINKED} AND ${filter.by} BETWEEN ? AND ?`]
  const values: (string | number)[] = [diary.linkedLocations, filter.from, filter.to]
  if (filter.serviceName !== null) {
    conditions.push('service_name = ?')
    values.push(filter.serviceName)
  }
  if (!filter.withCancelled) conditions.push("status <> 'CANCELLED'")
  // One text with all of them takes a tenth of the memory of as many rows.
  const row = diary.get(
    `SELECT json_group_array(rank) AS ranks FROM
       (SELECT rank FROM bookings WHERE ${conditions.join(' AND ')} ORDER BY ${filter.by}, rank)`,
    ...values,
  )
  return JSON.parse(String(row?.['ranks'])) as number[]
}

/** Writes `{count, bookings}` as JSON text in pieces, and reads the bookings of each as it is asked for. */
export function* writeBookingList(diary: Diary, ranks: readonly number[], withCustomer: boolean): Generator<string> {
  yield `{"count":${ranks.length},"bookings":[`
  for (let at = 0; at < ranks.length; at += CHUNK) {
    const texts = readTexts(diary, ranks.slice(at, at + CHUNK), withCustomer)
    yield `${at === 0 ? '' : ','}${texts.join(',')}`
  }
  yield ']}'
}

/** Documents are sent as they are stored, with the customer, when asked for, before the closing brace. */
function readTexts(diary: Diary, ranks: readonly number[], withCustomer: boolean): string[] {
  const rows = diary.all(
    withCustomer
      ? `SELECT b.document, c.document AS customer FROM json_each(?) AS wanted JOIN bookings AS b ON b.rank = wanted.value
         LEFT JOIN customers AS c ON c.id = b.customer ORDER BY wanted.key`
      : 'SELECT b.document FROM json_each(?) AS wanted JOIN bookings AS b ON b.rank = wanted.value ORDER BY wanted.key',
    JSON.stringify(ranks),
  )
  return rows.map((row) => {
    const text = String(row['document'])
    return withCustomer ? `${text.slice(0, -1)},"customer":${row['customer'] ?? NOBODY}}` : text
  })
}
