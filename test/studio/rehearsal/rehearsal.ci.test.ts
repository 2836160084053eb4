import { expect, test } from 'vitest'
import { SYDNEY } from '../../../src/sandbox/venue/zone.ts'
import { findDay } from '../../../src/studio/rehearsal/day.ts'
import type { Tally } from '../../../src/studio/rehearsal/script/stage.ts'
import { senderTo } from '../../sandbox/fresh-sandbox.ts'
import { after, answers, startRawServer } from '../../support/raw-server.ts'
import { GOLDEN, openTestRehearsal, playDay } from './rehearsed.ts'

test('repeating a rehearsal produces the same journal hash', async () =>
  expect((await playDay(GOLDEN.date, GOLDEN.seed)).journalHash).toBe(GOLDEN.journalHash))

test('the speed of a rehearsal does not change its journal hash', async () => {
  const moments: number[] = []
  const rehearsal = await playDay(GOLDEN.date, GOLDEN.seed, { speed: 100_000, onMoved: (at) => moments.push(at) })
  expect(rehearsal.journalHash).toBe(GOLDEN.journalHash)
  expect(moments).toEqual(moments.toSorted((a, b) => a - b))
})

test("clients' read requests, faults and webhooks do not change a rehearsal's journal hash", async () => {
  const receiver = await startRawServer((_request, { length: earlier }) =>
    after((earlier + 1) % 5, answers(earlier % 3 === 2 ? 503 : 200)),
  )
  const rehearsal = await openTestRehearsal(GOLDEN.date, GOLDEN.seed, {
    faults: 40,
    webhookFaults: 30,
    webhookUrl: `${receiver.baseUrl}/hook`,
  })
  const send = senderTo(rehearsal.sandbox)
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      const day = 'StartDate=2026-12-17T13:00:00.000Z&EndDate=2026-12-18T13:00:00.000Z'
      await send('GET', `/Bookings?${day}`).catch(() => undefined)
      await send('GET', '/Customers').catch(() => undefined)
    }
  })()
  await rehearsal.play()
  isOver = true
  await looking
  expect(rehearsal.journalHash).toBe(GOLDEN.journalHash)
  const { requests, refused, struck, webhooks } = rehearsal.attendance()
  expect(requests).toBeGreaterThan(0)
  expect(struck).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(0)
  expect(webhooks.events).toBeGreaterThan(100)
  expect(webhooks.lost).toBeGreaterThan(0)
  expect(webhooks.delivered + webhooks.pending + webhooks.lost).toBe(webhooks.events)
  const said = receiver.requests.map(({ body }) => body)
  expect(said.length).toBeGreaterThan(webhooks.delivered)
  expect(new Set(said).size).toBeLessThan(said.length)
})

test('rehearsals with different seeds or days have different journal hashes', async () => {
  const hashes = [
    GOLDEN.journalHash,
    (await playDay(GOLDEN.date, GOLDEN.seed + 1)).journalHash,
    (await playDay('2026-12-19', GOLDEN.seed)).journalHash,
  ]
  expect(new Set(hashes).size).toBe(3)
})

test('every kind of event occurs at least once in three rehearsed days', async () => {
  const tallies: Tally[] = []
  for (const seed of [1, 2, 3]) tallies.push((await playDay('2026-12-18', seed)).tally)
  const never = Object.keys(tallies[0] ?? {}).filter((member) =>
    tallies.every((tally) => tally[member as keyof Tally] === 0),
  )
  expect(never).toEqual([])
})

test('guests make bookings only for other days if the venue is closed on the rehearsed day', async () => {
  const { tally, ownRequests } = await playDay('2026-12-25', 3)
  expect(tally).toMatchObject({ walkIns: 0, arrived: 0, sales: 0 })
  expect(tally.reserved).toBeGreaterThan(0)
  expect(ownRequests).toBeGreaterThan(20)
})

test.each(['2026-04-05', '2026-10-04', '8999-12-31'])(
  'a rehearsal works on %s, which has a clock change or is the last possible day',
  async (date) => {
    const { tally } = await playDay(date, 2)
    expect(tally.arrived).toBeGreaterThan(0)
    expect(tally.sales).toBeGreaterThan(0)
  },
)

test('findDay supports days of 23, 24 and 25 hours, and returns null for an invalid or unsupported date', () => {
  const hours = (date: string) => {
    const day = findDay(date, SYDNEY)
    return day && (day.ends + 1 - day.starts) / 3_600_000
  }
  expect([hours('2026-04-05'), hours('2026-10-04'), hours('2026-12-18')]).toEqual([25, 23, 24])
  expect([findDay('2026-02-30', SYDNEY), findDay('1970-12-31', SYDNEY), findDay('9000-01-01', SYDNEY)]).toEqual([
    null,
    null,
    null,
  ])
})

test('aborting the signal stops a running rehearsal', async () => {
  const stop = new AbortController()
  const playing = (await openTestRehearsal(GOLDEN.date, GOLDEN.seed, { speed: 60, signal: stop.signal })).play()
  stop.abort(new Error('enough'))
  await expect(playing).rejects.toThrow('enough')
})

test('a rehearsal retries its webhooks until a receiver that fails at first has received all of them', async () => {
  const failed = new Set<string>()
  const receiver = await startRawServer(({ body }) => {
    const isFirst = !failed.has(body)
    failed.add(body)
    return answers(isFirst ? 500 : 200)
  })
  const rehearsal = await playDay(GOLDEN.date, GOLDEN.seed, { webhookUrl: `${receiver.baseUrl}/hook` })
  const { webhooks } = rehearsal.attendance()
  expect(webhooks.delivered).toBeGreaterThan(100)
  expect(webhooks.lost).toBe(0)
  expect(receiver.requests.length).toBe(webhooks.delivered + failed.size)
})
