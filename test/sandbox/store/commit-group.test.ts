import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { databasePath } from '../../../src/sandbox/store/data-directory.ts'
import { Store } from '../../../src/sandbox/store/store.ts'
import { freshDirectory } from '../../support/partner.ts'

/** A store with a table of names, and another process's look at it. */
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
    /** What is on disk, as any other process sees it. */
    kept: () =>
      other
        .prepare('SELECT name FROM meta ORDER BY name')
        .all()
        .map(({ name }) => name),
    seen: () => store.all('SELECT name FROM meta ORDER BY name').map(({ name }) => name),
  }
}

test('writes that come together are on disk before any of them returns, all at once', async () => {
  const { store, put, kept } = openStore()
  const atEnd: unknown[][] = []
  const done = ['a', 'b', 'c'].map((name) => store.keep(() => put(name)).then(() => atEnd.push(kept())))
  expect(kept()).toEqual([])
  await Promise.all(done)
  expect(atEnd).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
})

test('a write that fails among others takes back its own changes alone, and hears of it when the others are kept', async () => {
  const { store, put, kept } = openStore()
  const refused = store.keep(() => {
    put('refused')
    throw new Error('no')
  })
  const heard = refused.catch((error: Error) => [error.message, kept()])
  await Promise.all([store.keep(() => put('a')), heard, store.keep(() => put('b'))])
  expect(await heard).toEqual(['no', ['a', 'b']])
  expect(kept()).toEqual(['a', 'b'])
})

test('writes that come together see each other’s changes, and a transaction within one belongs to it', async () => {
  const { store, put, seen, kept } = openStore()
  const first = store.keep(() => put('a'))
  const second = store.keep(() => {
    store.transaction(() => put('b'))
    expect(kept()).toEqual([])
    return seen()
  })
  expect(await Promise.all([first, second])).toEqual([1, ['a', 'b']])
})

test.each([
  ['who looks', ({ seen }: ReturnType<typeof openStore>) => expect(seen()).toEqual(['a'])],
  ['who changes something', ({ put }: ReturnType<typeof openStore>) => put('later')],
  ['a transaction', ({ store }: ReturnType<typeof openStore>) => store.transaction(() => expect.anything())],
  ['a rehearsal', ({ store, put }: ReturnType<typeof openStore>) => store.rehearse(() => put('never'))],
  ['who closes', ({ store }: ReturnType<typeof openStore>) => store.close()],
])('while writes come together, %s finds what is on disk, and nothing else', async (_who, meet) => {
  const opened = openStore()
  const kept = opened.store.keep(() => opened.put('a'))
  meet(opened)
  expect(opened.kept()).toContain('a')
  expect(opened.kept()).not.toContain('never')
  await kept
})

test('writes whose disk takes nothing fail together, and the next ones have another go', async () => {
  const { store, put, kept } = openStore()
  store.run('PRAGMA max_page_count = 1')
  const many = (name: string) => store.run('INSERT INTO meta VALUES (?, ?)', name, 'x'.repeat(100_000))
  const together = [store.keep(() => put('a')), store.keep(() => many('b')), store.keep(() => put('c'))]
  const outcomes = await Promise.allSettled(together)
  for (const [at, outcome] of outcomes.entries())
    expect([outcome.status, kept().includes('abc'.charAt(at))]).toEqual(
      outcome.status === 'fulfilled' ? ['fulfilled', true] : ['rejected', false],
    )
  expect(outcomes[1]?.status).toBe('rejected')
  store.run('PRAGMA max_page_count = 1000000')
  await store.keep(() => put('d'))
  expect(kept()).toContain('d')
})
