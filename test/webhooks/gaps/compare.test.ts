import { expect, test } from 'vitest'
import { eventBody, WEBHOOK_EVENTS, type WebhookEvent } from '../../../src/contract/events.ts'
import { openToRead } from '../../../src/sync/open-target.ts'
import type { StoredDelivery } from '../../../src/webhooks/events/journal/read-journal.ts'
import { type CompareOptions, compare } from '../../../src/webhooks/gaps/compare.ts'
import { freshDatabase, sync } from '../../sync/sqlite/copies.ts'

const day = (n: number, hours = 0) => Date.UTC(2026, 10, n, 3 + hours)
const VENUE = 'venue-1'

const card = (cardNumber: string, remainingAmount: number, status = 'Active') => ({
  ...{ cardNumber, amount: 100, remainingAmount, status },
})

let line = 0
const came = (event: WebhookEvent, subject: string, timeMs: number): StoredDelivery => ({
  ...{ timeMs, headers: {}, line: ++line, verdict: 'new' as const },
  body: Buffer.from(JSON.stringify(eventBody(event, subject, VENUE))),
})

async function database(): Promise<string> {
  const path = freshDatabase()
  const booking = { bookingId: 'B', bookedAt: new Date(day(1)).toISOString(), locationId: VENUE }
  await sync(path, 'bookings', [{ ...booking, lastModifiedDate: new Date(day(1)).toISOString() }], day(3, 1))
  await sync(path, 'giftcards', [card('OLD', 100), card('KEPT', 100)], day(1))
  await sync(path, 'giftcards', [card('OLD', 60), card('KEPT', 100), card('NEW', 50)], day(2))
  await sync(path, 'giftcards', [card('OLD', 60, 'Cancelled'), card('KEPT', 100), card('NEW', 20)], day(3))
  return path
}

async function found(path: string, deliveries: readonly StoredDelivery[], asked: Partial<CompareOptions> = {}) {
  const place = { source: 'venue', env: {} }
  const comparison = await compare({
    bookings: await openToRead(path, '--copy', { ...place, resource: 'bookings' }),
    cards: await openToRead(path, '--copy', { ...place, resource: 'giftcards' }),
    source: 'venue',
    deliveries: (async function* () {
      yield deliveries
    })(),
    events: new Set(WEBHOOK_EVENTS),
    ...{ sinceMs: day(1), untilMs: null, signal: new AbortController().signal },
    ...asked,
  })
  return { ...comparison, named: comparison.gaps.map((gap) => `${gap.class} ${gap.event} ${gap.subject}`) }
}

const ALL_CAME = () => [
  came('BOOKING_CREATED', 'B', day(1)),
  came('GIFTCARDS_REDEEMED', 'OLD', day(1, 4)),
  came('GIFTCARDS_CREATED', 'NEW', day(1, 9)),
  came('GIFTCARDS_CANCELLED', 'OLD', day(2, 2)),
  came('GIFTCARDS_REDEEMED', 'NEW', day(2, 3)),
]

test('gap detection finds no gaps if there is an event for each change to a card between two snapshots', async () => {
  const comparison = await found(await database(), ALL_CAME())
  expect(comparison.named).toEqual([])
  expect(comparison).toMatchObject({ snapshots: 3, cards: { fromMs: day(1), toMs: day(3) } })
  expect(comparison.bookings).toEqual({ fromMs: day(1), toMs: day(3, 1) })
  expect(comparison.changes.total).toBe(5)
})

test('gap detection reports each lost event as missing, and an event for an unchanged card as extra', async () => {
  const path = await database()
  for (const [at, lost] of ALL_CAME().entries()) {
    const { event, subject } = { event: eventOf(lost), subject: subjectOf(lost) }
    const { named, gaps } = await found(path, ALL_CAME().toSpliced(at, 1))
    expect(named).toEqual([`missing ${event} ${subject}`])
    expect(gaps[0]?.locationId).toBe(VENUE)
  }
  const { named } = await found(path, [
    ...ALL_CAME(),
    came('GIFTCARDS_REDEEMED', 'KEPT', day(2, 1)),
    came('GIFTCARDS_UPDATED', 'NOBODY', day(2, 2)),
  ])
  expect(named).toEqual(['extra GIFTCARDS_REDEEMED KEPT', 'extra GIFTCARDS_UPDATED NOBODY'])
})

test('gap detection accepts more than one event for a card between two snapshots', async () => {
  const more = [came('GIFTCARDS_REDEEMED', 'OLD', day(1, 6)), came('GIFTCARDS_UPDATED', 'NEW', day(2, 1))]
  expect((await found(await database(), [...ALL_CAME(), ...more])).named).toEqual([])
})

test('gap detection does not report changes that might have happened before the compared period', async () => {
  const comparison = await found(await database(), ALL_CAME().slice(3), { sinceMs: day(1, 5) })
  expect(comparison.named).toEqual([])
  expect(comparison.cards).toEqual({ fromMs: day(2), toMs: day(3) })
  expect(comparison.snapshots).toBe(2)
})

test('gap detection does not compare gift cards if there is only one snapshot in the compared period', async () => {
  const comparison = await found(await database(), [], { sinceMs: day(2, 1) })
  expect(comparison).toMatchObject({ cards: null, snapshots: 1, named: [] })
  const events = new Set<WebhookEvent>(['GIFTCARDS_REDEEMED'])
  await expect(found(await database(), [], { sinceMs: day(2, 1), events })).rejects.toThrow(/two dated snapshots/)
})

function eventOf({ body }: StoredDelivery): WebhookEvent {
  return JSON.parse(Buffer.from(body).toString()).eventType
}

function subjectOf({ body }: StoredDelivery): string {
  const { data } = JSON.parse(Buffer.from(body).toString())
  return data.bookingId ?? data.cardNumber
}
