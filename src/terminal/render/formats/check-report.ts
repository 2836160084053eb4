import { jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'
import type { ReportFormat } from '../view.ts'

export interface CheckResult {
  readonly check: string
  readonly result: 'ok' | 'fail' | 'skipped'
  readonly good: string
  readonly yours: string
  readonly ms: number
}

/** Formats check results as they arrive. Each method returns the text to print next. */
interface CheckReport {
  write(result: CheckResult): string
  /**
   * Ends the report. Must be called once, after the last result. Without it, test runners see that the report is
   * incomplete.
   */
  end(): string
}

/**
 * Opens a report for a test runner. `name` is the suite's name. JUnit XML puts `goodWords` before the expected result
 * of a failed check.
 */
export function openCheckReport(format: ReportFormat, name: string, goodWords = 'a correct receiver answers') {
  return format === 'tap' ? tapReport() : junitReport(name, goodWords)
}

/** Opens a report in JUnit XML. The whole report is printed at the end, because the counts come first. */
function junitReport(name: string, goodWords: string): CheckReport {
  const results: CheckResult[] = []
  return {
    write: (result) => {
      results.push(result)
      return ''
    },
    end: () => {
      const count = (expected: CheckResult['result']) => results.filter(({ result }) => result === expected).length
      const total = seconds(results.reduce((sum, { ms }) => sum + ms, 0))
      const counts = `tests="${results.length}" failures="${count('fail')}" errors="0" skipped="${count('skipped')}"`
      const cases = results.map((result) => caseLines(name, result, goodWords)).join('')
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="${xmlText(name)}" ${counts} time="${total}">`,
        `  <testsuite name="${xmlText(name)}" ${counts} time="${total}">`,
        `${cases}  </testsuite>`,
        '</testsuites>\n',
      ].join('\n')
    },
  }
}

function caseLines(suite: string, { check, result, good, yours, ms }: CheckResult, goodWords: string): string {
  const head = `    <testcase classname="${xmlText(suite)}" name="${xmlText(check)}" time="${seconds(ms)}"`
  if (result === 'ok') return `${head}/>\n`
  const found =
    result === 'skipped'
      ? `<skipped message="${xmlText(yours)}"/>`
      : `<failure message="${xmlText(yours)}">${xmlText(goodWords)} ${xmlText(good)}</failure>`
  return `${head}>\n      ${found}\n    </testcase>\n`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function xmlText(text: string): string {
  return terminalSafe(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}

/**
 * Opens a report in TAP 14. The plan comes last, so incomplete output has no plan. Source: testanything.org, TAP 14.
 */
function tapReport(): CheckReport {
  let count = 0
  const head = () => (count === 0 ? 'TAP version 14\n' : '')
  return {
    write: (result) => {
      const begun = head()
      count += 1
      return begun + resultLines(result, count)
    },
    end: () => `${head()}1..${count}\n`,
  }
}

function resultLines({ check, result, good, yours, ms }: CheckResult, number: number): string {
  const name = `${number} - ${tapText(check)}`
  if (result === 'skipped') return `ok ${name} # SKIP ${tapText(yours)}\n`
  // Write the values as JSON, which is valid YAML and fits on one line.
  const members = Object.entries({ good, yours, duration_ms: ms })
  const below = members.map(([member, value]) => `  ${member}: ${jsonTerminalSafe(JSON.stringify(value))}\n`)
  return `${result === 'ok' ? 'ok' : 'not ok'} ${name}\n  ---\n${below.join('')}  ...\n`
}

/** Escapes `#`, which would start a directive. */
function tapText(text: string): string {
  return terminalSafe(text).replace(/[\\#]/g, '\\$&')
}
