import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    reporters: ['default', './test/support/last-line-reporter.ts'],
    disableConsoleIntercept: true,
    // Twice as long as a test waits for anything: on a slow machine with other work, a test is slow and not wrong.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
})
