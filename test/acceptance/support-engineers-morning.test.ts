import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PARTNER, ROOT, runProgram, TOOL } from '../support/partner.ts'

test('a support engineer can work through a morning of commands, from adding a profile to redeeming a gift card', async () => {
  const script = join(ROOT, 'test', 'acceptance', 'support-engineers-morning.sh')
  const run = await runProgram('bash', [script], { env: { PARTNER: TOOL.length === 1 ? TOOL[0] : PARTNER } })
  expect(run, run.stdout + run.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/== A good morning\n$/) })
  expect(run.stdout).toMatch(/\n[1-9]\d* bookings changed\n/)
})
