import { expect, onTestFinished, test } from 'vitest'
import type { BookingEvent } from '../../../src/webhooks/waking/booking-event.ts'
import { watchInbox } from '../../../src/webhooks/waking/watch-inbox.ts'
import { needs } from '../../support/needs.ts'
import { OWN_POSTGRES, postgresServer } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { connectionTo, openTestInbox, placeOf } from '../inbox/inboxes.ts'

needs(OWN_POSTGRES)
const server = postgresServer()
const SIGNAL = new AbortController().signal

async function watching(url: string) {
  const events: BookingEvent[] = []
  const told: string[] = []
  const source = await watchInbox(placeOf(url), SIGNAL, {
    onEvents: (some) => void events.push(...some),
    report: (text) => void told.push(text),
  })
  onTestFinished(() => source.close())
  const subjects = () => events.map(({ subject }) => subject)
  return { events, told, subjects, counts: (n: number) => until(() => events.length >= n) }
}

/** Inserts a copy of the newest row without a notification, as older listeners do. */
const INSERT_QUIETLY = `CREATE TEMP TABLE newest AS SELECT * FROM inbox ORDER BY id DESC LIMIT 1;
  UPDATE newest SET id = id + 1000, subject = 'QUIET', last_received_at = clock_timestamp();
  INSERT INTO inbox OVERRIDING SYSTEM VALUE SELECT * FROM newest`

test('watchInbox reports every booking event that arrives, including repeated ones', async () => {
  const url = await server.database()
  const { event, put } = await openTestInbox(url)
  await event('BOOKING_UPDATED', 'old')
  const { events, told, counts, subjects } = await watching(url)
  await event('BOOKING_UPDATED', 'A')
  await put(JSON.stringify({ eventType: 'GIFTCARDS_UPDATED', data: { cardNumber: 'X', locationId: 'L-1' } }))
  await counts(1)
  await event('BOOKING_UPDATED', 'A')
  await counts(2)
  await event('BOOKING_UPDATED', 'old')
  await counts(3)
  await event('BOOKING_CREATED', 'B')
  await counts(4)
  expect(subjects()).toEqual(['A', 'A', 'old', 'B'])
  expect(events[0]).toEqual({ subject: 'A', locationId: 'L-1' })
  expect(told).toEqual([])
})

test('watchInbox creates the inbox and finds rows from a listener that sends no notifications', async () => {
  const url = await server.database()
  const { subjects, counts } = await watching(url)
  const { event } = await openTestInbox(url)
  await event('BOOKING_UPDATED', 'A')
  await counts(1)
  await server.query(url, INSERT_QUIETLY)
  await counts(2)
  expect(subjects()).toEqual(['A', 'QUIET'])
})

test('watchInbox reconnects after a database restart and reports an event without a subject for missed deliveries', async () => {
  const url = await server.database()
  const { told, subjects } = await watching(url)
  const before = await openTestInbox(url)
  await before.event('BOOKING_UPDATED', 'A')
  await until(() => subjects().includes('A'))
  await server.stop()
  await until(() => told.length === 1)
  await server.start()
  await until(() => subjects().includes(null))
  const after = await openTestInbox(url)
  await after.event('BOOKING_UPDATED', 'B')
  await until(() => subjects().includes('B'))
  expect(subjects()).toEqual(['A', null, 'B'])
  expect(told).toEqual([expect.stringMatching(/; reconnecting$/), expect.stringMatching(/is reachable again$/)])
})

test('watchInbox waits for a database that is not reachable yet', async () => {
  const url = await server.database()
  await server.stop()
  const { told, counts } = await watching(url)
  expect(told).toEqual([expect.stringMatching(/^cannot reach PostgreSQL .*; reconnecting$/)])
  await server.start()
  await counts(1)
  expect(told[1]).toMatch(/is reachable again$/)
})

test('watchInbox fails immediately if the server rejects the user', async () => {
  const url = (await server.database()).replace(/\/\/[^@]*@/, '//nobody-like-this@')
  const watch = { onEvents: () => undefined, report: () => undefined }
  await expect(watchInbox(placeOf(url), SIGNAL, watch)).rejects.toMatchObject({ code: 'REJECTED' })
})

test('watchInbox needs only read access to an existing inbox', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  await server.query(url, 'CREATE ROLE watcher LOGIN; GRANT SELECT ON inbox, schema_version TO watcher')
  const { subjects, told } = await watching(url.replace(/\/\/[^@]*@/, '//watcher@'))
  await event('BOOKING_UPDATED', 'A')
  await until(() => subjects().includes('A'))
  expect(told).toEqual([])
  await server.query(url, 'DROP OWNED BY watcher; DROP ROLE watcher')
})

test('watchInbox continues once an unreadable inbox is readable again', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  const { told, subjects } = await watching(url)
  await server.query(url, 'ALTER TABLE inbox RENAME TO elsewhere')
  await until(() => told.length === 1)
  await server.query(url, 'ALTER TABLE elsewhere RENAME TO inbox')
  await until(() => told.length === 2)
  expect(told).toEqual([
    expect.stringMatching(/^cannot read the inbox of .*; trying again$/),
    expect.stringMatching(/is readable again$/),
  ])
  await event('BOOKING_UPDATED', 'A')
  await until(() => subjects().includes('A'))
})

test('a listener that stores a delivery notifies the watchers of the inbox', async () => {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  const connection = await connectionTo(url)
  const notified = Promise.withResolvers<void>()
  await connection.listen('partner_inbox', notified.resolve)
  await event('BOOKING_UPDATED', 'A')
  await notified.promise
})
