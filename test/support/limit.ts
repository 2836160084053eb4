/**
 * How long anything that a test waits for may take before the test gives up on it, milliseconds. No test is about speed: this is
 * long enough for a slow machine with other work, and shorter than the limit of a test, so that the test says what it waited for.
 */
export const LIMIT_MS = 60_000
