import { globSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { LEFT_TO_CI, skipsLongTests } from './long-tests.ts'

/**
 * Prints the tests' notes and the reasons for skipped tests at the end of a test run. The last line contains the
 * numbers of passed and failed tests, for scripts. A test file that could not be run counts as a failed test.
 */
export default class LastLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    const notes: string[] = []
    const stoodBack = new Map<string, { tests: number; files: Set<string> }>()
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) {
        const result = test.result()
        count[result.state] += 1
        notes.push(...test.annotations().map(({ message }) => `${message}\n`))
        if (result.state !== 'skipped' || result.note === undefined) continue
        const lack = stoodBack.get(result.note) ?? { tests: 0, files: new Set() }
        lack.tests++
        stoodBack.set(result.note, { ...lack, files: lack.files.add(module.relativeModuleId) })
      }
    }
    const lacks = [...stoodBack].map(([lack, { tests, files }]) => {
      return `skipped because ${lack}: ${tests} ${tests === 1 ? 'test' : 'tests'} in ${[...files].join(', ')}\n`
    })
    if (skipsLongTests)
      lacks.push(
        `left to CI because they are slow: ${globSync(LEFT_TO_CI).length} files; to run them: npx vitest run .ci. .long.\n`,
      )
    const left = count.skipped + count.pending
    const last = `${count.passed} passed, ${count.failed} failed${left === 0 ? '' : `, ${left} skipped`}\n`
    // Printed on exit, so that it follows all other output.
    process.once('exit', () => process.stdout.write(notes.join('') + lacks.join('') + last))
  }
}
