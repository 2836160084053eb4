import { expect, test } from 'vitest'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { deskFor } from '../service.ts'
import { freshDatabase, HOLD, NOTE, query, recordsOf, sync, targetAt } from './copies.ts'

const day = (n: number) => Date.UTC(2026, 10, n, 3)
const card = (cardNumber: string, remainingAmount: number, status = 'Active') => ({
  cardNumber,
  amount: 100,
  remainingAmount,
  status,
})
const heads = (path: string) =>
  query(path, 'SELECT id, taken_at, cards, appeared, changed, went FROM gift_card_snapshots')

test('each full read leaves a dated head, also when nothing changed', async () => {
  const path = freshDatabase()
  const list = [card('A', 100), card('B', 50)]
  expect(await sync(path, 'giftcards', list, day(1))).toEqual({ added: 2, changed: 0, unchanged: 0 })
  expect(await sync(path, 'giftcards', list, day(2))).toEqual({ added: 0, changed: 0, unchanged: 2 })
  expect(heads(path)).toEqual([
    { id: 1, taken_at: '2026-11-01T03:00:00.000Z', cards: 2, appeared: 2, changed: 0, went: 0 },
    { id: 2, taken_at: '2026-11-02T03:00:00.000Z', cards: 2, appeared: 0, changed: 0, went: 0 },
  ])
})

test('a snapshot tells what appeared, changed, went and came back', async () => {
  const path = freshDatabase()
  await sync(path, 'giftcards', [card('A', 100), card('B', 50)], day(1))
  const counts = await sync(path, 'giftcards', [card('A', 89.75), card('C', 10)], day(2))
  expect(counts).toEqual({ added: 1, changed: 1, unchanged: 0 })
  await sync(path, 'giftcards', [card('A', 89.75), card('B', 50), card('C', 10)], day(3))
  const changes = 'SELECT snapshot_id, id, change, remaining_cents, previous_remaining_cents FROM gift_card_changes'
  const row = (snapshot_id: number, id: string, change: string, now: number | null, before: number | null) => ({
    snapshot_id,
    id,
    change,
    remaining_cents: now,
    previous_remaining_cents: before,
  })
  expect(query(path, `${changes} ORDER BY snapshot_id, id`)).toEqual([
    row(1, 'A', 'appeared', 10_000, null),
    row(1, 'B', 'appeared', 5000, null),
    row(2, 'A', 'changed', 8975, 10_000),
    row(2, 'B', 'went', null, 5000),
    row(2, 'C', 'appeared', 1000, null),
    row(3, 'B', 'appeared', 5000, null),
  ])
  expect(heads(path).map(({ cards, went }) => [cards, went])).toEqual([
    [2, 0],
    [2, 1],
    [3, 0],
  ])
})

test('a card that went stays, with the day, and does not count as one that the service has', async () => {
  const path = freshDatabase()
  await sync(path, 'giftcards', [card('A', 100), card('B', 50)], day(1))
  await sync(path, 'giftcards', [card('A', 100)], day(2))
  await sync(path, 'giftcards', [card('A', 100)], day(3))
  expect(query(path, 'SELECT id, gone_at FROM gift_cards ORDER BY id')).toEqual([
    { id: 'A', gone_at: null },
    { id: 'B', gone_at: '2026-11-02T03:00:00.000Z' },
  ])
  const target = await targetAt(path, 'giftcards')
  expect(await target.state()).toMatchObject({ rows: 1 })
  const ids: (string | null)[] = []
  for await (const batch of target.records()) ids.push(...batch.map(({ id }) => id))
  expect(ids).toEqual(['A'])
  await sync(path, 'giftcards', [card('A', 100), card('B', 50)], day(4))
  expect(query(path, "SELECT gone_at FROM gift_cards WHERE id = 'B'")).toEqual([{ gone_at: null }])
})

test('what was read before a run that was broken off does not come into the next snapshot', async () => {
  const path = freshDatabase()
  const copy = await (await targetAt(path, 'giftcards')).hold(HOLD)
  await copy.add(recordsOf('giftcards', [card('A', 1), card('B', 1)]))
  await copy.close()
  await sync(path, 'giftcards', [card('A', 1)], day(1))
  expect(heads(path)).toMatchObject([{ cards: 1, appeared: 1 }])
})

test('several snapshots of one run, as --every makes them, compare with the one before', async () => {
  const path = freshDatabase()
  const copy = await (await targetAt(path, 'giftcards')).hold(HOLD)
  for (const [at, list] of [[card('A', 3)], [card('A', 2)], []].entries()) {
    await copy.add(recordsOf('giftcards', list))
    await copy.commit(day(1 + at), NOTE, true)
  }
  await copy.close()
  expect(heads(path).map(({ cards, appeared, changed, went }) => [cards, appeared, changed, went])).toEqual([
    [1, 1, 0, 0],
    [1, 0, 1, 0],
    [0, 0, 0, 1],
  ])
})

test('two venues with a card of one number do not disturb each other', async () => {
  const path = freshDatabase()
  for (const [source, list] of [
    ['north', [card('A', 1)]],
    ['south', [card('A', 2)]],
    ['south', []],
  ] as const) {
    const copy = await (await targetAt(path, 'giftcards', source)).hold(HOLD)
    await copy.add(recordsOf('giftcards', list))
    await copy.commit(day(1), NOTE, true)
    await copy.close()
  }
  expect(query(path, 'SELECT source, gone_at IS NULL AS is_there FROM gift_cards ORDER BY source')).toEqual([
    { source: 'north', is_there: 1 },
    { source: 'south', is_there: 0 },
  ])
})

test('of snapshots that are taken within one second of the service, the later one is dated later', async () => {
  const date = new Date(day(1)).toUTCString()
  const server = await startRawServer(() => answers(200, [card('A', 100)], { date }))
  const desk = deskFor(server.env, 'g.db', 'giftcards')
  for (let run = 0; run < 4; run++) expect(await desk.sync('--source', 'venue')).toMatchObject({ code: 0 })
  const taken = heads(desk.path).map(({ taken_at }) => String(taken_at))
  expect(taken).toEqual([...new Set(taken)].sort())
  expect(taken.at(-1)).toMatch(/^2026-11-01T03:00:00|^2026-11-01T02:59:59/)
})

test('what the snapshots found is read from the last one before an instant on', async () => {
  const path = freshDatabase()
  await sync(path, 'giftcards', [card('A', 100), card('B', 50)], day(1))
  await sync(path, 'giftcards', [card('A', 89.75), card('C', 10)], day(2))
  await sync(path, 'giftcards', [card('A', 89.75, 'Cancelled'), card('C', 10)], day(3))
  await sync(path, 'giftcards', [card('A', 89.75, 'Cancelled'), card('B', 50), card('C', 10)], day(4))
  const target = await targetAt(path, 'giftcards')
  const all = await target.snapshots?.(0)
  expect(all?.takenMs).toEqual([day(1), day(2), day(3), day(4)])
  const cancelled = {
    ...{ id: 'A', change: 'changed', afterMs: day(2), byMs: day(3), status: 'Cancelled', remainingCents: 8975 },
    ...{ previousStatus: 'Active', previousRemainingCents: 8975 },
  }
  expect(all?.changes.map(({ id, change }) => `${id} ${change}`).sort()).toEqual([
    'A changed',
    'A changed',
    'B returned',
    'B went',
    'C appeared',
  ])
  expect(await target.snapshots?.(day(3))).toMatchObject({
    takenMs: [day(2), day(3), day(4)],
    changes: [cancelled, { id: 'B', change: 'returned', afterMs: day(3) }],
  })
  expect(await target.snapshots?.(day(9))).toEqual({ takenMs: [day(4)], changes: [] })
  expect(await (await targetAt(freshDatabase(), 'giftcards')).snapshots?.(0)).toEqual({ takenMs: [], changes: [] })
})

test('the cards as they stood at a snapshot, and what later ones found', async () => {
  const path = freshDatabase()
  const target = await targetAt(path, 'giftcards')
  const none = await target.cardStates?.((takenMs) => {
    expect(takenMs).toEqual([])
    return { from: 0, to: 0 }
  })
  expect(none).toEqual({ takenMs: [], opening: [], changes: [] })
  await sync(path, 'giftcards', [card('A', 100), card('B', 50)], day(1))
  await sync(path, 'giftcards', [card('A', 90)], day(2))
  await sync(path, 'giftcards', [card('A', 90), card('B', 45)], day(3))
  await sync(path, 'giftcards', [card('A', 0, 'Redeemed')], day(4))
  const state = (remainingCents: number, status = 'Active') => ({ status, amountCents: 10_000, remainingCents })
  const found = await target.cardStates?.((taken) => ({ from: 1, to: taken.length - 1 }))
  expect(found?.takenMs).toEqual([2, 3, 4].map(day))
  expect(found?.opening.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([
    { id: 'A', now: state(9000), last: state(9000) },
    { id: 'B', now: null, last: state(5000) },
  ])
  expect(found?.changes).toEqual([
    { id: 'B', at: 1, now: state(4500) },
    { id: 'A', at: 2, now: state(0, 'Redeemed') },
    { id: 'B', at: 2, now: null },
  ])
})
