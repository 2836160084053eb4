import { randomBytes } from 'node:crypto'

/** The header in which each run of this program that sends a delivery on leaves its mark. Names in lower case. */
const VIA_HEADER = 'x-partner-via'

/** The mark of one run: a random ID, by which it recognises a delivery of its own that comes back. */
export class Mark {
  readonly id = randomBytes(12).toString('base64url')

  /** The headers of a delivery that is passed on, with this mark after those of the runs that it passed before. */
  addTo(headers: Readonly<Record<string, string>>): Record<string, string> {
    const before = headers[VIA_HEADER]
    return { ...headers, [VIA_HEADER]: before === undefined ? this.id : `${before}, ${this.id}` }
  }

  /** The headers of a delivery that is sent anew, with this mark alone. */
  putOn(headers: Readonly<Record<string, string>>): Record<string, string> {
    return { ...headers, [VIA_HEADER]: this.id }
  }

  /** True for the headers of a delivery that this run sent, however many runs passed it on. */
  isOn(headers: Readonly<Record<string, string>>): boolean {
    return marksOn(headers).includes(this.id)
  }
}

/** Returns the IDs of the runs that passed a delivery on. */
export function marksOn(headers: Readonly<Record<string, string>>): readonly string[] {
  return headers[VIA_HEADER]?.split(/,\s*/) ?? []
}
