import { expect, test } from 'vitest'
import { purgeNext } from '../../../src/webhooks/inbox/purge.ts'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { connectionTo, openTestInbox } from './inboxes.ts'

needs(POSTGRES)
const server = postgresServer()

const DAY = 86_400_000

/** Creates an inbox with `count` events. `change` is the SET clause of an SQL UPDATE that changes all of them. */
async function inboxOf(count: number, change: string) {
  const url = await server.database()
  const { event } = await openTestInbox(url)
  for (let at = 0; at < count; at++) await event('BOOKING_UPDATED', `BK-${at}`)
  await server.query(url, `UPDATE inbox SET ${change}`)
  const idsLeft = async () => (await server.query(url, 'SELECT id FROM inbox ORDER BY id')).map(({ id }) => Number(id))
  return { url, connection: await connectionTo(url), idsLeft, query: (sql: string) => server.query(url, sql) }
}

const OLD = `received_at = now() - interval '9 days', last_received_at = now() - interval '9 days'`
const DONE = `state = 'done', done_at = now() - interval '9 days'`

test('purgeNext deletes an event only if it was both handled and last delivered long ago', async () => {
  const { connection, idsLeft, query } = await inboxOf(7, `${OLD}, ${DONE}`)
  await query(`UPDATE inbox SET state = 'waiting', done_at = NULL WHERE id = 2`)
  await query(`UPDATE inbox SET state = 'dead', done_at = NULL WHERE id = 3`)
  await query(`UPDATE inbox SET state = 'leased', lease_until = now() WHERE id = 4`)
  await query(`UPDATE inbox SET done_at = now() - interval '1 day' WHERE id = 5`)
  await query(`UPDATE inbox SET last_received_at = now() - interval '1 day' WHERE id = 6`)
  expect(await purgeNext(connection, '0', 10 * DAY)).toMatchObject({ deleted: 0 })
  expect(await purgeNext(connection, '0', 3 * DAY)).toEqual({ last: '7', deleted: 2 })
  expect(await purgeNext(connection, '7', 3 * DAY)).toEqual({ last: null, deleted: 0 })
  expect(await idsLeft()).toEqual([2, 3, 4, 5, 6])
})

test('a purge deletes old rows in batches of 500 and stops at the first batch without old rows', async () => {
  const { connection, query } = await inboxOf(1, `${OLD}, ${DONE}`)
  const columns = `event, kind, subject, location_id, body, body_hash, headers, received_at, last_received_at, times, repeats,
    verdict, state, came_again, attempts, next_at, lease_epoch, done_at`
  const copies = (count: number) =>
    query(`INSERT INTO inbox (${columns}) SELECT ${columns} FROM inbox, generate_series(1, ${count}) WHERE id = 1`)
  await copies(1199)
  await copies(900)
  await query(`UPDATE inbox SET received_at = now(), last_received_at = now(), done_at = now() WHERE id > 1200`)
  const steps = []
  for (let last: string | null = '0'; last !== null; ) {
    const step = await purgeNext(connection, last, DAY)
    steps.push(step)
    last = step.last
  }
  expect(steps).toEqual([
    { last: '500', deleted: 500 },
    { last: '1000', deleted: 500 },
    { last: '1500', deleted: 200 },
    { last: null, deleted: 0 },
  ])
  expect(await query('SELECT count(*) AS n FROM inbox')).toEqual([{ n: '900' }])
})

test('purgeNext skips a row that another process has locked', async () => {
  const { url, connection, idsLeft } = await inboxOf(2, `${OLD}, ${DONE}`)
  const other = await connectionTo(url)
  await other.query('BEGIN; SELECT id FROM inbox WHERE id = 1 FOR UPDATE')
  expect(await purgeNext(connection, '0', DAY)).toMatchObject({ deleted: 1 })
  await other.query('ROLLBACK')
  expect(await idsLeft()).toEqual([1])
})

test('webhooks work --keep deletes old events even if no event is due', async () => {
  const { url, idsLeft, query } = await inboxOf(4, `${OLD}, ${DONE}`)
  await query(`UPDATE inbox SET state = 'dead', done_at = NULL WHERE id = 2`)
  const env = { ...freshHome(), ...POSTGRES_ENV }
  const work = (...args: readonly string[]) =>
    runPartner(['webhooks', 'work', '--from', url, '--exec', 'true', '--until-empty', ...args], { env })
  expect((await work()).code).toBe(0)
  expect(await idsLeft()).toEqual([1, 2, 3, 4])
  expect((await work('--keep', '30d')).code).toBe(0)
  expect(await idsLeft()).toEqual([1, 2, 3, 4])
  const done = await work('--keep', '1d')
  expect(done.code, done.stderr).toBe(0)
  expect(await idsLeft()).toEqual([2])
  expectRefusal(await work('--keep', '23h'), { code: 2, says: '--keep: "23h" is too short: the minimum is 1d' })
})
