/** Returns whether a time from the service ends with a UTC offset, such as `Z` or `+11:00`. */
export function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(time.trim())
}

/**
 * Converts a time from the service to epoch milliseconds, or NaN if it is not a time. Assumes UTC if it has no offset.
 */
export function parseWireTime(time: string): number {
  return Date.parse(hasOffset(time) ? time : `${time.trim().replace(' ', 'T')}Z`)
}
