import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 100)

test(`a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const { resent } = await playKills(KILLS)
  // An alert is resent if the monitor is killed after the receiver accepted it, but before the monitor recorded its
  // acceptance.
  expect(resent).toBeGreaterThan(0)
})
