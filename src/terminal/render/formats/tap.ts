import { jsonTerminalSafe, terminalSafe } from '../text/safe-text.ts'
import type { CheckReport, CheckResult } from './check-result.ts'

/**
 * TAP 14: a line for each result, with what belongs to it below, and the plan at the end: output that broke off has none. Source: testanything.org, "TAP 14
 * specification".
 */
export function tapReport(): CheckReport {
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
  const name = `${number} - ${escaped(check)}`
  if (result === 'skipped') return `ok ${name} # SKIP ${escaped(yours)}\n`
  // JSON is YAML, on one line.
  const members = Object.entries({ good, yours, duration_ms: ms })
  const below = members.map(([member, value]) => `  ${member}: ${jsonTerminalSafe(JSON.stringify(value))}\n`)
  return `${result === 'ok' ? 'ok' : 'not ok'} ${name}\n  ---\n${below.join('')}  ...\n`
}

/** A `#` begins a directive. */
function escaped(text: string): string {
  return terminalSafe(text).replace(/[\\#]/g, '\\$&')
}
