import type { Endpoint } from '../../contract/endpoint.ts'
import type { Store } from './store.ts'

/** The records that are in the diary. */
export const DIARY_RECORDS = ['bookings', 'customers', 'sales'] as const satisfies Endpoint['touches']

declare const upToDate: unique symbol

/**
 * A store whose bookings, customers and sales are up to date with the venue's time. Only the sandbox's state hands one out,
 * and the seed, which makes them.
 */
export type Diary = Store & { readonly [upToDate]: true }

/** Marks a store whose bookings, customers and sales are up to date. */
export function asDiary(store: Store): Diary {
  return store as Diary
}
