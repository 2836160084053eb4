/**
 * The timeout for a single wait in a test, in milliseconds. Tests do not measure speed, so it is long enough for a
 * slow, busy machine. It is shorter than the timeout of a whole test, so that a failure shows what the test was waiting
 * for.
 */
export const LIMIT_MS = 60_000
