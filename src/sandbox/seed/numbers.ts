import type { Store } from '../store/store.ts'

/** Makes readable, stable IDs for seeded records. */
export type SeedIds = Readonly<Record<'booking' | 'sale', () => string>>

export type Numbering = Readonly<Record<'booking' | 'sale', number>>

/** The first number of each kind: `BK-1001`, `C-1001`, `S-1001`. */
export const FIRST_NUMBER = 1001

/** The ID of the customer at a position, from 0. */
export function customerId(at: number): string {
  return `C-${FIRST_NUMBER + at}`
}

/** Numbers bookings and sales; `next` returns the next numbers. */
export function diaryIds(store: Store, { booking, sale }: Numbering): SeedIds & { readonly next: () => Numbering } {
  const ids = {
    booking: () => `BK-${booking++}`,
    // Skips IDs that a till has used for its own sales.
    sale: (): string => {
      const id = `S-${sale++}`
      return store.get('SELECT 1 FROM sales WHERE sale_id = ?', id) ? ids.sale() : id
    },
    next: () => ({ booking, sale }),
  }
  return ids
}

/** The IDs of a large seed: `BK-L4-17` is its 17th booking from seed 4. `at` counts from 0. */
export function largeId(kind: 'BK' | 'C' | 'S', seed: number, at: number): string {
  return `${kind}-L${seed}-${at + 1}`
}
