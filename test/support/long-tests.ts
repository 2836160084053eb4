/** Tests that run only in CI, so that `npm test` takes at most six minutes. */
const CI_TESTS = 'test/**/*.ci.test.ts'
/** Slow tests, which kill processes many times or test limits with millions of bytes. CI runs most of them at night. */
const LONG_TESTS = 'test/**/*.long.test.ts'

/** The tests that `npm test` skips. A run that names test files does not skip any. */
export const LEFT_TO_CI: readonly string[] = [CI_TESTS, LONG_TESTS]

export const skipsLongTests = process.argv.slice(2).every((word) => word.startsWith('-') || word === 'run')
