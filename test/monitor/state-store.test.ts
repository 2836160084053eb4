import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { Alert } from '../../src/monitor/alerts/alert.ts'
import type { Verdict } from '../../src/monitor/state/machine.ts'
import { StateStore } from '../../src/monitor/state/state-store.ts'
import { freshDirectory } from '../support/partner.ts'

const RULE = { forMs: 0, repeatMs: 1000 }

const freshPath = () => join(freshDirectory(), 'state.db')

/** Opens a state file. The returned `record` function adds a check's finding to it. */
function open(path = freshPath(), destinations: readonly string[] = ['one', 'two']) {
  const store = StateStore.open(path)
  let nowMs = 0
  const record = (verdict: Verdict, { name = 'copy', profile = null as string | null, at = ++nowMs } = {}) => {
    nowMs = at
    return store.record(
      { name, profile },
      { verdict, message: verdict, next: null },
      { rule: RULE, nowMs, destinations },
    )
  }
  return { path, store, record }
}

const linesFor = (store: StateStore, destination: string) =>
  store.heads(destination).map(({ line }) => JSON.parse(line) as Alert)

test('a change raises one alert, which is queued for every destination', () => {
  const { store, record } = open()
  expect(record('ok').alert).toBeNull()
  const { alert } = record('wrong')
  expect(alert).toMatchObject({ check: 'copy', change: 'began', profile: null, message: 'wrong', next: null })
  expect(record('wrong').alert).toBeNull()
  expect(linesFor(store, 'one')).toEqual([alert])
  expect(linesFor(store, 'two')).toEqual([alert])
})

test('the state and the queue survive a restart, and alerts keep their IDs', () => {
  const { path, store, record } = open()
  const { alert } = record('wrong')
  store.close()
  const again = open(path)
  expect(linesFor(again.store, 'one')).toEqual([alert])
  expect(again.record('wrong', { at: 5 }).alert).toBeNull()
  expect(again.record('ok', { at: 6 }).alert).toMatchObject({ change: 'ended', since: alert?.since })
})

test('alerts for a check are sent in order and do not delay alerts for other checks and venues', () => {
  const { store, record } = open()
  const first = record('wrong').alert
  record('ok')
  const other = record('wrong', { name: 'key' }).alert
  const elsewhere = record('wrong', { profile: 'city' }).alert
  expect(linesFor(store, 'one')).toEqual([first, other, elsewhere])
  const [head] = store.heads('one')
  store.markFailed(head?.number ?? 0, 'one', 'it answered 500', 99)
  expect(store.heads('one')[0]).toMatchObject({ attempts: 1, dueMs: 99 })
  expect(store.heads('two')[0]).toMatchObject({ attempts: 0, dueMs: 0 })
  store.markDelivered(head?.number ?? 0, 'one')
  expect(linesFor(store, 'one').map(({ change, check }) => `${check} ${change}`)).toEqual([
    'copy ended',
    'key began',
    'copy began',
  ])
})

test('an alert is removed from the file once every destination has accepted it', () => {
  const { path, store, record } = open()
  record('wrong')
  const [head] = store.heads('one')
  for (const destination of ['one', 'two']) store.markDelivered(head?.number ?? 0, destination)
  expect(store.backlog()).toEqual([])
  store.close()
  const database = new DatabaseSync(path)
  expect(database.prepare('SELECT count(*) AS n FROM alerts').get()).toEqual({ n: 0 })
  database.close()
})

test('a reminder is not queued while an earlier alert of the check is waiting', () => {
  const { store, record } = open()
  record('wrong', { at: 1 })
  const [head] = store.heads('one')
  store.markDelivered(head?.number ?? 0, 'one')
  for (const at of [2000, 4000, 6000]) expect(record('wrong', { at }).alert).toMatchObject({ change: 'reminder' })
  expect(store.backlog().map(({ destination, count }) => `${destination} ${count}`)).toEqual(['one 1', 'two 1'])
})

test('a check that is removed and added again starts without a fault, and its alerts have new IDs', () => {
  const { store, record } = open()
  const first = record('wrong').alert
  const options = { nowMs: 10, destinations: ['one'] }
  expect(store.forget(() => null, options)).toEqual([])
  expect(store.forget(() => 'the check was removed', options)).toMatchObject([
    { check: 'copy', change: 'ended', message: 'the check was removed' },
  ])
  expect(store.checks()).toEqual([])
  const second = record('wrong', { at: 20 }).alert
  expect(second?.change).toBe('began')
  expect(second?.id).not.toBe(first?.id)
})

test("alerts are rerouted if their destination's address changes, and are dropped if the destination is removed", () => {
  const { store, record } = open(freshPath(), ['old', 'gone'])
  expect(
    store.useDestinations([
      { key: 'old', kind: 'webhook' },
      { key: 'gone', kind: 'exec' },
    ]),
  ).toBe(0)
  const { alert } = record('wrong')
  expect(store.useDestinations([{ key: 'new', kind: 'webhook' }])).toBe(1)
  expect(linesFor(store, 'new')).toEqual([alert])
  expect(store.backlog()).toMatchObject([{ destination: 'new', count: 1 }])
})

test('only the owner of the state file can read it', () => {
  const { path, store } = open()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  store.close()
})

test('looking for a state file does not create it', () => {
  const path = freshPath()
  expect(StateStore.find(path)).toBeNull()
  expect(() => statSync(path)).toThrow('ENOENT')
})

test('the state can be read while it is being written', () => {
  const { path, record } = open()
  record('wrong')
  const reader = StateStore.find(path)
  expect(reader?.checks()).toMatchObject([{ name: 'copy', state: { state: 'wrong' } }])
  record('ok')
  expect(reader?.checks()).toMatchObject([{ name: 'copy', state: { state: 'ok' } }])
})

test.each([
  ['a text file', (path: string) => writeFileSync(path, 'not a database, but long enough to look at\n'.repeat(30))],
  [
    'another database',
    (path: string) => {
      const database = new DatabaseSync(path)
      database.exec('CREATE TABLE t (a)')
      database.close()
    },
  ],
])('opening %s as a state file fails and leaves it unchanged', (_, write) => {
  const path = freshPath()
  write(path)
  const before = readFileSync(path)
  expect(() => StateStore.open(path)).toThrow(
    expect.objectContaining({
      code: 'USAGE',
      message: expect.stringContaining('is not a state file of partner monitor'),
    }),
  )
  expect(readFileSync(path)).toEqual(before)
})
