import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Copy } from '../../../src/sync/copy.ts'
import { booking, freshDatabase, held, NOTE, query, recordsOf } from './copies.ts'

const MANY = recordsOf(
  'bookings',
  Array.from({ length: 21_000 }, (_, at) => booking(`BK-${at}`, at + 1, { notes: 'by the window '.repeat(10) })),
)

const indexes = (path: string) =>
  query(path, "SELECT name FROM sqlite_schema WHERE name LIKE 'bookings_by_%' ORDER BY name").map(({ name }) => name)

const ALL = [
  'bookings_by_booking_time',
  'bookings_by_customer_id',
  'bookings_by_last_modified',
  'bookings_by_status_code_booking_time',
]

async function commit(copy: Copy, count: number): Promise<void> {
  for (let at = 0; at < count; at += 500) await copy.add(MANY.slice(at, Math.min(at + 500, count)))
  await copy.commit(NOTE.startedMs, NOTE)
}

test('a first sync creates the indexes after it has read all records', async () => {
  const path = freshDatabase()
  const copy = await held(path)
  expect(indexes(path)).toEqual(ALL)
  await commit(copy, MANY.length)
  expect(indexes(path)).toEqual([])
  await copy.finish?.()
  expect(indexes(path)).toEqual(ALL)
})

test('a run that follows an unfinished first sync creates the indexes', async () => {
  const path = freshDatabase()
  const first = await held(path)
  await commit(first, MANY.length)
  await first.close()
  const next = await held(path)
  await next.commit(NOTE.startedMs + 1, NOTE)
  await next.finish?.()
  expect(indexes(path)).toEqual(ALL)
})

test('small commits, and commits into a large table, do not drop the indexes', async () => {
  const path = freshDatabase()
  const first = await held(path)
  await commit(first, 10)
  expect(indexes(path)).toEqual(ALL)
  await commit(first, MANY.length)
  await first.finish?.()
  await first.close()
  await commit(await held(path), MANY.length)
  expect(indexes(path)).toEqual(ALL)
})

test('a sync does not drop indexes that it did not create', async () => {
  const path = freshDatabase()
  const copy = await held(path)
  await commit(copy, 10)
  const name = 'bookings_by_people'
  const other = new DatabaseSync(path)
  other.exec(`CREATE INDEX ${name} ON bookings (people)`)
  other.close()
  await commit(copy, MANY.length)
  expect(indexes(path)).toEqual([name])
  await copy.finish?.()
  expect(indexes(path)).toEqual([...ALL, name].sort())
})
