import type { JsonObject } from '../../../base/json/exact.ts'
import type { Column, ListView } from '../../../terminal/render/view.ts'
import { listOf } from '../../shared/views/list.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { counted, joined, textAt } from '../../shared/views/wording.ts'

/** Returns a list view for a noun with a regular plural. Its CSV output has the same columns as its table. */
export function rowsOf(one: string, empty: string, columns: readonly Column[]): ListView {
  return listOf(one, `${one}s`, empty, { columns })
}

export const SANDBOX_TIMES = 'times are sandbox times, in UTC'

const COUNTED = {
  bookings: ['booking', 'bookings'],
  customers: ['customer', 'customers'],
  sales: ['sale', 'sales'],
  giftcards: ['gift card', 'gift cards'],
  subscriptions: ['subscription', 'subscriptions'],
} as const

export function countColumns(kinds: readonly (keyof typeof COUNTED)[]): Column[] {
  return kinds.map((path) => ({ path, header: COUNTED[path][1].toUpperCase(), align: 'right' }))
}

/** Formats the counts of the given kinds of records, such as `2 bookings, 1 sale`. Omits counts of 0. */
export function countsText(record: JsonObject, kinds: readonly (keyof typeof COUNTED)[]): string {
  const counts = kinds.map((kind) => counted(record[kind], COUNTED[kind][0], COUNTED[kind][1]))
  const some = counts.filter((text) => !text.startsWith('0 '))
  return joined(some, ', ')
}

/** Formats the time at a path as `2026-12-18 08:40:00 UTC`. Returns an empty string if no time is given. */
export function momentAt(record: JsonObject, path: string): string {
  const at = textAt(record, path)
  return at === '' ? '' : `${utcSeconds(at)} UTC`
}
