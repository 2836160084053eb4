import { expect, test } from 'vitest'
import { syntaxErrorPosition } from '../../../../src/features/support/bundle/given/har.ts'

test.each([
  ['{"log":\n{"entries":[}', 'line 2, column 13'],
  ['', 'line 1, column 1'],
  ['{"a":1,}', 'line 1, column 8'],
  ['{"a" 1}', 'line 1, column 6'],
  ['[1 2]', 'line 1, column 4'],
  ['{"a":"b\nc"}', 'line 1, column 6'],
  ['{"a":01}', 'line 1, column 7'],
  ['[1]\n\nx', 'line 3, column 1'],
  ['[1,', 'line 1, column 4'],
  ['{a:1}', 'line 1, column 2'],
  [`["${'x'.repeat(3_000_000)}"`, 'line 1, column 3000004'],
  [`["${'x'.repeat(3_000_000)}`, 'line 1, column 2'],
  [`["${'x\\n'.repeat(1_000_000)}\n"]`, 'line 1, column 2'],
])('syntaxErrorPosition finds the syntax error of %.40s at %s', (text, place) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(syntaxErrorPosition(text)).toBe(place)
})
