import { configDefaults, defineConfig } from 'vitest/config'
import { LEFT_TO_CI, skipsLongTests } from './test/support/long-tests.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...(skipsLongTests ? LEFT_TO_CI : [])],
    globalSetup: ['test/support/build.ts'],
    reporters: ['default', './test/support/last-line-reporter.ts'],
    disableConsoleIntercept: true,
    // Twice as long as a test waits for anything: on a slow machine with other work, a test is slow and not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Three times the two cores that it is meant for: much of a test is waiting, for processes and for what it made slow.
    maxWorkers: 6,
    // The tests keep nothing in modules that another file could find, and processes that are warm serve more than one file.
    isolate: false,
  },
})
