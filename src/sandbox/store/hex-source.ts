import { randomHex } from '../random-hex.ts'

/** Draws so many bytes, written in hexadecimal. */
export type DrawHex = (bytes: number) => string

/** Where the IDs of new records come from: they are drawn by chance, except for work that brings a source of its own. */
export class HexSource {
  #draw: DrawHex = randomHex

  draw(bytes: number): string {
    return this.#draw(bytes)
  }

  /** Does some work, which must not wait, with another source; null: with this one. */
  with<T>(draw: DrawHex | null, work: () => T): T {
    const before = this.#draw
    this.#draw = draw ?? before
    try {
      return work()
    } finally {
      this.#draw = before
    }
  }
}
