/** Slow tests, which kill processes many times or test limits with millions of bytes. */
export const LONG_TESTS = 'test/**/*.long.test.ts'

/**
 * Whether this run skips the slow tests and leaves them to CI. `npm test` skips them, but a run that names test files
 * does not.
 */
export const skipsLongTests = process.argv.slice(2).every((word) => word.startsWith('-') || word === 'run')
