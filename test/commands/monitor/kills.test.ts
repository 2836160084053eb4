import { expect, test } from 'vitest'
import { playKills } from './kill-rounds.ts'

// A quick version of the test in kills.long.test.ts, which kills the monitor 100 times.

test('a receiver that deduplicates by ID gets each change exactly once, even if the monitor is killed', async () => {
  const { steps } = await playKills(8)
  expect(steps).toBeGreaterThan(20)
})
