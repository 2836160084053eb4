import { closeSync, openSync, readSync } from 'node:fs'

/** Returns random bytes in hexadecimal, for tokens and unique IDs. */
export function randomHex(bytes: number): string {
  return (fromSystem(bytes) ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex')
}

/** Reads from the system, as loading node:crypto takes a tenth of a start. Null without such a source (Windows). */
function fromSystem(bytes: number): Buffer | null {
  try {
    const source = openSync('/dev/urandom', 'r')
    try {
      const random = Buffer.alloc(bytes)
      return readSync(source, random, 0, bytes, null) === bytes ? random : null
    } finally {
      closeSync(source)
    }
  } catch {
    return null
  }
}

export type DrawHex = (bytes: number) => string

/** The source of the IDs of new records: random, except within {@link HexSource.with}. */
export class HexSource {
  #draw: DrawHex = randomHex

  draw(bytes: number): string {
    return this.#draw(bytes)
  }

  /** Runs synchronous work with another source; null: with the current one. */
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
