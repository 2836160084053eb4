import { randomBytes } from 'node:crypto'

/** The header that lists the marks of all runs that forwarded a delivery, in lower case. */
const VIA_HEADER = 'x-partner-via'

/** A random ID by which this run recognizes deliveries that it forwarded and that return to it. */
export class Mark {
  readonly id = randomBytes(12).toString('base64url')

  /** Adds this mark to the marks of earlier runs. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const before = headers[VIA_HEADER]
    return { ...headers, [VIA_HEADER]: before === undefined ? this.id : `${before}, ${this.id}` }
  }

  /** Replaces all earlier marks by this one, for a delivery that is replayed. */
  replaceOn(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers, [VIA_HEADER]: this.id }
  }

  /** Whether this run sent the delivery, directly or through other listeners. */
  isOn(headers: Readonly<Record<string, string>>): boolean {
    return marksOn(headers).includes(this.id)
  }
}

/** Returns the IDs of the runs that forwarded a delivery. */
export function marksOn(headers: Readonly<Record<string, string>>): readonly string[] {
  return headers[VIA_HEADER]?.split(/,\s*/) ?? []
}
