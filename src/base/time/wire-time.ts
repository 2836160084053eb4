/** True for a service time with an offset: `…Z`, `…+11:00`. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time.trim())
}

/** Reads a service time as epoch milliseconds; without an offset it is UTC. NaN if it is not a time. */
export function parseWireTime(time: string): number {
  return Date.parse(hasOffset(time) ? time : `${time.trim().replace(' ', 'T')}Z`)
}
