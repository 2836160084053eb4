import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 100)

test(`a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const { resent } = await playKills(KILLS)
  // Some kills came after the receiver had accepted an alert, but before the monitor had recorded it.
  expect(resent).toBeGreaterThan(0)
})
