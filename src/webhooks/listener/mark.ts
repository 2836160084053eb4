import { randomBytes } from 'node:crypto'

/** The header that lists the marks of all runs that forwarded a delivery. The name is in lower case. */
const VIA_HEADER = 'x-partner-via'

/** A random ID that this run adds to each delivery that it forwards, to recognize deliveries that come back. */
export class Mark {
  readonly id = randomBytes(12).toString('base64url')

  /** Appends this mark to the marks of earlier runs. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const before = headers[VIA_HEADER]
    return { ...headers, [VIA_HEADER]: before === undefined ? this.id : `${before}, ${this.id}` }
  }

  /** Replaces all earlier marks with this one. Used for replayed deliveries. */
  replaceOn(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers, [VIA_HEADER]: this.id }
  }

  /** Returns whether this run sent the delivery, directly or through other listeners. */
  isOn(headers: Readonly<Record<string, string>>): boolean {
    return marksOn(headers).includes(this.id)
  }
}

/** Returns the IDs of the runs that forwarded a delivery. */
export function marksOn(headers: Readonly<Record<string, string>>): readonly string[] {
  return headers[VIA_HEADER]?.split(/,\s*/) ?? []
}
