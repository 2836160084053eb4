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
import { NOT_ROOT, skipWithout } from '../../support/needs.ts'
import { ODD_KINDS, type OddKind, placeOddFile } from '../../support/odd-files.ts'
import { freshDirectory } from '../../support/partner.ts'
import { mountSmallDisk, SMALL_DISK } from '../../support/small-disk.ts'
import { booking, freshDatabase, HOLD, held, NOTE, query, recordsOf, sync, targetAt } from './copies.ts'

const MANY = Array.from({ length: 300 }, (_, n) => booking(`BK-${n}`, 1, { notes: 'x'.repeat(500) }))

/** Expects both a run and `sync status` to refuse the file and to leave it unchanged. */
async function expectRefused(path: string, why: RegExp): Promise<void> {
  const before = readFileSync(path)
  for (const work of [() => held(path), async () => (await targetAt(path)).state()]) {
    const failure = await rejectionOf(() => work())
    expect(failure).toMatchObject({ code: 'USAGE', exitCode: 2 })
    expect(failure.message).toMatch(why)
    expect(failure.message).toContain('nothing was changed')
    expect(failure.hint).toMatch(/another file/)
  }
  expect(readFileSync(path).equals(before)).toBe(true)
}

test('only the owner can access a new database and the files next to it', async () => {
  const path = freshDatabase()
  await (await held(path)).commit(1, NOTE)
  const names = readdirSync(dirname(path))
  expect(names).toEqual(expect.arrayContaining(['venue.db', 'venue.db-wal', 'venue.db.venue.bookings.lock']))
  for (const name of names) expect([name, statSync(join(dirname(path), name)).mode & 0o777]).toEqual([name, 0o600])
})

test('sync treats an empty file as a new database', async () => {
  const path = freshDatabase()
  writeFileSync(path, '')
  await sync(path, 'bookings', [booking('A', 1)])
  expect(query(path, 'SELECT id FROM bookings')).toEqual([{ id: 'A' }])
})

test.each([
  ['text', 'BK-1,2026-11-22\n'],
  ['NDJSON', `${'{"bookingId":"BK-1"}\n'.repeat(500)}`],
  ['one byte', 'S'],
])('sync refuses a .db file that contains %s', async (_kind, content) => {
  const path = freshDatabase()
  writeFileSync(path, content)
  await expectRefused(path, /is not a SQLite database/)
  expect(readdirSync(dirname(path))).toEqual(['venue.db'])
})

test('sync refuses a database that another program created', async () => {
  const path = freshDatabase()
  const theirs = new DatabaseSync(path)
  theirs.exec('CREATE TABLE schema_version (installed_rank INTEGER, version TEXT); CREATE TABLE bookings (id INTEGER)')
  theirs.close()
  await expectRefused(path, /another program's database/)
})

test('sync refuses a database that was written by a newer version of partner', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const newer = new DatabaseSync(path)
  newer.exec(`UPDATE schema_version SET version = ${STEPS.length + 1}; PRAGMA wal_checkpoint(TRUNCATE)`)
  newer.close()
  await expectRefused(path, /newer version of partner/)
})

test('sync refuses a truncated database and leaves the file unchanged', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', MANY)
  truncateSync(path, 20_000)
  await expectRefused(path, /damaged/)
})

test('damage found during a run causes the same error as damage found at the start', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', MANY)
  const bytes = readFileSync(path)
  // Only the tables are damaged. The first two pages, with the schema and its metadata, stay intact.
  for (let at = 16_384 * 2; at < bytes.length; at++) bytes[at] = 0x5a
  writeFileSync(path, bytes)
  const work = async () => {
    const copy = await held(path)
    await copy.add(recordsOf('bookings', [booking('BK-1', 2)]))
    await copy.commit(1, NOTE)
  }
  expect(await rejectionOf(() => work())).toMatchObject({ code: 'USAGE', message: expect.stringContaining('damaged') })
})

test('openToWrite migrates an older database step by step without losing its records', async () => {
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
  // The migrated database is too new for this version of partner, so partner refuses it.
  await expectRefused(path, /newer version/)
})

test('openToRead migrates an older database', async () => {
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  const next = [...STEPS, (database: DatabaseSync) => database.exec('ALTER TABLE bookings ADD COLUMN channel TEXT')]
  openToRead(path, next)?.close()
  expect(query(path, 'SELECT id, channel FROM bookings')).toEqual([{ id: 'A', channel: null }])
})

test('a failed migration step leaves the older database unchanged', async () => {
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

test.each(Object.entries(ODD_KINDS))('sync refuses %s instead of a database file', async (kind, why) => {
  const path = freshDatabase()
  await placeOddFile(kind as OddKind, path)
  expect(await rejectionOf(() => held(path))).toMatchObject({ code: 'USAGE', message: expect.stringMatching(why) })
})

test('sync into a missing directory fails and suggests how to create the directory', async () => {
  const path = join(freshDirectory(), 'none', 'venue.db')
  const refused = { code: 'USAGE', hint: expect.stringContaining('mkdir -p') }
  expect(await rejectionOf(() => held(path))).toMatchObject(refused)
  expect(existsSync(dirname(path))).toBe(false)
})

test('sync into a read-only database reports the file and the reason', async (context) => {
  skipWithout(context, NOT_ROOT)
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  chmodSync(path, 0o400)
  const readonly = { code: 'INTERNAL', message: expect.stringMatching(/cannot write to .*venue\.db: .*readonly/) }
  expect(await rejectionOf(() => sync(path, 'bookings', [booking('B', 1)]))).toMatchObject(readonly)
})

test('a commit fails if the database file was moved or replaced during the run', async () => {
  const path = freshDatabase()
  const copy = await held(path)
  renameSync(path, `${path}.away`)
  const replaced = { code: 'INTERNAL', message: expect.stringContaining('removed or replaced') }
  expect(await rejectionOf(() => copy.commit(1, NOTE))).toMatchObject(replaced)
  copyFileSync(`${path}.away`, path)
  expect(await rejectionOf(() => copy.commit(1, NOTE))).toMatchObject({ code: 'INTERNAL' })
})

describe('commits to a full disk', () => {
  test('a commit that fails on a full disk leaves the last commit intact, and the run can continue', async (context) => {
    skipWithout(context, SMALL_DISK)
    const path = join(mountSmallDisk(2048), 'venue.db')
    await sync(path, 'bookings', [booking('A', 1)], 1000)
    const copy = await (await targetAt(path)).hold(HOLD)
    const tooMuch = Array.from({ length: 2000 }, (_, n) => booking(`BK-${n}`, 1, { notes: 'x'.repeat(2000) }))
    const failure = await rejectionOf(() =>
      copy.add(recordsOf('bookings', tooMuch)).then(() => copy.commit(2000, NOTE)),
    )
    expect(failure).toMatchObject({ code: 'INTERNAL', hint: expect.stringContaining('free some space') })
    expect(failure.message).toContain('the disk is full')
    // The same run can still commit records that fit on the disk.
    await copy.add(recordsOf('bookings', [booking('B', 1)]))
    expect(await copy.commit(1500, NOTE)).toEqual({ added: 1, changed: 0, unchanged: 0 })
    await copy.close()
    expect(query(path, 'SELECT id FROM bookings ORDER BY id')).toEqual([{ id: 'A' }, { id: 'B' }])
    expect(await (await targetAt(path)).state()).toMatchObject({ cursorMs: 1500, rows: 2 })
  })
})

test('sync, sync status and readers report why they cannot read a database', async (context) => {
  skipWithout(context, NOT_ROOT)
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  chmodSync(path, 0o000)
  for (const work of [() => held(path), async () => (await targetAt(path)).state(), async () => openToRead(path)]) {
    const failure = await rejectionOf(() => work())
    expect(failure).toMatchObject({ code: 'INTERNAL', hint: expect.stringContaining('permissions') })
    expect(failure.message).toBe(`cannot read ${path}: permission denied (EACCES)`)
  }
})

test('sync status and readers report that SQLite cannot write to the directory of a database', async (context) => {
  skipWithout(context, NOT_ROOT)
  const path = freshDatabase()
  await sync(path, 'bookings', [booking('A', 1)])
  chmodSync(dirname(path), 0o500)
  for (const work of [async () => (await targetAt(path)).state(), async () => openToRead(path)])
    expect(await rejectionOf(() => work())).toMatchObject({
      code: 'INTERNAL',
      message: `cannot read ${path}: SQLite cannot write to its directory`,
    })
  chmodSync(dirname(path), 0o700)
})
