import type { PosSale } from '../ledger.ts'

/** What a file of the POS can say of a sale: the names that `--map` gives to columns. */
export const MAP_KEYS = ['saleId', 'total', 'tax', 'bookingId', 'closed', 'type', 'originalSaleId', 'currency'] as const
export type MapKey = (typeof MAP_KEYS)[number]

/** The sales of a file, and what that file can say. */
export interface PosFile {
  readonly sales: readonly PosSale[]
  readonly says: ReadonlySet<MapKey>
}

/** Lines that cannot be read, with their numbers; the first of them are told. */
export class UnreadLines {
  readonly #lines: string[] = []
  #more = 0

  add(line: number, why: string): void {
    if (this.#lines.length < MOST) this.#lines.push(`line ${line}: ${why}`)
    else this.#more++
  }

  /** A sentence for each; the last says how many more there are. */
  get problems(): readonly string[] {
    return this.#more === 0 ? this.#lines : [...this.#lines, `and ${this.#more} more lines that cannot be read`]
  }
}

const MOST = 20
