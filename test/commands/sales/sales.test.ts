import { expect, test } from 'vitest'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, json } = await venueOfThisFile()

/** Creates a booking that no other test in this file uses. */
async function freshBooking(people = '2'): Promise<string> {
  return (await json('bookings', 'create', '--people', people, '--time', '2026-12-01 18:00')).bookingId
}

const ticket = (saleId: string) => ['sales', 'create', '--sale-id', saleId, '--staff-id', 'st-1', '--seats', '2']

test('sales create links a sale to its booking, and sales list shows the sale in currency units', async () => {
  const bookingId = await freshBooking()
  const sent = await json(
    ...ticket('T-1'),
    ...words(`--booking-id ${bookingId} --total-cents 12550 --currency AUD --closed now`),
  )
  expect(sent).toMatchObject({ saleId: 'T-1', bookingId })
  const own = (await json('sales', 'list')).find((sale: { bookingId: string }) => sale.bookingId === bookingId)
  expect(own.saleDetail).toMatchObject({ transactionId: 'T-1', total: 125.5 })
  const { stdout } = await run('sales', 'list')
  for (const pattern of [/TOTAL \(UNITS\)/, /125\.50 .* T-1 /]) expect(stdout).toMatch(pattern)
})

test('sales create exits with code 6 if the sale was already submitted', async () => {
  expect(await run(...ticket('T-2'))).toMatchObject({ code: 0 })
  expectRefusal(await run(...ticket('T-2')), { code: 6, says: 'already been submitted' })
})

test('sales create reports all missing and invalid values together and names their flags', async () => {
  const done = await run('sales', 'create', '--total-cents', '125.50', '--opened', 'soon')
  expect(done.stderr).toMatch(/^error: 6 problems:$/m)
  for (const flag of ['sale-id', 'staff-id', 'seats', 'opened', 'total-cents', 'currency'])
    expect(done.stderr).toMatch(new RegExp(`^ {2}--${flag}[: ]`, 'm'))
  expectRefusal(done, { code: 2, says: 'must be whole cents' })
})

test('sales create prefers flags to --set, --set to --data, and --data to the defaults', async () => {
  const data = { type: 'REFUND', source: { type: 'ONLINE' }, openedZonedDateTime: '2026-11-20T00:00:00Z', status: 'A' }
  const { body } = await json(
    ...[...ticket('T-3'), '--data', JSON.stringify(data), '--set', 'status=B', '--set', 'origin.originalSaleId=T-2'],
    ...['--source', 'KIOSK', '--dry-run'],
  )
  expect(body).toMatchObject({ ...data, status: 'B', source: { type: 'KIOSK' } })
  expect(body.origin).toEqual({ originalSaleId: 'T-2', saleId: 'T-3' })
  const { body: bare } = await json(...ticket('T-3'), '--dry-run')
  expect(bare).toMatchObject({ type: 'SALE', source: { type: 'POS' } })
  expect(Math.abs(Date.parse(bare.openedZonedDateTime) - Date.now())).toBeLessThan(60_000)
})

test('sales create sends every digit of --total-cents, even if a float cannot represent them all', async () => {
  const done = await run(...ticket('T-4'), '--total-cents', '9007199254740993', '--currency', 'AUD', '--dry-run')
  expect(done.stdout).toContain('"amount": 9007199254740993')
})

test('sales create interprets a time without an offset as local time at the venue', async () => {
  const { body } = await json(...ticket('T-5'), '--opened', '2026-12-01 18:00', '--dry-run')
  expect(body.openedZonedDateTime).toBe('2026-12-01T07:00:00.000Z')
})

test('sales create uses the closing time as the opening time if no opening time is given', async () => {
  const sale = async (...args: string[]) => (await json(...ticket('T-6'), '--dry-run', ...args)).body
  const at = { openedZonedDateTime: '2026-11-20T08:00:00.000Z', closedZonedDateTime: '2026-11-20T08:00:00.000Z' }
  expect(await sale('--closed', '2026-11-20T08:00:00Z')).toMatchObject(at)
  expect(await sale('--closed', '2026-11-20 19:00')).toMatchObject(at)
  const closed = '2026-11-20T19:00:00+11:00'
  const stated = { openedZonedDateTime: closed, closedZonedDateTime: closed }
  expect(await sale('--set', `closedZonedDateTime=${closed}`)).toMatchObject(stated)
  expect(await sale('--data', JSON.stringify({ closedZonedDateTime: closed }))).toMatchObject(stated)
})

test('sales create exits with code 2 if the opening time is after the closing time, whether from flags, --set or --data', async () => {
  const says = /opened \S+ is after \S*closed/
  const late = ['--opened', '2026-11-20T10:00:00Z']
  expectRefusal(await run(...ticket('T-7'), ...late, '--closed', '2026-11-20T08:00:00Z'), { code: 2, says })
  const set = ['--set', 'closedZonedDateTime=2026-11-20T20:59:00+11:00']
  expectRefusal(await run(...ticket('T-7'), ...late, ...set), { code: 2, says })
  const data = { openedZonedDateTime: '2026-11-20T10:00:00.001Z', closedZonedDateTime: '2026-11-20T10:00:00Z' }
  expectRefusal(await run(...ticket('T-7'), '--data', JSON.stringify(data)), { code: 2, says })
  // 19:00 at the venue is 08:00 UTC, so the opening time is half an hour after the closing time.
  const mixed = ['--opened', '2026-11-20T08:30:00Z', '--closed', '2026-11-20 19:00']
  expectRefusal(await run(...ticket('T-7'), ...mixed), { code: 2, says })
  const refused = await run(...ticket('T-7'), '--opened', '2026-11-20 23:59', '--closed', '2026-11-20 19:00')
  expectRefusal(refused, { code: 2, says: '--opened "2026-11-20 23:59" is after --closed "2026-11-20 19:00"' })
  const same = [...late, '--closed', '2026-11-20T10:00:00Z', '--dry-run']
  expect(await run(...ticket('T-7'), ...same)).toMatchObject({ code: 0 })
  const anyway = [...late, '--closed', '2026-11-20T08:00:00Z', '--no-validate', '--dry-run']
  expect(await run(...ticket('T-7'), ...anyway)).toMatchObject({ code: 0 })
})

test('sales create sends a sale without a booking or a table, but warns about it', async () => {
  const warning = /^warning: .*--booking-id.*--table-number/m
  expect(await run(...ticket('T-8'))).toMatchObject({ code: 0, stderr: expect.stringMatching(warning) })
  const empty = ['--data', '{"bookingId":"","table":{"number":""}}', '--dry-run']
  expect((await run(...ticket('T-9'), ...empty)).stderr).toMatch(warning)
  for (const linked of [
    ['--booking-id', 'BK-1001'],
    ['--table-number', '4'],
    ['--set', 'bookingId=BK-1001'],
    ['--set', 'table.number="4"'],
    ['--data', '{"table":{"number":"4"}}'],
  ])
    expect((await run(...ticket('T-9'), ...linked, '--dry-run')).stderr).not.toMatch(/warning/)
})

test('sales list rejects --to without --from', async () =>
  expectRefusal(await run('sales', 'list', '--to', 'today'), { code: 2, says: '--to needs --from' }))
