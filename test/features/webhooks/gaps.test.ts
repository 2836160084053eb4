import { expect, test } from 'vitest'
import { gapHourList, gapList } from '../../../src/features/webhooks/deliveries/gaps.ts'
import { gap } from '../sample-records.ts'
import { table } from '../shown.ts'

const gaps = [
  gap,
  { ...gap, repaired: true, answer: 200 },
  { ...gap, repaired: false, answer: 'not sent' },
  { ...gap, class: 'late', delivered: '2026-11-20T06:20:00.000Z', lateSeconds: 1200, line: 12 },
  { ...gap, class: 'duplicate', changed: null, delivered: '2026-11-20T06:01:00.000Z', line: 13 },
]

test('the gaps table fits in 80 columns and shows more at 140 columns', async () => {
  expect(await table(gaps, gapList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "CLASS      EVENT            SUBJECT                   WHEN              REPAIR",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00  sent",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00  not sent",
      "late       BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00",
      "duplicate  BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:01",
    ]
  `)
  expect(await table(gaps, gapList, { columns: 140 })).toMatchInlineSnapshot(`
    [
      "CLASS      EVENT            SUBJECT                   WHEN              LATE  LINE  REPAIR",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00              sent",
      "missing    BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00              not sent",
      "late       BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00   20m    12",
      "duplicate  BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:01          13",
    ]
  `)
})

test('the gaps table omits the columns about repairs and delays if they would be empty', async () =>
  expect(await table([gap], gapList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "CLASS    EVENT            SUBJECT                   WHEN",
      "missing  BOOKING_UPDATED  6b02f574c1bbb011e6f37b81  2026-11-20 17:00",
    ]
  `))

test('the table of gaps per hour fits in 80 columns', async () => {
  const hour = { hour: '2026-11-20T06:00:00.000Z', event: 'GIFTCARDS_REDEEMED', changes: 10, deliveries: 9 }
  const hours = [{ ...hour, missing: 2, extra: 0, late: 1, duplicate: 1 }]
  expect(await table(hours, gapHourList, { columns: 80 })).toMatchInlineSnapshot(`
    [
      "HOUR              EVENT                CHANGES  MISSING  EXTRA  LATE  DUPLICATE",
      "2026-11-20 17:00  GIFTCARDS_REDEEMED        10        2      0     1          1",
    ]
  `)
})
