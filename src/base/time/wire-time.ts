/** Returns whether a time from the service ends with a UTC offset, such as `Z` or `+11:00`. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time.trim())
}

/**
 * Converts a time from the service to epoch milliseconds. Assumes UTC if the time has no offset. Returns NaN for other
 * text.
 */
export function parseWireTime(time: string): number {
  return Date.parse(hasOffset(time) ? time : `${time.trim().replace(' ', 'T')}Z`)
}
