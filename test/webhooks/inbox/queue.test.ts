import { expect, test } from 'vitest'
import { type LeasedEvent, markDone, markFailed, renewLeases, takeDue } from '../../../src/webhooks/inbox/queue.ts'
import { chance } from '../../money/chance.ts'
import { needs } from '../../support/needs.ts'
import { POSTGRES, postgresServer } from '../../support/postgres.ts'
import { connectionTo, openTestInbox } from './inboxes.ts'

needs(POSTGRES)
const server = postgresServer()

const LEASING = { holder: 'someone', leaseMs: 60_000 }
const SEED = Number(process.env['PARTNER_SEED'] ?? 20_261_122)

/** Creates an inbox with one update for each of the given bookings, and one connection for each worker. */
async function inboxOf(subjects: readonly string[], workers = 1) {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  for (const subject of subjects) await event(`X${Math.random()}_UPDATED`, subject)
  const connections = await Promise.all(Array.from({ length: workers }, () => connectionTo(url)))
  return { url, event, connections, query: (sql: string) => server.query(url, sql) }
}

const subjectsOf = (taken: readonly LeasedEvent[]) => taken.map(({ read }) => read.subject)

async function takeOne(connection: Parameters<typeof takeDue>[0]): Promise<LeasedEvent> {
  const [taken] = await takeDue(connection, LEASING, 1)
  if (taken === undefined) throw new Error('nothing was due')
  return taken
}

test('takeDue leases the oldest events first, but never two events for one booking at the same time, even to different workers', async () => {
  const { connections } = await inboxOf(['A', 'A', 'B', 'C', 'A', 'D'], 2)
  const [one, two] = connections as [(typeof connections)[0], (typeof connections)[0]]
  const first = await takeDue(one, LEASING, 3)
  expect(subjectsOf(first)).toEqual(['A', 'B'])
  expect(subjectsOf(await takeDue(two, LEASING, 9))).toEqual(['C', 'D'])
  expect(await takeDue(two, LEASING, 9)).toEqual([])
  await markDone(one, first[0] as LeasedEvent)
  expect(subjectsOf(await takeDue(two, LEASING, 9))).toEqual(['A'])
})

test('takeDue can lease events for a booking and a card with the same ID at the same time', async () => {
  const url = await server.database()
  const { put } = await openTestInbox(url)
  for (const body of ['{"data":{"bookingId":"A"}}', '{"data":{"cardNumber":"A"}}', '{"n":1}', '{"n":2}'])
    await put(body)
  expect(await takeDue(await connectionTo(url), LEASING, 9)).toHaveLength(4)
})

test('takeDue takes over an expired lease, and results from the previous holder are ignored', async () => {
  const { connections, query } = await inboxOf(['A', 'B'], 2)
  const [one, two] = connections as [(typeof connections)[0], (typeof connections)[0]]
  const [a, b] = (await takeDue(one, LEASING, 2)) as [LeasedEvent, LeasedEvent]
  await query(`UPDATE inbox SET lease_until = now() WHERE subject = 'A'`)
  const again = await takeOne(two)
  expect(again).toMatchObject({ id: a.id, attempt: 2 })
  expect(await renewLeases(one, [a, b], 60_000)).toEqual(new Set([b.id]))
  expect(await markDone(one, a)).toEqual({ outcome: 'lost', nextMs: null })
  expect(await markFailed(one, a, 'x')).toMatchObject({ outcome: 'lost' })
  expect(await markDone(two, again)).toMatchObject({ outcome: 'done' })
  expect(await query('SELECT subject, state, last_error FROM inbox ORDER BY id')).toEqual([
    { subject: 'A', state: 'done', last_error: null },
    { subject: 'B', state: 'leased', last_error: null },
  ])
})

test('a failed event is retried after increasingly long waits until it becomes dead', async () => {
  const { connections, query } = await inboxOf(['A'])
  const [one] = connections as [(typeof connections)[0]]
  const waits: (string | null | undefined)[] = []
  for (let attempt = 1; attempt <= 6; attempt++) {
    const taken = await takeOne(one)
    expect(taken.attempt).toBe(attempt)
    const { outcome } = await markFailed(one, taken, `it's ${attempt}`)
    expect(outcome).toBe(attempt === 6 ? 'dead' : 'retry')
    expect(await takeDue(one, LEASING, 1)).toEqual([])
    const [row] = await query('SELECT round(extract(epoch FROM next_at - now())) AS s, last_error FROM inbox')
    expect(row?.['last_error']).toBe(`it's ${attempt}`)
    waits.push(row?.['s'])
    if (outcome === 'retry') await query('UPDATE inbox SET next_at = now()')
  }
  const around = waits.slice(0, 5).map((seconds) => Math.round(Number(seconds) / 10) * 10)
  expect(around).toEqual([10, 60, 300, 1800, 7200])
})

test('an update that is delivered again while it is being handled becomes due again', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  const connection = await connectionTo(url)
  await event('BOOKING_UPDATED')
  const taken = await takeOne(connection)
  await event('BOOKING_UPDATED')
  expect(await takeDue(connection, LEASING, 1)).toEqual([])
  expect(await markDone(connection, taken)).toMatchObject({ outcome: 'again' })
  const once = await takeOne(connection)
  expect(once).toMatchObject({ id: taken.id, attempt: 1, times: 2 })
  expect(await markDone(connection, once)).toMatchObject({ outcome: 'done' })
})

test('an update that is delivered again while being handled gets new attempts if the handler fails', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  const connection = await connectionTo(url)
  await event('BOOKING_UPDATED')
  await server.query(url, 'UPDATE inbox SET attempts = 4')
  const taken = await takeOne(connection)
  expect(taken.attempt).toBe(5)
  await event('BOOKING_UPDATED')
  expect(await markFailed(connection, taken, 'x')).toMatchObject({ outcome: 'retry' })
  const soon = `SELECT attempts, next_at < now() + interval '30 s' AS soon FROM inbox`
  expect(await server.query(url, soon)).toEqual([{ attempts: '0', soon: 't' }])
})

test('marking an event as done or failed is idempotent, so that it can be repeated after a lost response', async () => {
  const { connections } = await inboxOf(['A', 'B'])
  const [one] = connections as [(typeof connections)[0]]
  const [a, b] = (await takeDue(one, LEASING, 2)) as [LeasedEvent, LeasedEvent]
  expect([await markDone(one, a), await markDone(one, a)].map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  const failed = await markFailed(one, b, 'x')
  expect(await markFailed(one, b, 'x')).toEqual(failed)
})

test('an event becomes dead if every worker that handles it loses its lease', async () => {
  const { connections, query } = await inboxOf(['A'])
  const [one] = connections as [(typeof connections)[0]]
  for (let attempt = 1; attempt <= 6; attempt++) {
    await takeOne(one)
    await query('UPDATE inbox SET lease_until = now()')
  }
  expect(await takeDue(one, LEASING, 1)).toEqual([])
  expect(await query('SELECT state, last_error FROM inbox')).toEqual([
    { state: 'dead', last_error: 'every worker that handled the event lost its lease' },
  ])
})

test('several workers together handle all events, but never handle two events for one booking at the same time', async () => {
  const { next } = chance(SEED)
  const { url, event, connections } = await inboxOf([], 5)
  const bookings = ['A', 'B', 'C']
  const busy = new Map<string, string>()
  const clashes: string[] = []
  let handled = 0
  let isOver = false
  const adding = (async () => {
    for (let n = 0; n < 120; n++) await event(`E${Math.floor(next() * 6)}_UPDATED`, bookings[Math.floor(next() * 3)])
    isOver = true
  })()
  const working = connections.map(async (connection) => {
    for (;;) {
      const wasOver = isOver
      const taken = await takeDue(connection, LEASING, 1 + Math.floor(next() * 2))
      if (taken.length === 0 && wasOver && busy.size === 0) return
      for (const { read, id } of taken) {
        if (busy.has(read.subject ?? '')) clashes.push(`${id} with ${busy.get(read.subject ?? '')}`)
        busy.set(read.subject ?? '', id)
      }
      for (const leased of taken) {
        if (next() < 0.3) await new Promise(setImmediate)
        busy.delete(leased.read.subject ?? '')
        await markDone(connection, leased)
        handled++
      }
    }
  })
  await Promise.all([adding, ...working])
  expect(clashes).toEqual([])
  expect(handled).toBeGreaterThanOrEqual(18)
  expect(await server.query(url, 'SELECT DISTINCT state FROM inbox')).toEqual([{ state: 'done' }])
})
