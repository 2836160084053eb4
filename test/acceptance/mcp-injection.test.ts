import { expect, test } from 'vitest'
import { HOSTILE_TEXTS } from '../mcp/running/hostile-texts.ts'
import { readHostileTexts } from '../mcp/running/injection.ts'

// mcp-injection.long.test.ts reads each text in each place.

test('there are 200 hostile texts', () => expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(200))

test.each([
  ['modern', 10],
  ['legacy', 50],
] as const)('text from guests arrives marked and inert, and moves nothing, %s', (era, step) =>
  readHostileTexts(era, step),
)
