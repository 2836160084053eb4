import { describe, expect, test } from 'vitest'
import type { CardChange } from '../../../src/sync/copy.ts'
import { eventsOfBooking, eventsOfCard } from '../../../src/webhooks/gaps/change.ts'

const exact = (ms: number, isCertain = true) => ({ afterMs: ms, byMs: ms, isCertain })

describe('expected events for a booking', () => {
  test("gap detection expects a creation event and one update event per later version, regardless of the versions' order", () => {
    const expected = eventsOfBooking({ bookedMs: 1000, versionsMs: [90_000, 1000, 50_000, 90_000] })
    expect(expected.get('BOOKING_CREATED')).toEqual({ changes: [exact(1000)], unseen: [] })
    const updated = { changes: [exact(50_000), exact(90_000)], unseen: [{ fromMs: 1000, toMs: 90_000 }] }
    expect(expected.get('BOOKING_UPDATED')).toEqual(updated)
  })

  test("gap detection treats a change within a second of a booking's creation as an uncertain update", () => {
    const expected = eventsOfBooking({ bookedMs: 1000, versionsMs: [1700] })
    expect(expected.get('BOOKING_UPDATED')?.changes).toEqual([exact(1700, false)])
  })

  test('gap detection does not expect a creation event for a booking without a booking time', () => {
    const expected = eventsOfBooking({ bookedMs: null, versionsMs: [5] })
    expect(expected.get('BOOKING_CREATED')?.changes).toEqual([])
    expect(expected.get('BOOKING_UPDATED')?.changes).toEqual([exact(5)])
  })
})

describe('expected events for a gift card', () => {
  const change: CardChange = {
    ...{ id: 'C', change: 'changed', afterMs: 10, byMs: 20, status: 'Active', remainingCents: 500 },
    ...{ previousStatus: 'Active', previousRemainingCents: 500 },
  }

  test.each<[string, Partial<CardChange>, string[]]>([
    ['a new card', { change: 'appeared', previousStatus: null, previousRemainingCents: null }, ['CREATED']],
    ['a lower balance', { remainingCents: 400 }, ['REDEEMED']],
    ['an empty balance', { remainingCents: 0, status: 'Redeemed' }, ['REDEEMED']],
    ['a higher balance', { remainingCents: 600 }, ['UPDATED']],
    ['an expiry', { status: 'Expired' }, ['UPDATED']],
    ['other changed details', {}, ['UPDATED']],
    ['a cancellation', { status: 'Cancelled' }, ['CANCELLED']],
    ['a cancellation that sets the balance to zero', { status: 'Cancelled', remainingCents: 0 }, ['CANCELLED']],
    ['a redemption followed by a cancellation', { status: 'Cancelled', remainingCents: 1 }, ['CANCELLED', 'REDEEMED']],
    [
      'a change to a card that was already cancelled',
      { status: 'Cancelled', previousStatus: 'Cancelled' },
      ['UPDATED'],
    ],
    ['a card that reappears', { change: 'returned', previousStatus: null, previousRemainingCents: null }, []],
    ['a card that disappears', { change: 'went', status: null, remainingCents: null }, []],
  ])('gap detection derives the expected events from %s', (_, more, events) => {
    const expected = eventsOfCard([{ ...change, ...more }])
    const found = [...expected].filter(([, { changes }]) => changes.length > 0).map(([event]) => event)
    expect(found.sort()).toEqual(events.map((event) => `GIFTCARDS_${event}`))
    for (const event of found)
      expect(expected.get(event)?.changes).toEqual([{ afterMs: 10, byMs: 20, isCertain: true }])
  })
})
