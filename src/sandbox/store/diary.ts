import type { Endpoint } from '../../contract/endpoint.ts'
import type { Store } from './store.ts'

/** The kinds of records that the sandbox itself adds or changes as time passes. */
export const DIARY_RECORDS = ['bookings', 'customers', 'sales'] as const satisfies Endpoint['touches']

declare const upToDate: unique symbol

/**
 * A store whose bookings, customers and sales are up to date. Only the sandbox's state and the code that seeds a venue
 * are allowed to call {@link asDiary}.
 */
export type Diary = Store & { readonly [upToDate]: true }

export function asDiary(store: Store): Diary {
  return store as Diary
}
