import { describe, expect, test } from 'vitest'
import { type CheckResult, openCheckReport } from '../../../../src/terminal/render/formats/check-report.ts'
import type { ReportFormat } from '../../../../src/terminal/render/view.ts'

const RESULTS: readonly CheckResult[] = [
  { check: 'plain', result: 'ok', good: '2xx', yours: 'answered 200', ms: 12 },
  { check: 'odd', result: 'fail', good: '<4xx> & "no"', yours: 'answered 302, to https://a/#\u001b[31m', ms: 1500 },
  { check: 'key', result: 'skipped', good: '401', yours: 'not tried: # none \\ "x" <y>', ms: 0 },
]

function reported(format: ReportFormat, results: readonly CheckResult[] = RESULTS): string {
  const report = openCheckReport(format, 'a & b')
  return results.map((result) => report.write(result)).join('') + report.end()
}

describe('reports of check results', () => {
  test('a TAP report lists each check with its details, followed by the plan', () => {
    expect(reported('tap')).toBe(`TAP version 14
ok 1 - plain
  ---
  good: "2xx"
  yours: "answered 200"
  duration_ms: 12
  ...
not ok 2 - odd
  ---
  good: "<4xx> & \\"no\\""
  yours: "answered 302, to https://a/#\\u001b[31m"
  duration_ms: 1500
  ...
ok 3 - key # SKIP not tried: \\# none \\\\ "x" <y>
1..3
`)
    expect(reported('tap', [])).toBe('TAP version 14\n1..0\n')
  })

  test('a TAP report prints results as they arrive and prints the plan only at the end', () => {
    const report = openCheckReport('tap', 'x')
    for (const result of RESULTS) expect(report.write(result)).not.toMatch(/^1\.\./m)
  })

  test('a JUnit report is XML that contains counts, failures and skipped checks', () =>
    expect(reported('junit')).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="a &amp; b" tests="3" failures="1" errors="0" skipped="1" time="1.512">
  <testsuite name="a &amp; b" tests="3" failures="1" errors="0" skipped="1" time="1.512">
    <testcase classname="a &amp; b" name="plain" time="0.012"/>
    <testcase classname="a &amp; b" name="odd" time="1.500">
      <failure message="answered 302, to https://a/#\\u001b[31m">a correct receiver answers &lt;4xx&gt; &amp; &quot;no&quot;</failure>
    </testcase>
    <testcase classname="a &amp; b" name="key" time="0.000">
      <skipped message="not tried: # none \\\\ &quot;x&quot; &lt;y&gt;"/>
    </testcase>
  </testsuite>
</testsuites>
`.replace('\\\\ &quot;x', '\\ &quot;x'),
    ))
})
