import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyCode, type Mutant, plant } from '../../support/mutants.ts'
import { MUTANTS } from './mutants.ts'

/**
 * Plants each mutant in a copy of the code and runs the random tests against the copy. At least one test must fail.
 * If words are given on the command line, only mutants whose names contain one of the words are tested.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..')
const TESTS = ['test/money/histories.test.ts', 'test/money/flipped-bits.ci.test.ts']
const TESTS_OF_KEYS = ['test/money/once-two-hosts.test.ts', 'test/money/once-histories.ci.test.ts']
const CONFIG = "export default { test: { pool: 'forks', maxWorkers: 2, testTimeout: 60_000, hookTimeout: 120_000 } }\n"

interface Report {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly numPendingTests: number
  readonly testResults: readonly {
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly failureMessages: readonly string[] }[]
  }[]
}

const copy = copyCode()
writeFileSync(join(copy, 'vitest.config.ts'), CONFIG)

const words = process.argv.slice(2)
const chosen = MUTANTS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
const survivors: string[] = []
for (const tests of [TESTS, TESTS_OF_KEYS]) {
  if (!chosen.some((mutant) => testsFor(mutant) === tests)) continue
  const unmutated = play(tests)
  if (unmutated.numFailedTests > 0) fail(`the tests fail without a mutant: ${firstFailure(unmutated)}`)
  if (unmutated.numPendingTests > 0) fail(`${unmutated.numPendingTests} tests were skipped, so they detect nothing`)
  say(`passes    unchanged code (${unmutated.numPassedTests} tests)`)
}
for (const mutant of chosen) {
  const takeBack = plant(copy, mutant)
  const report = play(testsFor(mutant), ['--bail', '1'])
  takeBack()
  const isSeen = report.numFailedTests > 0
  if (!isSeen) survivors.push(mutant.name)
  say(isSeen ? `detected  ${mutant.name}\n          by ${firstFailure(report)}` : `SURVIVED  ${mutant.name}`)
}
if (survivors.length > 0)
  fail(`${survivors.length} of ${chosen.length} mutants survived: the histories need twists that detect them`)
say(`all ${chosen.length} mutants were detected`)

/** Returns the tests that must detect a mutant: those for `--once` and `--ledger`, or the single-machine tests. */
function testsFor(mutant: Mutant): readonly string[] {
  return /^src\/money\/(once|ledger)\//.test(mutant.file) ? TESTS_OF_KEYS : TESTS
}

function play(tests: readonly string[], args: readonly string[] = []): Report {
  const output = join(copy, 'report.json')
  rmSync(output, { force: true })
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const { stderr } = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', copy, '--reporter', 'json', '--outputFile', output, ...args, ...tests],
    { cwd: copy, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], timeout: 600_000 },
  )
  if (!existsSync(output)) fail(`the histories could not be run:\n${stderr}`)
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report
  // A mutant does not count as detected if its code could not be loaded or the database did not start.
  const broken = report.testResults.find(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
  )
  if (broken && report.numFailedTests === 0) fail(`a test file could not be run: ${broken.message}`)
  return report
}

function firstFailure({ testResults }: Report): string {
  const failures = testResults.flatMap(({ assertionResults }) => assertionResults.flatMap((one) => one.failureMessages))
  return (failures[0] ?? '').split('\n')[0] ?? ''
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
