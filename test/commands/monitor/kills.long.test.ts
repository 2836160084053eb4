import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 100)

test(`no change is told twice to a receiver that honours IDs, and none is lost, in ${KILLS} kills`, {
  timeout: 3_600_000,
}, async () => {
  const { resent } = await playKills(KILLS)
  // Some kills came after the receiver had taken an alert, and before the monitor knew it.
  expect(resent).toBeGreaterThan(0)
})
