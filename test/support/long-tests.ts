/** Slow tests, which kill processes many times or check limits with millions of bytes. */
export const LONG_TESTS = 'test/**/*.long.test.ts'

/** Whether this run leaves the slow tests to CI. `npm test` does; a run that names files does not. */
export const skipsLongTests = process.argv.slice(2).every((word) => word.startsWith('-') || word === 'run')
