import { globSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { LONG_TESTS, leavesLongTests } from './long-tests.ts'

/**
 * Says at the very end which tests stood back for which lack of this machine, a line each, and then, as the last line of all
 * and for programs, how many passed and failed; a file that could not be run counts as a failure.
 */
export default class LastLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    const stoodBack = new Map<string, { tests: number; files: Set<string> }>()
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) {
        const result = test.result()
        count[result.state] += 1
        if (result.state !== 'skipped' || result.note === undefined) continue
        const lack = stoodBack.get(result.note) ?? { tests: 0, files: new Set() }
        lack.tests++
        stoodBack.set(result.note, { ...lack, files: lack.files.add(module.relativeModuleId) })
      }
    }
    const lacks = [...stoodBack].map(([lack, { tests, files }]) => {
      return `stood back, as ${lack}: ${tests} ${tests === 1 ? 'test' : 'tests'} of ${[...files].join(', ')}\n`
    })
    if (leavesLongTests)
      lacks.push(
        `left to CI, as they take long: ${globSync(LONG_TESTS).length} files; to run them: npx vitest run .long.\n`,
      )
    const left = count.skipped + count.pending
    const last = `${count.passed} passed, ${count.failed} failed${left === 0 ? '' : `, ${left} skipped`}\n`
    // Not before everything else has had its say.
    process.once('exit', () => process.stdout.write(lacks.join('') + last))
  }
}
