import { expect, onTestFinished, test } from 'vitest'
import { GIFT_CARD_FORMATS, GIFT_CARD_STATUSES } from '../../../src/contract/giftcards.ts'
import { localControl } from '../../../src/sandbox/control/local.ts'
import { openState } from '../../../src/sandbox/open-state.ts'
import { readSnapshot } from '../../../src/sandbox/snapshot/read.ts'
import { cardNumberOf } from '../../../src/sandbox/snapshot/ready/every-card.ts'
import { READY_SNAPSHOTS, writeReadySnapshot } from '../../../src/sandbox/snapshot/ready/ready.ts'
import type { ReadySnapshot } from '../../../src/sandbox/snapshot/ready/scene.ts'
import { DAY } from '../../../src/sandbox/venue/time.ts'
import { STATUSES, TABLE_FREEING_STATUSES, TABLES } from '../../../src/sandbox/venue/venue.ts'
import { eachAt, saleOf, senderTo } from '../fresh-sandbox.ts'
import { startFromSnapshot } from './same-venue.ts'

const textOf = (name: string) =>
  writeReadySnapshot(READY_SNAPSHOTS.find((one) => one.name === name) ?? (READY_SNAPSHOTS[0] as ReadySnapshot))

async function serveSnapshot(name: string) {
  const sandbox = await startFromSnapshot(textOf(name))
  return { sandbox, send: senderTo(sandbox) }
}

function openSnapshot(name: string) {
  const state = openState(':memory:', { fill: readSnapshot(textOf(name), name).fill })
  const control = localControl(state)
  onTestFinished(() => control.close())
  return { state, control }
}

test.each(READY_SNAPSHOTS.map(({ name }) => name))(
  'the ready-made %s snapshot is valid, small and reproducible, and survives loading and saving unchanged',
  async (name) => {
    const text = textOf(name)
    expect(textOf(name)).toBe(text)
    expect(text.length).toBeLessThan(100_000)
    const again = await openSnapshot(name).control.saveSnapshot()
    // Skip the first line, which contains the running clock's time.
    expect(again.slice(again.indexOf('\n'))).toBe(text.slice(text.indexOf('\n')))
  },
)

test.each(READY_SNAPSHOTS.map(({ name }) => name))(
  'no bookings overlap at a table in the ready-made %s snapshot, and every party fits its table',
  (name) => {
    const { state } = openSnapshot(name)
    const rows = state.store.all('SELECT * FROM bookings').map((row) => {
      const { people }: { people: number } = JSON.parse(String(row['document']))
      const [table = ''] = JSON.parse(String(row['tables'])) as string[]
      const [id, location, status] = [row['id'], row['location'], String(row['status'])]
      return { id, location, status, people, table, starts: Number(row['starts']), ends: Number(row['ends']) }
    })
    for (const row of rows) {
      const { capacity = 99, minCapacity = 1 } = TABLES.find(({ id }) => id === row.table) ?? {}
      expect([row.id, row.people <= capacity && row.people >= minCapacity]).toEqual([row.id, true])
      const sits = (one: typeof row) => one.table !== '' && !TABLE_FREEING_STATUSES.has(one.status)
      const other = rows.find(
        (one) =>
          one.id !== row.id &&
          sits(one) &&
          sits(row) &&
          one.location === row.location &&
          one.table === row.table &&
          one.starts < row.ends &&
          one.ends > row.starts,
      )
      expect([row.id, other?.id]).toEqual([row.id, undefined])
    }
  },
)

test('the ready-made empty snapshot has no records and gets none when the clock advances', async () => {
  const { state, control } = openSnapshot('empty')
  const count = (table: string) => state.store.get(`SELECT count(*) AS n FROM ${table}`)?.['n']
  await control.advanceClock(3 * DAY)
  await control.setClock(Date.parse('2028-02-29T00:00:00Z'), true)
  expect(['bookings', 'sales', 'gift_cards'].map(count)).toEqual([0, 0, 0])
  const { send } = await serveSnapshot('empty')
  expect((await send('GET', '/Customers')).body.items).toEqual([])
  expect((await send('POST', '/Bookings', { numOfPeople: 2, time: '2026-12-01 12:00' })).status).toBe(201)
})

test('a venue loaded from a snapshot updates the statuses of past bookings but gets no new bookings', async () => {
  const { state, control } = openSnapshot('busy-friday')
  const count = () => state.store.get('SELECT count(*) AS n FROM bookings')?.['n']
  const before = count()
  await control.advanceClock(DAY)
  expect(count()).toBe(before)
  const expected = "SELECT count(*) AS n FROM bookings WHERE status IN ('CONFIRMED', 'Unconfirmed') AND location = ?"
  expect(state.store.get(expected, state.store.venue.id)?.['n']).toBe(0)
})

test('the busy-friday snapshot has every status, walk-ins, deposits, and notes in many writing systems', async () => {
  const { send } = await serveSnapshot('busy-friday')
  const list =
    '/Bookings?StartDate=2026-12-17T00:00:00.000Z&EndDate=2026-12-19T00:00:00.000Z&IncludeCustomerDetails=true'
  const { bookings } = (await send('GET', list)).body
  expect(new Set(eachAt(bookings, 'status.code'))).toEqual(new Set(STATUSES.map(({ code }) => code)))
  expect(new Set(eachAt(bookings, 'method'))).toEqual(new Set(['online', 'phone', 'pos', 'walkin']))
  for (const script of ['Arabic', 'Hebrew', 'Han', 'Thai', 'Latin'])
    expect(eachAt(bookings, 'notes').join(' ')).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'))
  const paid = (await send('GET', '/Bookings/BK-1031')).body.paymentSummary
  expect(paid).toMatchObject({ amount: 200, amountDue: 100, amountPaid: 100 })
})

test('the month-end snapshot has sales whose IDs still count as duplicates and sales whose IDs can be used again', async () => {
  const { send } = await serveSnapshot('month-end')
  const sale = (saleId: string) => saleOf(saleId, { openedZonedDateTime: '2026-11-30T10:00:00Z' })
  expect((await send('POST', '/Sales', sale('STILL-REFUSED'))).status).toBe(409)
  expect((await send('POST', '/Sales', sale('JUST-NOW'))).status).toBe(409)
  expect((await send('POST', '/Sales', sale('FREE-AGAIN'))).status).toBe(200)
  const november = '/Sales?StartDate=2026-10-31T13:00:00.000Z&EndDate=2026-11-30T12:59:59.999Z&Limit=500'
  const { items } = (await send('GET', november)).body
  const ids = ['S-1001', 'S-1060', 'R-S-1006', 'V-1', 'BAR-5', 'OVER-MIDNIGHT', 'SENT-LATE']
  expect(eachAt(items, 'saleDetail.transactionId')).toEqual(expect.arrayContaining(ids))
  expect(eachAt(items, 'saleDetail').find(({ status }) => status === 'REFUND').total).toBe(-42)
})

test('the dst-night snapshot has bookings in both occurrences of the repeated hour', async () => {
  const { send } = await serveSnapshot('dst-night')
  const within = async (from: string, to: string) => {
    const path = `/Bookings?StartDate=2027-04-03T${from}:00.000Z&EndDate=2027-04-03T${to}:59.999Z`
    return eachAt((await send('GET', path)).body.bookings, 'bookingTime').map((time) => time.slice(11, 16))
  }
  expect(await within('15:00', '15:59')).toEqual(['02:00', '02:15', '02:45'])
  expect(await within('16:00', '16:59')).toEqual(['02:15', '02:59'])
  expect(await within('17:00', '17:59')).toEqual(['03:00'])
})

test('the every-card snapshot has a card for each status, format and outcome of a redemption or cancellation', async () => {
  const { send } = await serveSnapshot('every-card')
  for (const status of GIFT_CARD_STATUSES)
    for (const cardFormat of GIFT_CARD_FORMATS)
      expect(await send('GET', `/GiftCards/${cardNumberOf(status, cardFormat)}`)).toMatchObject({
        body: { status, cardFormat },
      })
  const redeem = async (cardNumber: string, amount: number, more = {}) => {
    const { status, body } = await send('POST', '/GiftCards/redeem', { cardNumber, amount, ...more })
    return status === 200 ? `${body.status} ${body.errorMessage}`.trim() : String(status)
  }
  const cancel = async (cardNumber: string) => (await send('PATCH', '/GiftCards/cancel', { cardNumber })).status
  const ends = async (cardNumber: string, amount: number, more = {}) => [
    await redeem(cardNumber, amount, more),
    await cancel(cardNumber),
  ]
  expect(await ends('ACTIV-EGIFTCAR-0001', 20)).toEqual(['Active', 200])
  expect(await ends('ACTIV-PHYSICAL-0001', 50)).toEqual(['Redeemed', 400])
  expect(await ends('ACTIV-LSEGIFTC-0001', 50.01)).toEqual([
    'Error The amount is more than the remaining balance of the gift card.',
    200,
  ])
  expect(await ends('PARTL-00000000-0001', 12.34)).toEqual(['Redeemed', 400])
  expect(await ends('EMAIL-00000000-0001', 1, { issuedToEmail: 'other@example.com' })).toEqual([
    'Error The gift card was issued to another email address.',
    200,
  ])
  expect(await ends('SPENT-EGIFTCAR-0001', 1)).toEqual(['Error The gift card has already been redeemed.', 400])
  expect(await ends('VOIDS-EGIFTCAR-0001', 1)).toEqual(['Error The gift card has been cancelled.', 304])
  expect(await ends('OLDIE-EGIFTCAR-0001', 1)).toEqual(['Error The gift card has expired.', 200])
  expect(await ends('UNPAI-EGIFTCAR-0001', 1)).toEqual(['Error The gift card has not been paid for yet.', 200])
  expect(await ends('POSTS-EGIFTCAR-0001', 1)).toEqual(['Error The gift card has not been posted yet.', 200])
  expect(await ends('OTHER-00000000-VVVV', 1)).toEqual(['404', 404])
})

test('the every-card snapshot has a card that expires within an hour', async () => {
  const { state, control } = openSnapshot('every-card')
  const status = () => state.store.get("SELECT status FROM gift_cards WHERE number = 'SOONX-00000000-0001'")?.['status']
  expect(status()).toBe('Active')
  await control.advanceClock(3_600_000)
  expect(status()).toBe('Expired')
})

test('the other-zone-and-currency snapshot has a venue in New York that uses US dollars', async () => {
  const { sandbox, send } = await serveSnapshot('other-zone-and-currency')
  expect(sandbox).toMatchObject({ timezone: 'America/New_York', locationId: '5f1d7a3e9b2c4d0012ab34d0' })
  const paid = (await send('GET', '/Bookings/BK-1006')).body.paymentSummary
  expect(paid).toMatchObject({ currencyCode: 'USD', amount: 200 })
  expect(
    (await send('GET', '/Bookings?StartDate=2026-11-01T05:00:00.000Z&EndDate=2026-11-01T07:00:00.000Z')).body.bookings,
  ).toMatchObject([{ notes: 'The first 01:15' }, { notes: 'The second 01:15' }])
})

test('the two-venues snapshot has bookings and gift cards from both venues', async () => {
  const { send } = await serveSnapshot('two-venues')
  const day = '/Bookings?StartDate=2026-12-18T00:00:00.000Z&EndDate=2026-12-18T23:00:00.000Z'
  const { bookings } = (await send('GET', day)).body
  const count = (id: string) => eachAt(bookings, 'locationId').filter((one) => one === id).length
  expect([count('5f1d7a3e9b2c4d0012ab34cd'), count('5f1d7a3e9b2c4d0012ab34d1')]).toEqual([7, 7])
  const northern = (await send('GET', '/GiftCards/NORTH-00010000-AAAA')).body
  expect(northern).toMatchObject({ status: 'Active', remainingAmount: 100 })
  expect((await send('GET', '/GiftCards/GIFT1-00000100-AAAA')).body).toMatchObject({ status: 'Active' })
})
