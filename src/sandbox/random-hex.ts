import { closeSync, openSync, readSync } from 'node:fs'

/** Random bytes in hexadecimal, for values that nobody may guess and that must be unique. */
export function randomHex(bytes: number): string {
  return (fromSystem(bytes) ?? process.getBuiltinModule('node:crypto').randomBytes(bytes)).toString('hex')
}

/**
 * Random bytes from the system's own source: loading node:crypto, which reads the same source, costs a tenth of a start. Null
 * where there is none, as on Windows.
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
