import { expect, test } from 'vitest'
import { reservationCard, reservationList } from '../../../src/features/bookings/views/receipt.ts'
import { reservation } from '../sample-records.ts'
import { card, said, sydney } from '../shown.ts'

test('the card for a new reservation shows its ID first and then what was booked', async () =>
  expect(await card(reservation, reservationCard, reservationList)).toEqual([
    'Booked: 4 people, Fri 2026-11-20 18:00, Dinner  Unconfirmed',
    '',
    '  Booking ID  BK-1',
    '  Time        Fri 2026-11-20 18:00 Australia/Sydney, 90 minutes',
    '  People      4',
    '  Status      Unconfirmed',
    '  Tables      12, 14',
    '  Service     Dinner',
    '  Service ID  svc-dinner',
    '  Section ID  sec-1',
  ]))

test("the card for a new reservation converts a time with an offset to the venue's time zone", async () => {
  const lines = await card({ ...reservation, time: '2026-11-20T07:00:00Z' }, reservationCard, reservationList)
  expect(said(lines, 'Time')).toBe('Fri 2026-11-20 18:00 Australia/Sydney, 90 minutes')
  const utc = { context: { ...sydney, timezone: null } }
  const inUtc = await card({ ...reservation, time: '2026-11-20T07:00:00Z' }, reservationCard, reservationList, utc)
  expect(said(inUtc, 'Time')).toBe('Fri 2026-11-20 07:00 UTC, 90 minutes')
})

test('the card for a rejected reservation shows "Not booked" and the error', async () => {
  const lines = await card({ isSuccess: false, errorMessage: 'No service available' }, reservationCard, reservationList)
  expect(lines[0]).toBe('Not booked  No service available')
  expect(said(lines, 'Error')).toBe('No service available')
})
