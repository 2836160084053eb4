/**
 * How long a test waits for anything, in milliseconds. Tests do not measure speed, so this is long enough for a slow,
 * busy machine. It is shorter than the time limit for a whole test, so that a failure says what the test was waiting
 * for.
 */
export const LIMIT_MS = 60_000
