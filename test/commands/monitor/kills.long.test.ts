import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 100)

test(`a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed ${KILLS} times`, {
  timeout: 3_600_000,
}, async () => {
  const { resent } = await playKills(KILLS)
  // A monitor that is killed after delivering an alert, but before recording the delivery, sends the alert again.
  expect(resent).toBeGreaterThan(0)
})
