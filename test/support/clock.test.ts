import { expect, test } from 'vitest'
import { freshHome, NODE, runPartner, runPartnerCold, runProgram } from './partner.ts'

const AT_MOST_MS = 60_000

/**
 * Expects a time from another process to agree with the clock of the tests, which scripts/clock/test-at.sh may have
 * shifted.
 */
function expectOurs(time: string | number): void {
  expect(Math.abs(new Date(time).getTime() - Date.now()), String(time)).toBeLessThan(AT_MOST_MS)
}

test('every process that a test starts uses the clock of the tests', async () => {
  expectOurs((await runProgram('date', ['-u', '+%FT%TZ'])).stdout.trim())
  expectOurs(Number((await runProgram(NODE, ['-p', 'Date.now()'])).stdout))
  for (const run of [runPartner, runPartnerCold]) {
    const { stdout } = await run(['sandbox', 'exec', '--', NODE, '-p', 'Date.now()'], { env: freshHome() })
    expectOurs(Number(stdout))
  }
})
