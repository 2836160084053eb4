import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { toSyncRecord } from '../../../src/sync/reading/sync-record.ts'
import { RESOURCES } from '../../../src/sync/resources.ts'
import { needs } from '../../support/needs.ts'
import { freshHome, runPartner } from '../../support/partner.ts'
import { POSTGRES, POSTGRES_ENV, postgresServer } from '../../support/postgres.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { booking, hold, minute, NOTE } from './copies.ts'

needs(POSTGRES)
const server = postgresServer()

/** Text that the server cannot compress, so that it remains too long for an index row. */
const LONG = Array.from({ length: 150 }, (_, at) => hash('sha512', String(at))).join('')

const DATE = '"lastModifiedDate":"2026-11-10T10:00:00.000Z"'

async function desk(url: string, bookings: readonly string[]) {
  const headers = { date: 'Fri, 20 Nov 2026 12:00:00 GMT', 'content-type': 'application/json' }
  const service = await startRawServer(() => answers(200, `{"bookings":[${bookings.join()}]}`, headers))
  const env = { ...freshHome(), ...POSTGRES_ENV, ...service.env }
  return (...words: readonly string[]) =>
    runPartner(['bookings', 'sync', ...words, '--to', url, '--source', 'city'], { env })
}

test('sync exits with code 13 and names the bookings that PostgreSQL cannot store, but stores all others', async () => {
  const url = await server.database()
  const good = Array.from({ length: 20 }, (_, at) => `{"bookingId":"G-${at}",${DATE}}`)
  const odd = [
    `{"bookingId":"HUGE",${DATE},"paymentSummary":{"amount":1e200000}}`,
    `{"bookingId":"${LONG}",${DATE}}`,
    `{"bookingId":"STATUS",${DATE},"status":{"code":"${LONG}"}}`,
  ]
  const run = await desk(url, [...odd.slice(0, 1), ...good.slice(0, 11), ...odd.slice(1), ...good.slice(11)])
  const first = await run('--since', '2026-11-01', '--json')
  expect(first.code, first.stderr).toBe(13)
  const { error } = JSON.parse(first.stderr.split('\n').find((line) => line.startsWith('{')) ?? '')
  expect(error).toMatchObject({ code: 'INCOMPLETE', details: { count: 3 } })
  expect(error.details.notStored.map(({ id }: { id: string }) => id)).toEqual(['HUGE', LONG, 'STATUS'])
  expect(await server.query(url, 'SELECT count(*) AS n FROM bookings')).toEqual([{ n: '20' }])
  const state = await server.query(url, 'SELECT cursor IS NULL AS is_new, run_added FROM sync_state')
  expect(state).toEqual([{ is_new: 'f', run_added: '20' }])

  const text = await run('--reset', '--yes')
  expect(text.code).toBe(13)
  expect(text.stderr).toMatch(
    /warning: booking HUGE was not stored in the copy: PostgreSQL cannot store it: value overflows/,
  )
  expect(text.stderr).toMatch(/0 new, 0 changed, \d+ unchanged, 3 not stored;/)
  expect(text.stderr).toMatch(/error: booking HUGE was not stored in the copy.*\(and 2 more bookings were not\)/)
  expect(text.stderr).not.toContain(LONG)
}, 60_000)

test('verify --repair exits with code 13 and keeps the old version of a booking that cannot be stored', async () => {
  const url = await server.database()
  const before = await desk(url, [`{"bookingId":"A",${DATE},"notes":"old"}`, `{"bookingId":"B",${DATE}}`])
  expect(await before('--since', '2026-11-01')).toMatchObject({ code: 0 })
  const after = await desk(url, [`{"bookingId":"A",${DATE},"x":1e200000}`, `{"bookingId":"B",${DATE},"notes":"new"}`])
  const repaired = await after('verify', '--repair')
  expect(repaired.code, repaired.stderr).toBe(13)
  expect(repaired.stderr).toContain('repaired except 1')
  expect(repaired.stderr).toContain('booking A was not stored in the copy')
  expect(await server.query(url, 'SELECT id, notes FROM bookings ORDER BY id')).toEqual([
    { id: 'A', notes: 'old' },
    { id: 'B', notes: 'new' },
  ])
}, 60_000)

test("verify --repair recognizes a booking that it wrote earlier even if the booking's ID contains U+0000", async () => {
  const url = await server.database()
  const line = `{"bookingId":"A\\u0000B",${DATE},"people":2}`
  expect(await (await desk(url, []))('--since', '2026-11-01')).toMatchObject({ code: 0 })
  const run = await desk(url, [line])
  expect(await run('verify', '--repair')).toMatchObject({ code: 0, stderr: expect.stringContaining('1 missing') })
  expect(await server.query(url, 'SELECT id FROM bookings')).toEqual([{ id: 'A\ufffdB' }])
  expect(await run('verify')).toMatchObject({ code: 0, stdout: '' })
  const changed = await desk(url, [line.replace('"people":2', '"people":5')])
  expect(await changed('verify', '--repair')).toMatchObject({ code: 0, stderr: expect.stringContaining('1 stale') })
  expect(await server.query(url, 'SELECT id, people FROM bookings')).toEqual([{ id: 'A\ufffdB', people: '5' }])
}, 60_000)

test('a gift card keeps its last state and is not marked as gone if PostgreSQL cannot store its new state', async () => {
  const url = await server.database()
  const { copy } = await hold(url, { resource: 'giftcards' })
  const card = (id: string, more: string) =>
    toSyncRecord(`{"cardNumber":"${id}","status":"Active","remainingAmount":10${more}}`, RESOURCES.giftcards)
  await copy.add([card('A', ''), card('B', '')])
  await copy.commit(minute(1), NOTE, true)
  await copy.add([card('A', ',"x":1e200000'), card('B', ',"x":1'), card('C', '')])
  expect(await copy.commit(minute(2), NOTE, true)).toEqual({
    ...{ added: 1, changed: 1, unchanged: 0 },
    notStored: [{ id: 'A', why: expect.stringContaining('overflows') }],
  })
  const present = await server.query(url, 'SELECT id FROM gift_cards WHERE gone_at IS NULL ORDER BY id')
  expect(present).toEqual([{ id: 'A' }, { id: 'B' }, { id: 'C' }])
  expect(await server.query(url, "SELECT id FROM gift_card_changes WHERE change = 'went'")).toEqual([])
})

test('an error other than bad data ends the run and leaves the cursor unchanged', async () => {
  const url = await server.database()
  const { copy, target } = await hold(url)
  await copy.add([booking('A', 1)])
  await copy.commit(minute(5), NOTE)
  await server.query(url, "ALTER TABLE bookings ADD CHECK (id <> 'B')")
  await copy.add([booking('B', 6)])
  await expect(copy.commit(minute(9), NOTE)).rejects.toMatchObject({ code: 'SERVICE_ERROR' })
  expect(await target.state()).toMatchObject({ cursorMs: minute(5) })
})

test('characters that jsonb cannot store are replaced with U+FFFD, and one warning is printed', async () => {
  const url = await server.database()
  const { copy, said } = await hold(url)
  const odd = (id: string, notes: string) => {
    const { text } = booking(id, 1, { notes: 'NOTES' })
    return toSyncRecord(text.replace('NOTES', notes), RESOURCES.bookings)
  }
  await copy.add([
    odd('B-1', '\\u0000 \\ud83d\\ude00 \\ud83d \\\\u0000 \\ude00\\ud83d'),
    odd('B-2', '\ud83d'),
    odd('B-3', 'it\'s {\\"a\\", b} \\\\ \\n é😀'),
  ])
  await copy.commit(minute(5), NOTE)
  const stored = ['\ufffd 😀 \ufffd \\u0000 \ufffd\ufffd', '\ufffd', 'it\'s {"a", b} \\ \n é😀']
  const rows = await server.query(url, `SELECT notes, raw->>'notes' AS raw FROM bookings ORDER BY id`)
  expect(rows).toEqual(stored.map((notes) => ({ notes, raw: notes })))
  expect(said).toEqual([expect.stringMatching(/^warning: B-1 contains text that PostgreSQL cannot store .*U\+FFFD/)])
})
