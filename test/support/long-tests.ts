/** Tests that take long: they kill again and again, or hold what is held for millions of bytes. */
export const LONG_TESTS = 'test/**/*.long.test.ts'

/** Whether this run leaves them to CI: `npm test` does, and a run that names files does not. */
export const leavesLongTests = process.argv.slice(2).every((word) => word.startsWith('-') || word === 'run')
