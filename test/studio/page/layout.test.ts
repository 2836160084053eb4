import { expect, test } from 'vitest'
import { layOut } from '../../../src/studio/page/day/layout.ts'
import type { DiaryBooking } from '../../../src/studio/page/day/read.ts'
import { indentedJson } from '../../../src/studio/page/words/texts.ts'

function booking(fromMinute: number, toMinute: number, ...tableIds: string[]): DiaryBooking {
  return { fromMinute, toMinute, tableIds, guest: '', document: { people: 2 } as DiaryBooking['document'] }
}

test('layOut uses an additional row if bookings at a table overlap, and puts a booking without a table above all tables', () => {
  const { rows, places, firstHour, hours } = layOut(
    [
      booking(12 * 60, 13 * 60, 't1'),
      booking(12 * 60 + 30, 14 * 60, 't1'),
      booking(13 * 60, 14 * 60, 't1', 't2'),
      booking(23 * 60 + 50, 25 * 60 + 10),
    ],
    ['t1', 't2'],
  )
  expect({ firstHour, hours }).toEqual({ firstHour: 11, hours: 15 })
  expect(rows).toEqual([
    { tableId: null, row: 2, tall: 1 },
    { tableId: 't1', row: 3, tall: 2 },
    { tableId: 't2', row: 5, tall: 1 },
  ])
  expect(places.map(({ row, column, slots, again }) => ({ row, column, slots, again }))).toEqual([
    { row: 3, column: 12, slots: 12, again: false },
    { row: 4, column: 18, slots: 18, again: false },
    { row: 3, column: 24, slots: 12, again: false },
    { row: 5, column: 24, slots: 12, again: true },
    { row: 2, column: 154, slots: 16, again: false },
  ])
})

test('layOut stacks bookings without a table below all tables and cuts long bookings off at the last column', () => {
  const crowd = Array.from({ length: 5 }, () => booking(720, 800))
  expect(layOut([...crowd, booking(0, 100_000, 't1'), booking(725, 725, 't1')], ['t1']).rows).toEqual([
    { tableId: 't1', row: 2, tall: 2 },
    { tableId: null, row: 4, tall: 5 },
  ])
  const { hours, places } = layOut([booking(0, 100_000, 't1')], ['t1'])
  expect({ hours, slots: places[0]?.slots }).toEqual({ hours: 36, slots: 432 })
})

test('indentedJson indents complete and truncated JSON without changing values, and returns other text unchanged', () => {
  expect(indentedJson('{"a":1.10,"b":[1,{"c":"{x,y}"}],"d":{},"e":[]}')).toBe(
    '{\n  "a": 1.10,\n  "b": [\n    1,\n    {\n      "c": "{x,y}"\n    }\n  ],\n  "d": {},\n  "e": []\n}',
  )
  expect(indentedJson('{"a":"b\\"c","d":"cut off… (9000 bytes)')).toBe(
    '{\n  "a": "b\\"c",\n  "d": "cut off… (9000 bytes)',
  )
  expect(indentedJson('no JSON: {')).toBe('no JSON: {')
})
