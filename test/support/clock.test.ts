import { expect, test } from 'vitest'
import { freshHome, NODE, runPartner, runPartnerCold, runProgram } from './partner.ts'

const AT_MOST_MS = 60_000

/** How the clock of whatever runs differs from that of the tests: nothing, also when scripts/clock/test-at.sh has moved it. */
function expectOurs(time: string | number): void {
  expect(Math.abs(new Date(time).getTime() - Date.now()), String(time)).toBeLessThan(AT_MOST_MS)
}

test('every process that a test starts has the clock of the tests', async () => {
  expectOurs((await runProgram('date', ['-u', '+%FT%TZ'])).stdout.trim())
  expectOurs(Number((await runProgram(NODE, ['-p', 'Date.now()'])).stdout))
  for (const run of [runPartner, runPartnerCold]) {
    const { stdout } = await run(['sandbox', 'exec', '--', NODE, '-p', 'Date.now()'], { env: freshHome() })
    expectOurs(Number(stdout))
  }
})
