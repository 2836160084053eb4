import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { readOwnWrites } from '../../../../src/features/giftcards/statement/own-writes.ts'
import type { Intent } from '../../../../src/money/operations/operation.ts'
import { OperationStore } from '../../../../src/money/operations/store.ts'
import { freshDirectory } from '../../../support/partner.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 10, 1)
const SERVICE = 'https://service.example'
const CARD = 'GIFT1-00000100-AAAA'

const moment = (afterMs: number) => ({ wallMs: START + afterMs, monotonicMs: 1_000_000 + afterMs, boot: 'boot' })

function till() {
  const path = join(freshDirectory(), 'data', 'operations.db')
  const write = (afterMs: number, more: Partial<Intent> = {}, end: 'done' | 'open' | 'not-applied' = 'done') => {
    const store = OperationStore.open(path)
    const usual = { command: 'giftcards redeem', service: SERVICE, target: CARD, cents: 2500n, profile: 'city' }
    const { id } = store.claim({ ...usual, ...more }, 1000, moment(afterMs), true)
    store.markSending(id, '{"balance":"10000","status":"Active","total":"10000"}', moment(afterMs))
    if (end === 'done') {
      store.markDone(id, null, moment(afterMs))
      store.conclude()
    } else if (end === 'not-applied') store.settle(id, 'not-applied', 'in a test', moment(afterMs))
    store.close()
    return id
  }
  const read = (afterMs: number, more: Partial<Parameters<typeof readOwnWrites>[1]> = {}) =>
    readOwnWrites(path, {
      ...{ profile: 'city', service: SERVICE, nowMs: START + afterMs },
      ...more,
    })
  return { path, write, read }
}

test('readOwnWrites returns only completed and open gift card writes', () => {
  const { write, read } = till()
  const first = write(0)
  const second = write(DAY_MS, { command: 'giftcards cancel', cents: null })
  const third = write(2 * DAY_MS, { command: 'inbound redeem', cents: 100n })
  write(2 * DAY_MS, { command: 'sales create', target: 'S-1' })
  write(2 * DAY_MS, {}, 'not-applied')
  const open = write(3 * DAY_MS, { cents: 700n }, 'open')
  const found = read(4 * DAY_MS)
  expect(found.writes.map(({ id }) => id)).toEqual([first, second, third, open])
  expect(found.writes[0]).toEqual({
    ...{ id: first, command: 'giftcards redeem', card: CARD, cents: 2500n, isOpen: false, sentMs: START },
    ...{ balanceBefore: 10_000n, totalBefore: 10_000n, isOurs: true },
  })
  expect(found.writes.at(-1)).toMatchObject({ isOpen: true })
})

test('readOwnWrites omits gift card writes older than 400 days and returns the time from which its list is complete', () => {
  const { write, read } = till()
  write(0)
  const recent = write(100 * DAY_MS, { target: 'GIFT2-00005025-AAAA' })
  write(450 * DAY_MS, { target: 'GIFT3-00003333-AAAA' })
  const found = read(450 * DAY_MS)
  expect(found.writes.map(({ id }) => id)[0]).toBe(recent)
  expect(found.sinceMs).toBe(START + 50 * DAY_MS)
})

test("readOwnWrites returns the writes of all profiles and marks those of the venue's own profile", () => {
  const { write, read } = till()
  const byOther = write(0, { profile: 'till-2' })
  const own = write(0, { target: 'OTHER-00000000-CARD' })
  const byNobody = write(0, { profile: null })
  write(0, { service: 'https://other.example' })
  const found = (profile: string | null) => read(DAY_MS, { profile }).writes.map(({ id, isOurs }) => [id, isOurs])
  expect(found('city')).toEqual([
    [byOther, false],
    [own, true],
    [byNobody, false],
  ])
  expect(found(null).map(([, isOurs]) => isOurs)).toEqual([false, false, false])
})

test('readOwnWrites omits writes to a service that no longer exists, such as a sandbox that was reset', () => {
  const { path, write, read } = till()
  write(0)
  write(DAY_MS)
  const store = OperationStore.open(path)
  store.endAll(SERVICE, 'it is gone', moment(DAY_MS))
  store.close()
  expect(read(DAY_MS).writes).toEqual([])
})

test('readOwnWrites upgrades a database from an earlier release and returns the start of its record of past writes', () => {
  const { path, write, read } = till()
  const kept = write(0)
  const database = new DatabaseSync(path)
  database.exec('DROP TABLE past; DROP TABLE past_since')
  database.close()
  const beforeMs = Date.now()
  const found = read(DAY_MS)
  expect(found.writes.map(({ id }) => id)).toEqual([kept])
  expect(found.sinceMs).toBeGreaterThanOrEqual(beforeMs)
})
