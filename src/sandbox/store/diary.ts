import type { Endpoint } from '../../contract/endpoint.ts'
import type { Store } from './store.ts'

export const DIARY_RECORDS = ['bookings', 'customers', 'sales'] as const satisfies Endpoint['touches']

declare const upToDate: unique symbol

/** A store whose bookings, customers and sales are up to date. Comes from the sandbox's state, or from the seed. */
export type Diary = Store & { readonly [upToDate]: true }

/** Marks a store whose bookings, customers and sales are up to date. */
export function asDiary(store: Store): Diary {
  return store as Diary
}
