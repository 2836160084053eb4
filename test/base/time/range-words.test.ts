import { expect, test } from 'vitest'
import { describeRange } from '../../../src/base/time/range-words.ts'

const SYDNEY = 'Australia/Sydney'

test.each([
  ['2026-11-21T13:00:00.000Z', '2026-11-22T12:59:59.999Z', SYDNEY, 'on Sun 2026-11-22 (Australia/Sydney)'],
  ['2026-11-21T13:00:00.000Z', '2026-11-23T12:59:59.999Z', SYDNEY, `from Sun 2026-11-22 to Mon 2026-11-23 (${SYDNEY})`],
  ['2026-11-22T07:00:00.000Z', '2026-11-22T12:59:59.999Z', SYDNEY, `from Sun 2026-11-22 18:00 to 23:59 (${SYDNEY})`],
  ['2026-11-21T10:00:00Z', '2026-11-22T10:00:00Z', null, 'from Sat 2026-11-21 10:00 to Sun 2026-11-22 10:00 (UTC)'],
  ['2026-10-03T14:00:00.000Z', '2026-10-04T12:59:59.999Z', SYDNEY, 'on Sun 2026-10-04 (Australia/Sydney)'],
])('describeRange describes %s to %s in %s as "%s"', (from, to, zone, words) => {
  expect(describeRange({ fromMs: Date.parse(from), toMs: Date.parse(to) }, zone)).toBe(words)
})
