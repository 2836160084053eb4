import { expect, test } from 'vitest'
import { freshHome, NODE, runPartner, runPartnerCold, runProgram } from './partner.ts'

const TOLERANCE_MS = 60_000

/**
 * Expects a time from another process to agree with the tests' own clock, which scripts/clock/test-at.sh might have
 * shifted.
 */
function expectTestClock(time: string | number): void {
  expect(Math.abs(new Date(time).getTime() - Date.now()), String(time)).toBeLessThan(TOLERANCE_MS)
}

test('every process that a test starts uses the same clock as the test', async () => {
  expectTestClock((await runProgram('date', ['-u', '+%FT%TZ'])).stdout.trim())
  expectTestClock(Number((await runProgram(NODE, ['-p', 'Date.now()'])).stdout))
  for (const run of [runPartner, runPartnerCold]) {
    const { stdout } = await run(['sandbox', 'exec', '--', NODE, '-p', 'Date.now()'], { env: freshHome() })
    expectTestClock(Number(stdout))
  }
})
