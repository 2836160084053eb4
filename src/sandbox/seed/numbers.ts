import type { Store } from '../store/store.ts'

/** The IDs that a seed gives to what it makes, so that people can read them and rely on them. */
export interface SeedIds {
  /** The ID of the next booking. */
  booking(): string
  /** The ID of the next sale. */
  sale(): string
}

/** How far a diary is numbered: the numbers of its next booking and sale. */
export interface Numbering {
  readonly booking: number
  readonly sale: number
}

/** The first number of each kind: `BK-1001`, `C-1001`, `S-1001`. */
export const FIRST_NUMBER = 1001

/** The ID of the customer at a place of the list, counted from 0. */
export function customerId(at: number): string {
  return `C-${FIRST_NUMBER + at}`
}

/** Numbers bookings and sales as they are made; `next` is how far it has come. */
export function diaryIds(store: Store, { booking, sale }: Numbering): SeedIds & { readonly next: () => Numbering } {
  const ids = {
    booking: () => `BK-${booking++}`,
    // Leaves out what a till has used as the ID of its own sale.
    sale: (): string => {
      const id = `S-${sale++}`
      return store.get('SELECT 1 FROM sales WHERE sale_id = ?', id) ? ids.sale() : id
    },
    next: () => ({ booking, sale }),
  }
  return ids
}

/** The IDs of what a large seed makes: `BK-L4-17` is its 17th booking from seed 4. `at` is counted from 0. */
export function largeId(kind: 'BK' | 'C' | 'S', seed: number, at: number): string {
  return `${kind}-L${seed}-${at + 1}`
}
