import { DatabaseSync } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { CommitQueue } from '../../../src/base/storage/commit-queue.ts'
import { savepoint, transaction } from '../../../src/base/storage/sqlite.ts'

let database: DatabaseSync
let commits: number
let queue: CommitQueue

beforeEach(() => {
  database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE sales (id TEXT UNIQUE)')
  commits = 0
  queue = new CommitQueue(
    (work) => {
      transaction(database, work)
      commits++
    },
    (work) => savepoint(database, work),
  )
})

const put = (id: string) => () => database.prepare('INSERT INTO sales VALUES (?)').run(id).changes
const sales = () =>
  database
    .prepare('SELECT id FROM sales ORDER BY id')
    .all()
    .map(({ id }) => id)

test('a commit queue commits all work from one turn of the event loop together and returns each result', async () => {
  expect(await Promise.all([queue.run(put('a')), queue.run(() => 'read'), queue.run(put('b'))])).toEqual([1, 'read', 1])
  expect({ commits, sales: sales() }).toEqual({ commits: 1, sales: ['a', 'b'] })
})

test('a commit queue rolls back only the work that fails', async () => {
  const refused = queue.run(() => {
    put('refused')()
    throw new Error('no')
  })
  const others = [queue.run(put('a')), queue.run(put('a')), queue.run(put('b'))]
  await expect(refused).rejects.toThrow('no')
  expect((await Promise.allSettled(others)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect({ commits, sales: sales() }).toEqual({ commits: 1, sales: ['a', 'b'] })
})

test('a commit queue rejects all pending work if an error rolls everything back, but accepts new work afterwards', async () => {
  const all = [
    queue.run(put('a')),
    queue.run(() => {
      // Simulates a full disk. SQLite rolls the transaction back by itself in that case.
      database.exec('ROLLBACK')
      throw new Error('the disk is full')
    }),
    queue.run(put('b')),
  ]
  const ends = await Promise.allSettled(all)
  expect(ends.map((end) => end.status === 'rejected' && end.reason.message)).toEqual(Array(3).fill('the disk is full'))
  expect({ commits, sales: sales() }).toEqual({ commits: 0, sales: [] })
  await queue.run(put('c'))
  expect(sales()).toEqual(['c'])
})

test('runSoon joins the next commit or commits by itself after a short wait', async () => {
  const later = queue.runSoon(put('later'))
  await queue.run(put('now'))
  await later
  expect(commits).toBe(1)
  await queue.runSoon(put('alone'))
  expect({ commits, sales: sales() }).toEqual({ commits: 2, sales: ['alone', 'later', 'now'] })
})
