import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Prints how many tests passed and failed as the last line of all, for programs; a file that could not be run counts as a failure. */
export default class LastLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) count[test.result().state] += 1
    }
    const left = count.skipped + count.pending
    const line = `${count.passed} passed, ${count.failed} failed${left === 0 ? '' : `, ${left} skipped`}\n`
    // Not before everything else has had its say.
    process.once('exit', () => process.stdout.write(line))
  }
}
