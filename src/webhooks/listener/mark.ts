import { randomBytes } from 'node:crypto'

/** The header with the marks of all runs that forwarded a delivery. In lower case. */
const VIA_HEADER = 'x-partner-via'

/** A random ID of this run, to recognize its own deliveries when they come back. */
export class Mark {
  readonly id = randomBytes(12).toString('base64url')

  /** Adds this mark after those of earlier runs. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const before = headers[VIA_HEADER]
    return { ...headers, [VIA_HEADER]: before === undefined ? this.id : `${before}, ${this.id}` }
  }

  /** Sets this mark alone, for a delivery that is sent anew. */
  putOn(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers, [VIA_HEADER]: this.id }
  }

  /** Whether this run sent the delivery, directly or not. */
  isOn(headers: Readonly<Record<string, string>>): boolean {
    return marksOn(headers).includes(this.id)
  }
}

/** The IDs of the runs that forwarded a delivery. */
export function marksOn(headers: Readonly<Record<string, string>>): readonly string[] {
  return headers[VIA_HEADER]?.split(/,\s*/) ?? []
}
