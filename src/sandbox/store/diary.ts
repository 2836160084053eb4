import type { Endpoint } from '../../contract/endpoint.ts'
import type { Store } from './store.ts'

/** The records that are in the diary. */
export const DIARY_RECORDS = ['bookings', 'customers', 'sales'] as const satisfies Endpoint['touches']

declare const upToDate: unique symbol

/**
 * The store, for what looks at bookings, customers and sales: they stand as of the venue's present. Only the sandbox's state
 * gives one out, once it has made sure of that, and the seed, which makes the diary.
 */
export type Diary = Store & { readonly [upToDate]: true }

/** Vouches that the bookings, customers and sales of a store are up to date. */
export function asDiary(store: Store): Diary {
  return store as Diary
}
