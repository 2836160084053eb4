import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 100)

test(`a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const { resent } = await playKills(KILLS)
  // The monitor resends an alert if it was killed after the receiver accepted the alert but before it recorded that.
  expect(resent).toBeGreaterThan(0)
})
