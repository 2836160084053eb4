import { WALK_IN_CUSTOMER } from '../../records/customers.ts'
import type { Diary } from '../../store/diary.ts'
import { LINKED } from '../../store/store.ts'

/** Filters for bookings. Instants in milliseconds since 1970, inclusive. */
export interface BookingFilter {
  readonly by: 'starts' | 'modified'
  readonly from: number
  readonly to: number
  readonly serviceName: string | null
  readonly withCancelled: boolean
}

const CHUNK = 16
const WALK_IN = JSON.stringify(WALK_IN_CUSTOMER)

/** Returns the ranks of all matching bookings, ordered by their time. Ranks take little memory. */
export function findRanks(diary: Diary, filter: BookingFilter): number[] {
  const conditions = [`${LINKED} AND ${filter.by} BETWEEN ? AND ?`]
  const values: (string | number)[] = [diary.linkedLocations, filter.from, filter.to]
  if (filter.serviceName !== null) {
    conditions.push('service_name = ?')
    values.push(filter.serviceName)
  }
  if (!filter.withCancelled) conditions.push("status <> 'CANCELLED'")
  // A single text takes a tenth of the memory of rows.
  const row = diary.get(
    `SELECT json_group_array(rank) AS ranks FROM
       (SELECT rank FROM bookings WHERE ${conditions.join(' AND ')} ORDER BY ${filter.by}, rank)`,
    ...values,
  )
  return JSON.parse(String(row?.['ranks'])) as number[]
}

/** Yields `{count, bookings}` as pieces of JSON text, and reads the bookings of a piece when it is requested. */
export function* writeBookingList(diary: Diary, ranks: readonly number[], withCustomer: boolean): Generator<string> {
  yield `{"count":${ranks.length},"bookings":[`
  for (let at = 0; at < ranks.length; at += CHUNK)
    yield readDocuments(diary, at === 0 ? '' : ',', ranks.slice(at, at + CHUNK), withCustomer)
  yield ']}'
}

/** Adds the customer, when requested, before the closing brace. SQLite joins them, which halves the garbage. */
function readDocuments(diary: Diary, before: string, ranks: readonly number[], withCustomer: boolean): string {
  const wanted = JSON.stringify(ranks)
  const row = withCustomer ? diary.get(WITH_CUSTOMERS, before, WALK_IN, wanted) : diary.get(ALONE, before, wanted)
  return String(row?.['joined'])
}

const WANTED = 'json_each(?) AS wanted JOIN bookings AS b ON b.rank = wanted.value'
const joined = (text: string) => `? || group_concat(${text}, ',' ORDER BY wanted.key) AS joined`
const ALONE = `SELECT ${joined('b.document')} FROM ${WANTED}`
const WITH_CUSTOMERS = `
  SELECT ${joined(`substr(b.document, 1, length(b.document) - 1) || ',"customer":' || coalesce(c.document, ?) || '}'`)}
  FROM ${WANTED} LEFT JOIN customers AS c ON c.id = b.customer`
