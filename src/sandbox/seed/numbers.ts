import type { Store } from '../store/store.ts'

/** Generators of readable, stable IDs for seeded records. */
export type SeedIds = Readonly<Record<'booking' | 'sale', () => string>>

export type Numbering = Readonly<Record<'booking' | 'sale', number>>

/** The number of the first booking (`BK-1001`), customer (`C-1001`) and sale (`S-1001`). */
export const FIRST_NUMBER = 1001

/** Returns the ID of the customer at a position, counted from 0. */
export function customerIdAt(at: number): string {
  return `C-${FIRST_NUMBER + at}`
}

/** Returns generators of consecutive booking and sale IDs; `next` returns the next unused numbers. */
export function diaryIds(store: Store, { booking, sale }: Numbering): SeedIds & { readonly next: () => Numbering } {
  const ids = {
    booking: () => `BK-${booking++}`,
    // A till may already have used this ID for a sale.
    sale: (): string => {
      const id = `S-${sale++}`
      return store.get('SELECT 1 FROM sales WHERE sale_id = ?', id) ? ids.sale() : id
    },
    next: () => ({ booking, sale }),
  }
  return ids
}

/** Returns an ID for bulk seeding: `BK-L4-17` is the 17th booking of seed 4. `at` is counted from 0. */
export function largeId(kind: 'BK' | 'C' | 'S', seed: number, at: number): string {
  return `${kind}-L${seed}-${at + 1}`
}
