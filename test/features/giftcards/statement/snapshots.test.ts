import { describe, expect, test } from 'vitest'
import { chooseSnapshots } from '../../../../src/features/giftcards/statement/snapshots.ts'

const HOUR_MS = 3_600_000
const taken = (...hours: readonly number[]) => hours.map((hour) => hour * HOUR_MS)
const USAGE = { code: 'USAGE' }
const ms = (hour: number | null) => (hour === null ? null : hour * HOUR_MS)
const choose = (takenMs: readonly number[], from: number | null, to: number | null) =>
  chooseSnapshots(takenMs, { name: 'cards.db', source: 'city' }, { fromMs: ms(from), toMs: ms(to) })

describe('chooseSnapshots', () => {
  test.each<[number | null, number | null, { from: number; to: number }]>([
    [null, null, { from: 2, to: 3 }],
    [null, 2, { from: 0, to: 1 }],
    [0, null, { from: 0, to: 3 }],
    [1.5, 2.5, { from: 0, to: 1 }],
    [2, 99, { from: 1, to: 3 }],
  ])('chooseSnapshots chooses the snapshots for the hours from %s to %s', (from, to, expected) => {
    expect(choose(taken(1, 2, 3, 4), from === 0 ? 1 : from, to)).toEqual(expected)
  })

  test.each<[string, readonly number[], number | null, number | null, RegExp, RegExp]>([
    [
      'an empty list of snapshots',
      [],
      null,
      null,
      /has no gift card snapshot for city/,
      /giftcards sync --to cards\.db/,
    ],
    [
      'a single snapshot',
      [1],
      null,
      null,
      /has only one gift card snapshot.*1970-01-01T01:00/,
      /run it again when the period ends/,
    ],
    ['a single snapshot with --from', [1], 1, null, /has only one gift card snapshot/, /run it again/],
    [
      'only snapshots after --to',
      [5],
      null,
      2,
      /no snapshot at or before --to/,
      /the first one is from 1970-01-01T05:00/,
    ],
    ['only snapshots after --from', [5, 6], 2, null, /no snapshot at or before --from/, /the first one is from/],
    [
      'no snapshot before the one selected by --to',
      [5, 6],
      null,
      5,
      /no snapshot before the one selected by --to/,
      /the first one is from/,
    ],
    [
      'the same snapshot for both ends',
      [1, 5, 9],
      6,
      7,
      /select the same snapshot, from 1970-01-01T05:00/,
      /next one is from 1970-01-01T09/,
    ],
    ['the last snapshot for both ends', [1, 5], 6, 7, /select the same snapshot/, /it is the last one/],
  ])('chooseSnapshots refuses %s', (_, hours, from, to, says, next) => {
    expect(() => choose(taken(...hours), from, to)).toThrow(
      expect.objectContaining({ ...USAGE, message: expect.stringMatching(says), hint: expect.stringMatching(next) }),
    )
  })
})
