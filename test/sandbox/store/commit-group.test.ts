import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { databasePath } from '../../../src/sandbox/store/data-directory.ts'
import { Store } from '../../../src/sandbox/store/store.ts'
import { freshDirectory } from '../../support/partner.ts'

/** Opens a store with a table of names, and a second connection that reads the table as another process would. */
function openStore() {
  const directory = join(freshDirectory(), 'data')
  const store = Store.open(directory)
  store.transaction(() => {
    store.createTables()
  })
  const other = new DatabaseSync(databasePath(directory), { readOnly: true })
  return {
    store,
    put: (name: string) => store.run('INSERT INTO meta VALUES (?, ?)', name, ''),
    /** Returns the names that are on disk, as any other process would see them. */
    onDisk: () =>
      other
        .prepare('SELECT name FROM meta ORDER BY name')
        .all()
        .map(({ name }) => name),
    readOwn: () => store.all('SELECT name FROM meta ORDER BY name').map(({ name }) => name),
  }
}

test('none of several simultaneous writes returns before all of them are on disk', async () => {
  const { store, put, onDisk } = openStore()
  const atEnd: unknown[][] = []
  const done = ['a', 'b', 'c'].map((name) => store.groupedTransaction(() => put(name)).then(() => atEnd.push(onDisk())))
  expect(onDisk()).toEqual([])
  await Promise.all(done)
  expect(atEnd).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

test('a failed write rolls back only its own changes and reports its error after the other writes are committed', async () => {
  const { store, put, onDisk } = openStore()
  const refused = store.groupedTransaction(() => {
    put('refused')
    throw new Error('no')
  })
  const caught = refused.catch((error: Error) => [error.message, onDisk()])
  await Promise.all([store.groupedTransaction(() => put('a')), caught, store.groupedTransaction(() => put('b'))])
  expect(await caught).toEqual(['no', ['a', 'b']])
  expect(onDisk()).toEqual(['a', 'b'])
})

test('a write can contain a transaction and sees the changes made by simultaneous writes', async () => {
  const { store, put, readOwn, onDisk } = openStore()
  const first = store.groupedTransaction(() => put('a'))
  const second = store.groupedTransaction(() => {
    store.transaction(() => put('b'))
    expect(onDisk()).toEqual([])
    return readOwn()
  })
  expect(await Promise.all([first, second])).toEqual([1, ['a', 'b']])
})

test.each([
  ['a read', ({ readOwn }: ReturnType<typeof openStore>) => expect(readOwn()).toEqual(['a'])],
  ['a direct write', ({ put }: ReturnType<typeof openStore>) => put('later')],
  ['a transaction', ({ store }: ReturnType<typeof openStore>) => store.transaction(() => expect.anything())],
  [
    'a rolled-back rehearsal',
    ({ store, put }: ReturnType<typeof openStore>) => store.runAndRollBack(() => put('never')),
  ],
  ['closing the store', ({ store }: ReturnType<typeof openStore>) => store.close()],
])('pending writes are committed before %s', async (_what, act) => {
  const opened = openStore()
  const pending = opened.store.groupedTransaction(() => opened.put('a'))
  act(opened)
  expect(opened.onDisk()).toContain('a')
  expect(opened.onDisk()).not.toContain('never')
  await pending
})

test('on a full disk, a write reports success only if it was stored, and writes succeed again once there is space', async () => {
  const { store, put, onDisk } = openStore()
  store.run('PRAGMA max_page_count = 1')
  const many = (name: string) => store.run('INSERT INTO meta VALUES (?, ?)', name, 'x'.repeat(100_000))
  const together = [
    store.groupedTransaction(() => put('a')),
    store.groupedTransaction(() => many('b')),
    store.groupedTransaction(() => put('c')),
  ]
  const outcomes = await Promise.allSettled(together)
  for (const [at, outcome] of outcomes.entries())
    expect([outcome.status, onDisk().includes('abc'.charAt(at))]).toEqual(
      outcome.status === 'fulfilled' ? ['fulfilled', true] : ['rejected', false],
    )
  expect(outcomes[1]?.status).toBe('rejected')
  store.run('PRAGMA max_page_count = 1000000')
  await store.groupedTransaction(() => put('d'))
  expect(onDisk()).toContain('d')
})
