import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

// kills.long.test.ts kills the monitor at 100 points.

test('a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed', async () => {
  const { steps } = await playKills(8)
  expect(steps).toBeGreaterThan(20)
})
