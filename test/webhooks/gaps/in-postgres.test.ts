import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventBody, type WebhookEvent } from '../../../src/contract/events.ts'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { deliveryLine } from '../../../src/webhooks/events/journal/entry.ts'
import { needs } from '../../support/needs.ts'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { booking, hold, minute, NOTE } from '../../sync/postgres/copies.ts'
import { openTestInbox } from '../inbox/inboxes.ts'

needs(POSTGRES)
const server = postgresServer()

const came = (event: WebhookEvent, subject: string, at: number) =>
  deliveryLine({
    ...{ timeMs: minute(at), headers: {}, verdict: 'new' },
    body: Buffer.from(JSON.stringify(eventBody(event, subject, 'venue-1'))),
  })

const card = (cardNumber: string, remainingAmount: number) =>
  toSyncRecord(JSON.stringify({ cardNumber, amount: 50, remainingAmount, status: 'Active' }), RESOURCES.giftcards)

test('webhooks gaps can compare bookings and cards in PostgreSQL while a sync holds a lease on the copy', async () => {
  const url = await server.database()
  const bookings = await hold(url)
  const made = { bookedAt: new Date(minute(-600)).toISOString(), locationId: 'venue-1' }
  // Records must be readable even if a member name contains an escape.
  await bookings.copy.add([booking('A', 1, made), booking('M', 20, made), booking('N', 30, { ...made, 'a"b': 1 })])
  await bookings.copy.commit(minute(120), NOTE)
  const cards = await hold(url, { resource: 'giftcards' })
  for (const [at, left] of [
    [5, 50],
    [60, 40],
  ] as const) {
    await cards.copy.add([card('LOST', left), card('CAME', left)])
    await cards.copy.commit(minute(at), NOTE, true)
  }
  const journal = join(freshDirectory(), 'hooks.ndjson')
  writeFileSync(
    journal,
    came('BOOKING_UPDATED', 'A', 1) + came('BOOKING_UPDATED', 'N', 30) + came('GIFTCARDS_REDEEMED', 'CAME', 40),
  )
  const line = ['webhooks', 'gaps', '--journal', journal, '--copy', url, '--source', 'venue', '--json']
  const run = await runPartner(line, { env: { ...freshHome(), ...POSTGRES_ENV } })
  expect(run.code, run.stderr).toBe(11)
  expect(JSON.parse(run.stdout)).toMatchObject([
    { class: 'missing', event: 'BOOKING_UPDATED', subject: 'M', changed: new Date(minute(20)).toISOString() },
    {
      ...{ class: 'missing', event: 'GIFTCARDS_REDEEMED', subject: 'LOST' },
      ...{ changedAfter: new Date(minute(5)).toISOString(), changed: new Date(minute(60)).toISOString() },
    },
  ])
  await bookings.copy.add([booking('B', 130)])
  await bookings.copy.commit(minute(140), NOTE)
})

test('webhooks gaps checks every delivery in an inbox, including duplicates stored in the repeats column', async () => {
  const url = await server.database()
  const line = ['webhooks', 'gaps', '--journal', url, '--copy', url, '--source', 'venue', '--json']
  const gaps = () => runPartner(line, { env: { ...freshHome(), ...POSTGRES_ENV } })
  const { copy } = await hold(url)
  const made = { bookedAt: new Date(minute(-600)).toISOString(), locationId: 'venue-1' }
  await copy.add([booking('A', 1, made), booking('M', 20, made)])
  await copy.commit(minute(120), NOTE)
  expect(await gaps()).toMatchObject({ code: 2, stderr: expect.stringContaining('has no table named inbox') })
  const { put } = await openTestInbox(url)
  const body = JSON.stringify(eventBody('BOOKING_UPDATED', 'A', 'venue-1'))
  for (const request of ['r-1', 'r-2']) await put(body, { 'x-request-id': request })
  const at = (ms: number) => `to_timestamp(${ms / 1000})`
  await server.query(
    url,
    `UPDATE inbox SET received_at = ${at(minute(1))}, repeats = jsonb_set(repeats, '{0,timeMs}', '${minute(3)}')`,
  )
  const run = await gaps()
  expect(run.code, run.stderr).toBe(11)
  expect(JSON.parse(run.stdout)).toMatchObject([
    { class: 'duplicate', subject: 'A', delivered: new Date(minute(3)).toISOString(), line: 1 },
    { class: 'missing', subject: 'M' },
  ])
  expect(await server.query(url, `SELECT repeats->0->'headers' AS headers FROM inbox`)).toEqual([
    { headers: '{"x-request-id": "r-2"}' },
  ])
})

test("webhooks gaps exits with code 2 if the database lacks partner's tables or the given source", async () => {
  const url = await server.database()
  const journal = join(freshDirectory(), 'hooks.ndjson')
  writeFileSync(journal, came('BOOKING_UPDATED', 'A', 1))
  const line = ['webhooks', 'gaps', '--journal', journal, '--copy', url, '--source', 'venue']
  const options = { env: { ...freshHome(), ...POSTGRES_ENV } }
  const none = { code: 2, stderr: expect.stringMatching(/postgres:\/\/\S+ contains no copy of the bookings of venue/) }
  expect(await runPartner(line, options)).toMatchObject(none)
  await hold(url, { source: 'other' })
  expect(await runPartner(line, options)).toMatchObject(none)
})
