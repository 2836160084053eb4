import { terminalSafe } from '../text/safe-text.ts'
import type { CheckReport, CheckResult } from './check-result.ts'

/** JUnit's XML, as build servers read it: one suite, whose counts stand at its head, so that all is printed at the end. */
export function junitReport(name: string, goodWords: string): CheckReport {
  const results: CheckResult[] = []
  return {
    write: (result) => {
      results.push(result)
      return ''
    },
    end: () => {
      const count = (wanted: CheckResult['result']) => results.filter(({ result }) => result === wanted).length
      const total = seconds(results.reduce((sum, { ms }) => sum + ms, 0))
      const counts = `tests="${results.length}" failures="${count('fail')}" errors="0" skipped="${count('skipped')}"`
      const cases = results.map((result) => caseLines(name, result, goodWords)).join('')
      return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        `<testsuites name="${escaped(name)}" ${counts} time="${total}">`,
        `  <testsuite name="${escaped(name)}" ${counts} time="${total}">`,
        `${cases}  </testsuite>`,
        '</testsuites>\n',
      ].join('\n')
    },
  }
}

function caseLines(suite: string, { check, result, good, yours, ms }: CheckResult, goodWords: string): string {
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(check)}" time="${seconds(ms)}"`
  if (result === 'ok') return `${head}/>\n`
  const found =
    result === 'skipped'
      ? `<skipped message="${escaped(yours)}"/>`
      : `<failure message="${escaped(yours)}">${escaped(goodWords)} ${escaped(good)}</failure>`
  return `${head}>\n      ${found}\n    </testcase>\n`
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return terminalSafe(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
}
