import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

// kills.long.test.ts kills the monitor at 100 points.

test('no change is told twice to a receiver that honours IDs, and none is lost, if the monitor is killed', async () => {
  const { steps } = await playKills(8)
  expect(steps).toBeGreaterThan(20)
})
