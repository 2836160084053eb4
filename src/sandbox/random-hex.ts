import { closeSync, openSync, readSync } from 'node:fs'

/** Returns random bytes in hexadecimal, for tokens and unique IDs. */
export function randomHex(bytes: number): string {
  return (fromSystem(bytes) ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex')
}

/**
 * Reads random bytes from the operating system, because loading node:crypto would take a tenth of the start-up time.
 * Returns `null` on Windows, where /dev/urandom does not exist and any user could create a file at this path.
 */
function fromSystem(bytes: number): Buffer | null {
  if (process.platform === 'win32') return null
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

/** Generates the IDs of new records. They are random, unless {@link HexSource.with} provides them. */
export class HexSource {
  #draw: DrawHex = randomHex

  draw(bytes: number): string {
    return this.#draw(bytes)
  }

  /** Runs synchronous work that takes its IDs from `draw`, or from the current generator if `draw` is `null`. */
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
