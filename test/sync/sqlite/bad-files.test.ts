import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/base/failure/failure.ts'
import { openToRead, openToWrite, STEPS } from '../../../src/sync/sqlite/database.ts'
import { rejectionOf } from '../../support/failure.ts'
import { NOT_ROOT, standBackWithout } from '../../support/needs.ts'
import { ODD_KINDS, type OddKind, placeOddFile } from '../../support/odd-files.ts'
import { freshDirectory } from '../../support/partner.ts'
import { SMALL_DISK, smallDisk } from '../../support/small-disk.ts'
import { booking, freshDatabase, HOLD, held, NOTE, query, recordsOf, sync, targetAt } from './copies.ts'

const MANY = Array.from({ length: 300 }, (_, n) => booking(`BK-${n}`, 1, { notes: 'x'.repeat(500) }))

/** Expects that neither a run nor `sync status` takes the file, and that both leave it as it is. */
async function expectRefused(path: string, why: RegExp): Promise<void> {
  const before = readFileSync(path)
  for (const work of [() => held(path), async () => (await targetAt(path)).state()]) {
    const failure = await rejectionOf(() => work())
    expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2 })
    expect(failure.message).toMatch(why)
    expect(failure.message).toContain('left as it is')
    expect(failure.hint).toMatch(/another file/)
  }
  expect(readFileSync(path).equals(before)).toBe(true)
}

test('a new file and those beside it are for their owner alone', async () => {
  const path = freshDatabase()
  await (await held(path)).commit(1, NOTE)
  const names = readdirSync(dirname(path))
  expect(names).toEqual(expect.arrayContaining(['venue.db', 'venue.db-wal', 'venue.db.venue.bookings.lock']))
  for (const name of names) expect([name, statSync(join(dirname(path), name)).mode & 0o777]).toEqual([name, 0o600])
})

test('an empty file is filled like a new one', async () => {
  const path = freshDatabase()
  writeFileSync(path, '')
  await sync(path, 'bookings', [booking('A', 1)])
  expect(query(path, 'SELECT id FROM bookings')).toEqual([{ id: 'A' }])
})

test.each([
  ['text', 'BK-1,2026-11-22\n'],
  ['NDJSON', `${'{"bookingId":"BK-1"}\n'.repeat(500)}`],
  ['one byte', 'S'],
])('a file of %s is refused', async (_kind, content) => {
  const path = freshDatabase()
  writeFileSync(path, content)
  await expectRefused(path, /is no database of SQLite/)
  expect(readdirSync(dirname(path))).toEqual(['venue.db'])
})

test('a database of something else is refused', async () => {
  const path = freshDatabase()
  const theirs = new DatabaseSync(path)
  theirs.exec('CREATE TABLE schema_version (installed_rank INTEGER, version TEXT); CREATE TABLE bookings (id INTEGER)')
  theirs.close()
  await expectRefused(path, /of something else/)
})

test('a database that a newer release wrote is refused', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const newer = new DatabaseSync(path)
  newer.exec(`UPDATE schema_version SET version = ${STEPS.length + 1}; PRAGMA wal_checkpoint(TRUNCATE)`)
  newer.close()
  await expectRefused(path, /newer version of partner/)
})

test('a database that was cut short is refused, and its file kept', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', MANY)
  truncateSync(path, 20_000)
  await expectRefused(path, /damaged/)
})

test('damage that shows in the middle of a run ends it with the same words', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', MANY)
  const bytes = readFileSync(path)
  // The first two pages are the schema and what it needs; the rest of the file is the tables.
  for (let at = 16_384 * 2; at < bytes.length; at++) bytes[at] = 0x5a
  writeFileSync(path, bytes)
  const work = async () => {
    const copy = await held(path)
    await copy.add(recordsOf('bookings', [booking('BK-1', 2)]))
    await copy.commit(1, NOTE)
  }
  expect(await rejectionOf(() => work())).toMatchObject({ code: 'USAGE', message: expect.stringContaining('damaged') })
})

test('an older form is brought forward with its records, one step after the other', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const next = [
    ...STEPS,
    (database: DatabaseSync) => database.exec('ALTER TABLE bookings ADD COLUMN channel TEXT'),
    (database: DatabaseSync) => database.exec("UPDATE bookings SET channel = 'unknown'"),
  ]
  openToWrite(path, next).close()
  expect(query(path, 'SELECT id, channel FROM bookings')).toEqual([{ id: 'A', channel: 'unknown' }])
  expect(query(path, 'SELECT product, version FROM schema_version')).toEqual([
    { product: 'partner', version: STEPS.length + 2 },
  ])
  // This release finds it newer than itself, and leaves it alone.
  await expectRefused(path, /newer version/)
})

test('reading brings an older form forward, too', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const next = [...STEPS, (database: DatabaseSync) => database.exec('ALTER TABLE bookings ADD COLUMN channel TEXT')]
  openToRead(path, next)?.close()
  expect(query(path, 'SELECT id, channel FROM bookings')).toEqual([{ id: 'A', channel: null }])
})

test('a step that fails leaves the older form as it was', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const failing = [
    ...STEPS,
    (database: DatabaseSync) => {
      database.exec('ALTER TABLE bookings ADD COLUMN channel TEXT')
      throw new Error('no')
    },
  ]
  expect(() => openToWrite(path, failing)).toThrow(Failure)
  expect(query(path, 'SELECT version FROM schema_version')).toEqual([{ version: STEPS.length }])
  expect(await sync(path, 'bookings', [booking('A', 1)])).toMatchObject({ unchanged: 1 })
})

test.each(Object.entries(ODD_KINDS))('%s as the file is refused, and not written through', async (kind, why) => {
  const path = freshDatabase()
  await placeOddFile(kind as OddKind, path)
  expect(await rejectionOf(() => held(path))).toMatchObject({ code: 'USAGE', message: expect.stringMatching(why) })
})

test('a directory that is missing is named', async () => {
  const path = join(freshDirectory(), 'none', 'venue.db')
  const refused = { code: 'USAGE', hint: expect.stringContaining('mkdir -p') }
  expect(await rejectionOf(() => held(path))).toMatchObject(refused)
  expect(existsSync(dirname(path))).toBe(false)
})

test('a file that may not be written is named, with the reason', async (context) => {
  standBackWithout(context, NOT_ROOT)
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  chmodSync(path, 0o400)
  const readonly = { code: 'INTERNAL', message: expect.stringMatching(/cannot write to .*venue\.db: .*readonly/) }
  expect(await rejectionOf(() => sync(path, 'bookings', [booking('B', 1)]))).toMatchObject(readonly)
})

test('a file that was taken away in the middle of a run is not taken for written', async () => {
  const path = freshDatabase()
  const copy = await held(path)
  renameSync(path, `${path}.away`)
  const replaced = { code: 'INTERNAL', message: expect.stringContaining('removed or replaced') }
  expect(await rejectionOf(() => copy.commit(1, NOTE))).toMatchObject(replaced)
  copyFileSync(`${path}.away`, path)
  expect(await rejectionOf(() => copy.commit(1, NOTE))).toMatchObject({ code: 'INTERNAL' })
})

describe('a full disk', () => {
  test('ends what was to be committed, and the copy is as the last commit left it', async (context) => {
    standBackWithout(context, SMALL_DISK)
    const path = join(smallDisk(2048), 'venue.db')
    await sync(path, 'bookings', [booking('A', 1)], 1000)
    const copy = await (await targetAt(path)).hold(HOLD)
    const tooMuch = Array.from({ length: 2000 }, (_, n) => booking(`BK-${n}`, 1, { notes: 'x'.repeat(2000) }))
    const failure = await rejectionOf(() =>
      copy.add(recordsOf('bookings', tooMuch)).then(() => copy.commit(2000, NOTE)),
    )
    expect(failure).toMatchObject({ code: 'INTERNAL', hint: expect.stringContaining('make room') })
    expect(failure.message).toContain('the disk is full')
    // The same hold goes on with what fits.
    await copy.add(recordsOf('bookings', [booking('B', 1)]))
    expect(await copy.commit(1500, NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
    await copy.close()
    expect(query(path, 'SELECT id FROM bookings ORDER BY id')).toEqual([{ id: 'A' }, { id: 'B' }])
    expect(await (await targetAt(path)).state()).toMatchObject({ cursorMs: 1500, rows: 2 })
  })
})
