import { expect, onTestFinished } from 'vitest'
import { localControl } from '../../../src/sandbox/control/local.ts'
import { openState } from '../../../src/sandbox/open-state.ts'
import { readSnapshot } from '../../../src/sandbox/snapshot/read.ts'
import {
  controlledSandbox,
  controlOf,
  freshDirectory,
  GUEST,
  runningSandbox,
  saleOf,
  senderTo,
  runningTest as test,
} from '../fresh-sandbox.ts'
import { expectSame, expectSameText, performConformance, readEverything, startFromSnapshot } from './same-venue.ts'

const NOW = Date.parse('2026-11-20T08:00:00.000Z')
const FROZEN = { clock: { startAt: NOW, frozen: true } }
const HOOK = { webhookUrl: 'http://127.0.0.1:9/hook' }

function openInMemory(clock: { startAt?: number; frozen?: boolean } = FROZEN.clock) {
  const state = openState(':memory:', { clock })
  const control = localControl(state)
  onTestFinished(() => control.close())
  return { state, control }
}

test('a venue loaded from a snapshot responds like the original to all read requests and to the conformance requests', async () => {
  const { sandbox, send, control } = await controlledSandbox(FROZEN)
  const when = { serviceId: 'svc-dinner', sectionId: 'sec-main', time: '2026-11-24 18:00' }
  await send('POST', '/Reservations', { numOfPeople: 2, ...when, customer: GUEST })
  const copy = await startFromSnapshot(await control.saveSnapshot(), freshDirectory())
  expect(copy).toMatchObject({ locationId: sandbox.locationId, timezone: sandbox.timezone, clock: { frozen: true } })
  const there = senderTo(copy)
  expectSame(await readEverything(send, 40), await readEverything(there, 40))
  expectSame(await performConformance(sandbox, NOW), await performConformance(copy, NOW))
  expectSame(await readEverything(send, 99), await readEverything(there, 99))
})

test('saving a venue loaded from a snapshot produces an identical snapshot', async () => {
  const { state, control } = openInMemory()
  const text = await control.saveSnapshot()
  const other = openInMemory({})
  const loaded = await other.control.loadSnapshot({ name: 'x', text })
  expect(loaded).toMatchObject({ frozen: true, now: new Date(NOW).toISOString() })
  expectSameText(text, await other.control.saveSnapshot())
  // A snapshot omits a complete document if it can be derived from the other members on its line.
  expect(text).not.toContain('"document"')
  for (const table of ['bookings', 'customers', 'sales', 'gift_cards', 'redemptions', 'subscriptions', 'faults']) {
    const rows = (from: typeof state) => from.store.all(`SELECT * FROM ${table}`).map((row) => ({ ...row, rank: 0 }))
    expect(rows(other.state)).toEqual(rows(state))
  }
})

test("a snapshot contains a record's complete document if the document cannot be derived from the record's other members", async () => {
  const { state, control } = openInMemory()
  state.diary()
  for (const table of ['bookings', 'customers', 'gift_cards'])
    state.store.run(`UPDATE ${table} SET document = json_set(document, '$.later', 25.5)`)
  const text = await control.saveSnapshot()
  expect(text.match(/"document":"/g)?.length).toBeGreaterThan(800)
  const other = openInMemory({})
  await other.control.loadSnapshot({ name: 'x', text })
  for (const table of ['bookings', 'customers', 'gift_cards'])
    expect(other.state.store.all(`SELECT document FROM ${table}`)).toEqual(
      state.store.all(`SELECT document FROM ${table}`),
    )
  expectSameText(text, await other.control.saveSnapshot())
})

test('the clock of a venue loaded from a snapshot continues from the time of the snapshot', async () => {
  const text = await openInMemory({ startAt: NOW }).control.saveSnapshot()
  const { now, frozen, shifted } = await openInMemory().control.loadSnapshot({ name: 'x', text })
  expect({ frozen, shifted }).toEqual({ frozen: false, shifted: true })
  expect(Math.abs(Date.parse(now) - NOW)).toBeLessThan(60_000)
})

test('a snapshot contains subscriptions but not their credentials, faults with their counts, and pending webhooks', async () => {
  const { send, control } = await controlledSandbox(FROZEN)
  const credentials = { securityKey: 'key-0815', securityToken: 'token-0815' }
  await send('POST', '/Webhooks', { ...HOOK, event: 'BOOKING_UPDATED', ...credentials })
  await send('POST', '/Webhooks', { event: 'BOOKING_CREATED', webhookUrl: 'http://user:pass-0815@127.0.0.1:9/hook' })
  await control.addFault({ endpoint: 'GET /Customers', effect: { kind: 'status', status: 503 }, next: 2 })
  expect((await send('GET', '/Customers')).status).toBe(503)
  await send('PATCH', '/Bookings/BK-1001/updatepax', { pax: 5 })
  const text = await control.saveSnapshot()
  expect(text).not.toContain('0815')
  expect(readSnapshot(text, 'x').withoutCredentials).toEqual(['BOOKING_CREATED', 'BOOKING_UPDATED'])
  const there = senderTo(await startFromSnapshot(text))
  expect((await there('GET', '/Webhooks')).body).toMatchObject([
    { event: 'BOOKING_CREATED', webhookUrl: 'http://127.0.0.1:9/hook', authenticationEnabled: false },
    { event: 'BOOKING_UPDATED', webhookUrl: HOOK.webhookUrl, authenticationEnabled: false },
  ])
  expect([(await there('GET', '/Customers')).status, (await there('GET', '/Customers')).status]).toEqual([503, 200])
  const { state, control: again } = openInMemory()
  await again.loadSnapshot({ name: 'x', text })
  expect(await again.listDeliveries()).toMatchObject([
    { event: 'BOOKING_UPDATED', subject: 'BK-1001', state: 'pending' },
  ])
  const none = { security_key: null, security_token: null }
  expect(state.store.get('SELECT security_key, security_token FROM subscriptions')).toEqual(none)
})

test('a venue loaded from a snapshot rejects the IDs of sales that were received in the last 24 hours', async () => {
  const { send, control } = await controlledSandbox(FROZEN)
  expect((await send('POST', '/Sales', saleOf('TILL-1'))).status).toBe(200)
  const copy = await startFromSnapshot(await control.saveSnapshot())
  expect((await senderTo(copy)('POST', '/Sales', saleOf('TILL-1'))).status).toBe(409)
  expect((await senderTo(copy)('POST', '/Sales', saleOf('S-1001'))).status).toBe(200)
})

test('a running sandbox immediately uses a snapshot that another process loads into its data directory', async () => {
  const data = freshDirectory()
  const { sandbox, send, control } = await runningSandbox({ data })
  const other = controlOf(data)
  await control.addFault({ endpoint: 'GET /Customers', effect: { kind: 'status', status: 503 } })
  expect((await send('GET', '/Customers')).status).toBe(503)
  const { control: source } = openInMemory()
  await other.loadSnapshot({ name: 'x', text: await source.saveSnapshot() })
  expect((await send('GET', '/Customers')).status).toBe(200)
  expect(await control.readClock()).toEqual({ now: new Date(NOW).toISOString(), frozen: true, shifted: true })
  const own = await control.loadSnapshot({ name: 'x', text: await control.saveSnapshot() })
  expect(own).toMatchObject({ directory: data })
  await send('GET', '/Resources/booking-statuses')
  expect((await control.readJournal(0)).entries.map(({ path }) => path)).toEqual(['/Resources/booking-statuses'])
  expect(sandbox.locationId).toBe((await control.listVenues())[0]?.id)
})

test('loading a snapshot clears the journal of a sandbox that runs in memory', async ({ sandbox, send, control }) => {
  await send('GET', '/Customers')
  const before = await control.readJournal(0)
  await control.loadSnapshot({ name: 'x', text: await control.saveSnapshot() })
  await send('GET', '/Webhooks')
  expect((await control.readJournal(0)).entries.map(({ path }) => path)).toEqual(['/Webhooks'])
  expect((await control.readJournal(before.cursor)).entries).toHaveLength(1)
  expect(sandbox.clock.shifted).toBe(false)
})

test('loading an invalid snapshot does not change anything', async () => {
  const { control } = openInMemory()
  const text = await control.saveSnapshot()
  const spoiled = text.replace(/"sale":"S-1002"/, '"sale":""')
  await expect(control.loadSnapshot({ name: 'spoiled', text: spoiled })).rejects.toMatchObject({ code: 'USAGE' })
  expectSameText(text, await control.saveSnapshot())
})
