import { describe, expect, test } from 'vitest'
import type { CardChange } from '../../../src/sync/copy.ts'
import { eventsOfBooking, eventsOfCard } from '../../../src/webhooks/gaps/change.ts'

const exact = (ms: number, isCertain = true) => ({ afterMs: ms, byMs: ms, isCertain })

describe('a booking', () => {
  test('is created when it was booked, and updated with each later version, whatever their order', () => {
    const expected = eventsOfBooking({ bookedMs: 1000, versionsMs: [90_000, 1000, 50_000, 90_000] })
    expect(expected.get('BOOKING_CREATED')).toEqual({ changes: [exact(1000)], unseen: [] })
    const updated = { changes: [exact(50_000), exact(90_000)], unseen: [{ fromMs: 1000, toMs: 90_000 }] }
    expect(expected.get('BOOKING_UPDATED')).toEqual(updated)
  })

  test('that is dated within a second of its creation may have been updated, or not', () => {
    const expected = eventsOfBooking({ bookedMs: 1000, versionsMs: [1700] })
    expect(expected.get('BOOKING_UPDATED')?.changes).toEqual([exact(1700, false)])
  })

  test('that does not say when it was booked is not expected to be created', () => {
    const expected = eventsOfBooking({ bookedMs: null, versionsMs: [5] })
    expect(expected.get('BOOKING_CREATED')?.changes).toEqual([])
    expect(expected.get('BOOKING_UPDATED')?.changes).toEqual([exact(5)])
  })
})

describe('a gift card', () => {
  const change: CardChange = {
    ...{ id: 'C', change: 'changed', afterMs: 10, byMs: 20, status: 'Active', remainingCents: 500 },
    ...{ previousStatus: 'Active', previousRemainingCents: 500 },
  }

  test.each<[string, Partial<CardChange>, string[]]>([
    ['is new', { change: 'appeared', previousStatus: null, previousRemainingCents: null }, ['CREATED']],
    ['has less left', { remainingCents: 400 }, ['REDEEMED']],
    ['has nothing left', { remainingCents: 0, status: 'Redeemed' }, ['REDEEMED']],
    ['has more left', { remainingCents: 600 }, ['UPDATED']],
    ['expired', { status: 'Expired' }, ['UPDATED']],
    ['has other details', {}, ['UPDATED']],
    ['was cancelled', { status: 'Cancelled' }, ['CANCELLED']],
    ['was cancelled, and nothing is left', { status: 'Cancelled', remainingCents: 0 }, ['CANCELLED']],
    ['was redeemed and cancelled', { status: 'Cancelled', remainingCents: 1 }, ['CANCELLED', 'REDEEMED']],
    ['changed when it was cancelled already', { status: 'Cancelled', previousStatus: 'Cancelled' }, ['UPDATED']],
    ['came back', { change: 'returned', previousStatus: null, previousRemainingCents: null }, []],
    ['went', { change: 'went', status: null, remainingCents: null }, []],
  ])('that %s', (_, more, events) => {
    const expected = eventsOfCard([{ ...change, ...more }])
    const found = [...expected].filter(([, { changes }]) => changes.length > 0).map(([event]) => event)
    expect(found.sort()).toEqual(events.map((event) => `GIFTCARDS_${event}`))
    for (const event of found)
      expect(expected.get(event)?.changes).toEqual([{ afterMs: 10, byMs: 20, isCertain: true }])
  })
})
