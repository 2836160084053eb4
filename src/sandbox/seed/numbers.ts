import type { Store } from '../store/store.ts'

/** Functions that create readable, stable IDs for generated records. */
export type SeedIds = Readonly<Record<'booking' | 'sale', () => string>>

export type Numbering = Readonly<Record<'booking' | 'sale', number>>

/**
 * The number in the ID of the first booking (`BK-1001`), the first customer (`C-1001`) and the first sale (`S-1001`).
 */
export const FIRST_NUMBER = 1001

/** Returns the ID of the generated customer with the index `at`, which starts at 0. */
export function customerIdAt(at: number): string {
  return `C-${FIRST_NUMBER + at}`
}

/** Returns functions that generate consecutive booking and sale IDs. `next` returns the numbers to continue from. */
export function diaryIds(store: Store, { booking, sale }: Numbering): SeedIds & { readonly next: () => Numbering } {
  const ids = {
    booking: () => `BK-${booking++}`,
    // Skip IDs that tills have already used.
    sale: (): string => {
      const id = `S-${sale++}`
      return store.get('SELECT 1 FROM sales WHERE sale_id = ?', id) ? ids.sale() : id
    },
    next: () => ({ booking, sale }),
  }
  return ids
}

/** Returns the ID of a record that was added in bulk: `BK-L4-17` is the 17th booking from seed 4. `at` starts at 0. */
export function largeId(kind: 'BK' | 'C' | 'S', seed: number, at: number): string {
  return `${kind}-L${seed}-${at + 1}`
}
