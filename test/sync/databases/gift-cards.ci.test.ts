import { expect, test } from 'vitest'
import type { CardOverTime } from '../../../src/sync/copy.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { all, hold, NOTE, open } from '../postgres/copies.ts'
import { deskFor } from '../service.ts'
import { query } from '../sqlite/copies.ts'
import { describeDatabases } from './kinds.ts'

const day = (n: number) => Date.UTC(2026, 10, n, 3)
const card = (cardNumber: string, remainingAmount: number, status = 'Active') =>
  toSyncRecord(JSON.stringify({ cardNumber, amount: 100, remainingAmount, status }), RESOURCES.giftcards)
type Card = ReturnType<typeof card>

const CARDS = { resource: 'giftcards' } as const
const NONE = { added: 0, changed: 0, unchanged: 0 }

describeDatabases('snapshots of gift cards', ({ fresh, query }) => {
  /** Takes one snapshot a day, starting on 1 November. Each snapshot is taken by a separate run. */
  async function sync(to: string, ...days: (readonly Card[])[]) {
    const counts: unknown[] = []
    for (const [at, cards] of days.entries()) {
      const { copy } = await hold(to, CARDS)
      await copy.add(cards)
      counts.push(await copy.commit(day(1 + at), NOTE, true))
      await copy.close()
    }
    return counts
  }

  const heads = async (to: string) =>
    (await query(to, 'SELECT id, cards, appeared, changed, went FROM gift_card_snapshots ORDER BY id')).map((row) =>
      Object.values(row).map(Number).join(' '),
    )

  test('every full read of the gift cards adds a dated snapshot, even if nothing has changed', async () => {
    const to = await fresh()
    const list = [card('A', 100), card('B', 50)]
    expect(await sync(to, list, list)).toEqual([
      { ...NONE, added: 2 },
      { ...NONE, unchanged: 2 },
    ])
    expect(await heads(to)).toEqual(['1 2 2 0 0', '2 2 0 0 0'])
    expect((await (await open(to, CARDS)).snapshots?.(0))?.takenMs).toEqual([day(1), day(2)])
  })

  test('a snapshot records which gift cards appeared, changed, disappeared or returned', async () => {
    const to = await fresh()
    const [a, before, after] = [card('A', 89.75), card("B'", 50), card("B'", 0, 'Redeemed')]
    expect((await sync(to, [card('A', 100), before], [a, card('C', 10)], [a, after])).slice(1)).toEqual([
      { ...NONE, added: 1, changed: 1 },
      { ...NONE, added: 1, unchanged: 1 },
    ])
    const rows = await query(
      to,
      `SELECT c.snapshot_id AS s, c.id, change, c.remaining_cents AS now, previous_remaining_cents AS before
       FROM gift_card_changes c JOIN gift_card_snapshots s ON s.id = c.snapshot_id AND s.taken_at = c.taken_at ORDER BY 1, 2`,
    )
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['1', 'A', 'appeared', '10000', null],
      ['1', "B'", 'appeared', '5000', null],
      ['2', 'A', 'changed', '8975', '10000'],
      ['2', "B'", 'went', null, '5000'],
      ['2', 'C', 'appeared', '1000', null],
      ['3', "B'", 'appeared', '0', null],
      ['3', 'C', 'went', null, '1000'],
    ])
    expect(await heads(to)).toEqual(['1 2 2 0 0', '2 2 1 1 1', '3 2 1 0 1'])
  })

  test('a gift card that disappeared keeps its row but is no longer counted or returned as a record', async () => {
    const to = await fresh()
    const [both, one] = [[card('A', 100), card('B', 50)], [card('A', 100)]]
    await sync(to, both, one, one)
    const gone = async () => {
      const rows = await query(to, 'SELECT id, gone_at FROM gift_cards ORDER BY id')
      return rows.map(({ id, gone_at }) => `${id} ${gone_at?.slice(0, 10) ?? 'is there'}`)
    }
    expect(await gone()).toEqual(['A is there', 'B 2026-11-02'])
    const target = await open(to, CARDS)
    expect(await target.state()).toMatchObject({ rows: 1 })
    expect((await all(target)).map(({ id }) => id)).toEqual(['A'])
    await sync(to, both)
    expect(await gone()).toEqual(['A is there', 'B is there'])
  })

  test('a run that is aborted before its commit does not affect the next snapshot', async () => {
    const to = await fresh()
    const cards = Array.from({ length: 2500 }, (_, at) => card(`C-${at}`, 10))
    const first = await hold(to, CARDS)
    await first.copy.add([card('A', 1), ...cards])
    await first.copy.close()
    expect(await query(to, 'SELECT id FROM gift_card_changes')).toEqual([])
    expect(await sync(to, [...cards, ...cards.slice(0, 10)])).toEqual([{ ...NONE, added: 2500 }])
    expect(await heads(to)).toEqual(['1 2500 2500 0 0'])
  })

  test('each snapshot is compared with the previous one, even in a single process with --every', async () => {
    const to = await fresh()
    const { copy } = await hold(to, CARDS)
    for (const [at, list] of [[card('A', 3)], [card('A', 2)], []].entries()) {
      await copy.add(list)
      await copy.commit(day(1 + at), NOTE, true)
    }
    expect(await heads(to)).toEqual(['1 1 1 0 0', '2 1 0 1 0', '3 0 0 0 1'])
  })

  test('a snapshot does not affect a gift card that has the same number at another venue', async () => {
    const to = await fresh()
    for (const [source, list] of [
      ['north', [card('A', 1)]],
      ['south', [card('A', 2)]],
      ['south', []],
    ] as const) {
      const { copy } = await hold(to, { ...CARDS, source })
      await copy.add(list)
      await copy.commit(day(1), NOTE, true)
      await copy.close()
    }
    expect(await query(to, 'SELECT source FROM gift_cards WHERE gone_at IS NULL')).toEqual([{ source: 'north' }])
  })

  test('snapshots() returns the last snapshot before the given time and all later snapshots', async () => {
    const to = await fresh()
    const [a, cancelled, c] = [card('A', 89.75), card('A', 89.75, 'Cancelled'), card('C', 10)]
    await sync(to, [card('A', 100), card('B', 50)], [a, c], [cancelled, c], [cancelled, card('B', 50), c])
    const target = await open(to, CARDS)
    const found = await target.snapshots?.(0)
    expect(found?.takenMs).toEqual([1, 2, 3, 4].map(day))
    expect(found?.changes.map(({ id, change }) => `${id} ${change}`).sort()).toEqual([
      ...['A changed', 'A changed', 'B returned', 'B went', 'C appeared'],
    ])
    expect(await target.snapshots?.(day(3))).toEqual({
      takenMs: [day(2), day(3), day(4)],
      changes: [
        {
          ...{ id: 'A', change: 'changed', afterMs: day(2), byMs: day(3), status: 'Cancelled', remainingCents: 8975 },
          ...{ previousStatus: 'Active', previousRemainingCents: 8975 },
        },
        {
          ...{ id: 'B', change: 'returned', afterMs: day(3), byMs: day(4), status: 'Active', remainingCents: 5000 },
          ...{ previousStatus: null, previousRemainingCents: null },
        },
      ],
    })
    expect(await target.snapshots?.(day(9))).toEqual({ takenMs: [day(4)], changes: [] })
    expect(await (await open(await fresh(), CARDS)).snapshots?.(0)).toEqual({ takenMs: [], changes: [] })
  })

  test('cardStates() returns each gift card as it was in a snapshot, with its later changes', async () => {
    const to = await fresh()
    const target = await open(to, CARDS)
    const read = async (from: number, isNone = false) => {
      const choose = ({ length }: readonly number[]) => ({ from, to: isNone ? from : length - 1 })
      return target.cardStates?.(choose, async ({ takenMs, cards }) => {
        const found: CardOverTime[] = []
        for await (const batch of cards) found.push(...batch)
        return { takenMs, cards: found }
      })
    }
    expect(await read(0, true)).toEqual({ takenMs: [], cards: [] })
    const redeemed = card('A', 0, 'Redeemed')
    const later = [card('A', 90), card("B'", 45), card('c', 5)]
    await sync(to, [card('A', 100), card("B'", 50)], [card('A', 90)], later, [redeemed, card('c', 5), card('C', 4)])
    const state = (remainingCents: number, status = 'Active') => ({ status, amountCents: 10_000, remainingCents })
    expect(await read(1)).toEqual({
      takenMs: [2, 3, 4].map(day),
      cards: [
        { id: 'A', opening: { now: state(9000), last: state(9000) }, changes: [{ at: 2, now: state(0, 'Redeemed') }] },
        {
          ...{ id: "B'", opening: { now: null, last: state(5000) } },
          changes: [
            { at: 1, now: state(4500) },
            { at: 2, now: null },
          ],
        },
        // Card numbers that differ only in case refer to the same card.
        {
          ...{ id: 'C', opening: null },
          changes: [
            { at: 1, now: state(500) },
            { at: 2, now: state(400) },
          ],
        },
      ],
    })
  })

  test('cardStates() reads 2,500 gift cards in batches and returns all of them', async () => {
    const to = await fresh()
    const many = Array.from({ length: 2500 }, (_, n) => card(`N${String(n).padStart(5, '0')}`, 50))
    await sync(to, many, many.slice(0, 1))
    const ids = await (await open(to, CARDS)).cardStates?.(
      () => ({ from: 0, to: 1 }),
      async ({ cards }) => {
        const found: string[] = []
        for await (const batch of cards) found.push(...batch.map((one) => `${one.id} ${one.changes.length}`))
        return found
      },
    )
    expect(ids).toEqual(many.map(({ id }, n) => `${id} ${n === 0 ? 0 : 1}`))
  })
})

test('snapshots have increasing dates even if all responses from the service have the same date', async () => {
  const date = new Date(day(1)).toUTCString()
  const server = await startRawServer(() =>
    answers(200, [{ cardNumber: 'A', amount: 100, remainingAmount: 100, status: 'Active' }], { date }),
  )
  const desk = deskFor(server.env, 'g.db', 'giftcards')
  for (let run = 0; run < 4; run++) expect(await desk.sync('--source', 'venue')).toMatchObject({ code: 0 })
  const rows = query(desk.path, 'SELECT taken_at FROM gift_card_snapshots ORDER BY id')
  const taken = rows.map(({ taken_at }) => String(taken_at))
  expect(taken).toEqual([...new Set(taken)].sort())
  expect(taken.at(-1)).toMatch(/^2026-11-01T03:00:00|^2026-11-01T02:59:59/)
})
