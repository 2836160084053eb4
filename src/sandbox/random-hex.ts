import { closeSync, openSync, readSync } from 'node:fs'

/** Makes random bytes, written in hexadecimal, for what must not be guessed or must not come twice. */
export function randomHex(bytes: number): string {
  return (fromSystem(bytes) ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex')
}

/**
 * Takes them from the system, as node:crypto does, whose loading would take a tenth of a start. Null where there is no such
 * source, as on Windows.
 */
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
