/** True for a time of the service that says how far it is from UTC: `…Z`, `…+11:00`. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time.trim())
}

/** Reads a time of the service, in epoch milliseconds; one without an offset as a clock in UTC shows it. NaN when it is none. */
export function parseWireTime(time: string): number {
  return Date.parse(hasOffset(time) ? time : `${time.trim().replace(' ', 'T')}Z`)
}
