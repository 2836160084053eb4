import { expect, test } from 'vitest'
import { HOSTILE_TEXTS } from './running/hostile-texts.ts'
import { readHostileTexts } from './running/injection.ts'

// injection.long.test.ts reads each text in each place.

test('there are 200 hostile texts', () => expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(200))

test.each([
  ['modern', 10],
  ['legacy', 50],
] as const)('text from guests arrives marked and inert, and moves nothing, %s', (era, step) =>
  readHostileTexts(era, step),
)
