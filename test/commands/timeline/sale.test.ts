import { expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { answers } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'
import { booking, delivered, sale, startTimelineVenue } from './timeline-venue.ts'

const NOVEMBER = ['--from', '2026-11-01', '--to', '2026-11-30']

test("timeline sale shows a sale, its booking, and that booking's deliveries and copies", async () => {
  const known = await startTimelineVenue()
  known.bookings = [booking('BK-1', '2026-11-20T10:31:00Z', 'FINISHED')]
  known.sales = [sale('S-2', 'BK-2'), sale('S-1', 'BK-1', { actualStartTime: '2026-11-20T08:05:00Z', tipAmount: 5 })]
  const copy = known.file('b.ndjson', [booking('BK-1', '2026-11-20T08:05:00Z', 'SEATED')])
  const journal = known.file('hooks.ndjson', [delivered('BOOKING_UPDATED', 'BK-1', '2026-11-20T10:31:01Z')])
  const entries = await known.entries('sale', 'S-1', ...NOVEMBER, '--copy', copy, '--journal', journal)
  expect(entries.map(({ kind, subject, text }) => [kind, subject, text])).toEqual([
    ['booked', 'BK-1', 'booked (online)'],
    ['booking-time', 'BK-1', 'time of the booking: 4 people, Dinner, T1, 90 minutes'],
    ['version', 'BK-1', 'first known version: SEATED, 4 people, 2026-11-20 19:00, Dinner, T1'],
    ['sale-opened', 'S-1', 'sale S-1 opened'],
    ['sale', 'S-1', 'sale S-1 closed: 120.50, tip 5.00, booking BK-1'],
    ['version', 'BK-1', 'status SEATED → FINISHED (current)'],
    ['delivery', 'BK-1', 'BOOKING_UPDATED arrived'],
  ])
  expect(entries.filter(({ oddity }) => oddity !== null)).toEqual([])
})

test.each([
  ['without a booking', [sale('S-1', null)], 'sale without a booking'],
  [
    'on a booking that no longer exists',
    [sale('S-1', 'BK-9')],
    'sale without a booking: the service has no booking BK-9',
  ],
  [
    'that is listed twice with different totals',
    [sale('S-1', 'BK-1'), sale('S-1', 'BK-1', { total: 99 })],
    'two sales with the same ID: another has a total of 99.00',
  ],
  [
    'that was closed before its booking was made',
    [sale('S-1', 'BK-1', { transactionDateTime: '2026-11-17T00:00:00Z' })],
    'closed before its booking was made',
  ],
  [
    'for which more was paid than was due',
    [sale('S-1', 'BK-1', { payments: [12000, 1000].map((amount) => ({ goodsAndServicesAmount: { amount } })) })],
    'more was paid than was due: 130.00 for 120.50',
  ],
])('timeline sale marks a sale %s as odd', async (_what, sales, oddity) => {
  const known = await startTimelineVenue()
  known.bookings = [booking('BK-1', '2026-11-18T01:00:00Z', 'CONFIRMED')]
  known.sales = sales
  expect((await known.entries('sale', 'S-1', ...NOVEMBER)).find(({ kind }) => kind === 'sale')?.oddity).toBe(oddity)
})

test('timeline sale exits with code 3 and names the period searched if the service does not list the sale', async () => {
  const known = await startTimelineVenue()
  known.sales = [sale('S-2', 'BK-2')]
  const says =
    'the service lists no sale "S-1" that was closed from Sun 2026-11-01 to Mon 2026-11-30 (Australia/Sydney)'
  const next = 'search a different period: --from TIME --to TIME'
  expectRefusal(await known.run('sale', 'S-1', ...NOVEMBER), { code: 3, says, next })
  const run = await known.run('sale', 'S-1', '--copy', known.file('s.ndjson', [sale('S-1', 'BK-1')]))
  expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('sale S-1 closed') })
  // The search covers the day before and the day after the closing time in the copy.
  expect(run.stderr).toContain('closed from Thu 2026-11-19 21:30 to Sat 2026-11-21 21:30')
})

test("the timelines of a sale and its booking show this machine's attempt to create the sale", async () => {
  const known = await startTimelineVenue(({ method }) => (method === 'POST' ? answers(503) : undefined))
  const line = words('sales create --sale-id S-1 --staff-id a --seats 2 --booking-id BK-1 --total-cents 12050')
  const opened = ['--currency', 'AUD', '--opened', '2026-11-20T08:00:00Z', '--retries', '0']
  const sent = await runPartner([...line, ...opened], { env: known.env })
  expect(sent, sent.stderr).toMatchObject({ code: 9 })
  known.bookings = [booking('BK-1', '2026-11-18T01:00:00Z', 'CONFIRMED')]
  for (const [topic, id] of [
    ['sale', 'S-1'],
    ['booking', 'BK-1'],
  ] as const) {
    const operation = (await known.entries(topic, id)).find(({ kind }) => kind === 'operation')
    expect(operation).toMatchObject({
      subject: 'S-1',
      oddity: expect.stringContaining('outcome unknown: partner operations resolve op_'),
    })
    expect(operation?.text).toBe('sales create of 120.50 sent by this machine, sale S-1, booking BK-1')
  }
})

test('timeline sale finds a sale in the sandbox without --from and --to', async () => {
  const env = { ...(await startTimelineVenue()).env, PARTNER_BASE_URL: undefined, PARTNER_API_KEY: undefined }
  const run = await runPartner(words('timeline sale S-1001 -p sandbox --json'), { env })
  expect(run, run.stderr).toMatchObject({ code: 0 })
  const expected = { kind: 'sale', subject: 'S-1001', oddity: null }
  expect(JSON.parse(run.stdout)).toContainEqual(expect.objectContaining(expected))
})
