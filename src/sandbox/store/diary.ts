import type { Store } from './store.ts'

declare const upToDate: unique symbol

/**
 * The store, with its bookings, customers and sales up to date with the venue's clock. Code that reads or changes them takes a
 * Diary. Only the state of the sandbox, once it has brought them up to date, and the seed, which makes them, give one out.
 */
export type Diary = Store & { readonly [upToDate]: true }

/** Declares that the bookings, customers and sales of a store are up to date. */
export function asDiary(store: Store): Diary {
  return store as Diary
}
