import { expect, test } from 'vitest'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'
import { all, hold, minute, NOTE } from './copies.ts'

needs(POSTGRES)
const server = postgresServer()

const card = (cardNumber: string, remainingAmount: number, status = 'Active') =>
  toSyncRecord(JSON.stringify({ cardNumber, amount: 50, remainingAmount, status }), RESOURCES.giftcards)

test('each full read is a dated snapshot, with what appeared, changed and went', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url, { resource: 'giftcards' })
  const sync = async (at: number, ...cards: ReturnType<typeof card>[]) => {
    await copy.add(cards)
    return copy.commit(minute(at), NOTE, true)
  }
  expect(await sync(1, card('A', 50), card('B', 50), card("C'", 50))).toEqual({ added: 3, changed: 0, unchanged: 0 })
  expect(await sync(2, card('A', 50), card('B', 20.5))).toEqual({ added: 0, changed: 1, unchanged: 1 })
  expect((await all(target)).map(({ id }) => id)).toEqual(['A', 'B'])
  expect(await target.state()).toMatchObject({ rows: 2 })
  expect(await sync(3, card('A', 50), card('B', 20.5), card("C'", 0, 'Redeemed'))).toEqual({
    added: 1,
    changed: 0,
    unchanged: 2,
  })
  expect(await sync(4, card('A', 50), card('B', 20.5), card("C'", 0, 'Redeemed'))).toMatchObject({ unchanged: 3 })
  expect(
    await server.query(url, 'SELECT id, cards, appeared, changed, went FROM gift_card_snapshots ORDER BY id'),
  ).toEqual([
    { id: '1', cards: '3', appeared: '3', changed: '0', went: '0' },
    { id: '2', cards: '2', appeared: '0', changed: '1', went: '1' },
    { id: '3', cards: '3', appeared: '1', changed: '0', went: '0' },
    { id: '4', cards: '3', appeared: '0', changed: '0', went: '0' },
  ])
  expect(
    await server.query(
      url,
      `SELECT c.snapshot_id AS s, c.id, change, c.remaining_cents AS now, previous_remaining_cents AS before, c.taken_at = s.taken_at AS dated
       FROM gift_card_changes c JOIN gift_card_snapshots s ON s.id = c.snapshot_id WHERE c.snapshot_id > 1 ORDER BY 1, 2`,
    ),
  ).toEqual([
    { s: '2', id: 'B', change: 'changed', now: '2050', before: '5000', dated: 't' },
    { s: '2', id: "C'", change: 'went', now: null, before: '5000', dated: 't' },
    { s: '3', id: "C'", change: 'appeared', now: '0', before: null, dated: 't' },
  ])
  expect(await server.query(url, `SELECT gone_at, status FROM gift_cards WHERE id = 'C'''`)).toEqual([
    { gone_at: null, status: 'Redeemed' },
  ])
  const [second, third] = [minute(2), minute(3)]
  const before = { afterMs: minute(1), byMs: second, previousStatus: 'Active', previousRemainingCents: 5000 }
  expect(await target.snapshots?.(second)).toEqual({
    takenMs: [1, 2, 3, 4].map(minute),
    changes: [
      { id: 'B', change: 'changed', status: 'Active', remainingCents: 2050, ...before },
      { id: "C'", change: 'went', status: null, remainingCents: null, ...before },
      {
        ...{ id: "C'", change: 'returned', afterMs: second, byMs: third, status: 'Redeemed', remainingCents: 0 },
        ...{ previousStatus: null, previousRemainingCents: null },
      },
    ].map((change) => expect.objectContaining(change)),
  })
  const state = (remainingCents: number, status = 'Active') => ({ status, amountCents: 5000, remainingCents })
  const states = await target.cardStates?.((taken) => ({ from: 1, to: taken.length - 1 }))
  expect(states?.takenMs).toEqual([2, 3, 4].map(minute))
  expect(states?.opening.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: 'A', now: state(5000), last: state(5000) },
    { id: 'B', now: state(2050), last: state(2050) },
    { id: "C'", now: null, last: state(5000) },
  ])
  expect(states?.changes).toEqual([{ id: "C'", at: 1, now: state(0, 'Redeemed') }])
})

test('a read of thousands of cards that is not committed leaves no trace, and the next one is whole', async () => {
  const url = await server.database()
  const cards = Array.from({ length: 2500 }, (_, at) => card(`C-${at}`, 10))
  const first = await hold(url, { resource: 'giftcards' })
  await first.copy.add(cards)
  await first.copy.close()
  expect(await server.query(url, 'SELECT count(*) AS n FROM gift_card_changes')).toEqual([{ n: '0' }])
  const { copy } = await hold(url, { resource: 'giftcards' })
  await copy.add(cards)
  await copy.add(cards.slice(0, 10))
  expect(await copy.commit(minute(1), NOTE, true)).toEqual({ added: 2500, changed: 0, unchanged: 0 })
})
