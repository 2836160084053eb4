import { expect, test } from 'vitest'
import { HOSTILE_TEXTS } from './running/hostile-texts.ts'
import { readHostileTexts } from './running/injection.ts'

// These tests read every 10th or every 50th text. injection.long.test.ts reads all of them.

test('the injection tests use at least 200 different hostile texts', () =>
  expect(new Set(HOSTILE_TEXTS).size).toBeGreaterThanOrEqual(200))

test.each([
  ['modern', 10],
  ['legacy', 50],
] as const)(
  'hostile text from guests reaches the agent marked and inert, and triggers no write (%s protocol)',
  (era, step) => readHostileTexts(era, step),
)
