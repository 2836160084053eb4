/**
 * The longest time that a test waits for anything, in milliseconds. Tests do not measure speed, so this is long enough
 * for a slow, busy machine. It is shorter than a test's time limit, so that a failure says what the test waited for.
 */
export const LIMIT_MS = 60_000
