import { expect, test } from 'vitest'
import { chance } from '../../../money/chance.ts'
import { expectWhole, killAndCheck, runAndKill } from './closing-kills.ts'

const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_127)

test('a listener killed at any step neither loses nor duplicates a delivery, and the next listener continues its journal', async () => {
  const whole = await runAndKill(0, 'after')
  expect(whole.code).toBe(0)
  expect(whole.steps).toBeGreaterThan(100)
  await expectWhole(whole.path, whole.log, 'not killed')
  for (const how of ['before', 'half', 'after'] as const)
    await killAndCheck(chance(SEED + how.length).integer(1, whole.steps), how)
})
