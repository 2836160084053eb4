import { expect, test } from 'vitest'
import { chance } from '../../../money/chance.ts'
import { killAndCheck, runAndKill } from './closing-kills.ts'

const SEED = Number(process.env['PARTNER_SEED'] ?? 1)
const KILLS = Number(process.env['PARTNER_KILLS'] ?? 40)

test('listeners killed at many random steps neither lose nor duplicate a delivery', {
  timeout: 120_000 + KILLS * 6000,
}, async () => {
  const { steps } = await runAndKill(0, 'after')
  expect(steps).toBeGreaterThan(100)
  const random = chance(SEED)
  for (let kill = 0; kill < KILLS; kill++) {
    const at = Math.floor((steps * kill) / KILLS) + random.integer(1, Math.ceil(steps / KILLS))
    await killAndCheck(Math.min(at, steps - 1), (['before', 'half', 'after'] as const)[kill % 3] ?? 'after')
  }
})
