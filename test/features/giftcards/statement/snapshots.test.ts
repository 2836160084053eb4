import { describe, expect, test } from 'vitest'
import { chooseSnapshots } from '../../../../src/features/giftcards/statement/snapshots.ts'

const HOUR_MS = 3_600_000
const taken = (...hours: readonly number[]) => hours.map((hour) => hour * HOUR_MS)
const USAGE = { code: 'USAGE' }
const ms = (hour: number | null) => (hour === null ? null : hour * HOUR_MS)
const choose = (takenMs: readonly number[], from: number | null, to: number | null) =>
  chooseSnapshots(takenMs, { name: 'cards.db', source: 'city' }, { fromMs: ms(from), toMs: ms(to) })

describe('the snapshots of a period', () => {
  test.each<[number | null, number | null, { from: number; to: number }]>([
    [null, null, { from: 2, to: 3 }],
    [null, 2, { from: 0, to: 1 }],
    [0, null, { from: 0, to: 3 }],
    [1.5, 2.5, { from: 0, to: 1 }],
    [2, 99, { from: 1, to: 3 }],
  ])('from %s to %s', (from, to, expected) => {
    expect(choose(taken(1, 2, 3, 4), from === 0 ? 1 : from, to)).toEqual(expected)
  })

  test.each<[string, readonly number[], number | null, number | null, RegExp, RegExp]>([
    ['none at all', [], null, null, /has no snapshot of the gift cards of city/, /giftcards sync --to cards\.db/],
    ['one alone', [1], null, null, /has one snapshot.*1970-01-01T01:00/, /run it again when the period ends/],
    ['one alone, with --from', [1], 1, null, /has one snapshot/, /run it again/],
    ['all later than --to', [5], null, 2, /no snapshot at or before --to/, /the first one is of 1970-01-01T05:00/],
    ['all later than --from', [5, 6], 2, null, /no snapshot at or before --from/, /the first one is of/],
    ['none before that of --to', [5, 6], null, 5, /no snapshot before that of --to/, /the first one is of/],
    ['the same twice', [1, 5, 9], 6, 7, /mean the same snapshot, of 1970-01-01T05:00/, /next one is of 1970-01-01T09/],
    ['the last one twice', [1, 5], 6, 7, /mean the same snapshot/, /it is the last one/],
  ])('%s', (_, hours, from, to, says, next) => {
    expect(() => choose(taken(...hours), from, to)).toThrow(
      expect.objectContaining({ ...USAGE, message: expect.stringMatching(says), hint: expect.stringMatching(next) }),
    )
  })
})
