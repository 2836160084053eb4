import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { TABLES } from '../../src/sync/tables/all.ts'
import { isVenueOpen } from '../support/dates.ts'
import { freshDirectory, ROOT } from '../support/partner.ts'
import { venueOfThisFile } from '../support/venue.ts'

const PAGE = readFileSync(join(ROOT, 'docs', 'database.md'), 'utf8')
const venue = await venueOfThisFile()

interface Listed {
  readonly bookingId: string
  readonly bookingTime: string
  readonly people: number
  readonly serviceName: string
  readonly lastModifiedDate: string
  readonly status: { readonly code: string }
  readonly customer?: Readonly<Record<'lastName' | 'company' | 'phone', string | null>>
}

function queryUnder(heading: string): string {
  return /```sql\n([\s\S]*?)```/.exec(PAGE.split(`**${heading}**`)[1] ?? '')?.[1] ?? ''
}

const format = new Intl.DateTimeFormat('sv', { timeZone: 'Australia/Sydney' })
const [today = '', tomorrow = '', monthAgo = '', weekAgo = ''] = [0, 1, -30, -7].map((days) =>
  format.format(Date.now() + days * 86_400_000),
)

const DAYS = new Map([
  ['2026-11-22', today],
  ['2026-11-23', tomorrow],
  ['2026-10-01', monthAgo],
  ['2026-11-01', weekAgo],
])

/** Replace all dates in one pass, because a new date may be equal to another date on the page. */
const withDays = (sql: string) => sql.replace(/(?<=')\d{4}-\d\d-\d\d(?=')/g, (day) => DAYS.get(day) ?? day)

async function synced(path: string, ...resources: readonly string[]): Promise<void> {
  for (const resource of resources) {
    const more = resource === 'bookings' ? ['--include-customer'] : []
    const done = await venue.run(resource, 'sync', '--to', path, '--source', 'venue', ...more)
    expect(done, done.stderr).toMatchObject({ code: 0, stdout: '' })
  }
}

async function freshCopy(...resources: readonly string[]) {
  const path = join(freshDirectory(), 'venue.db')
  await synced(path, ...resources)
  const database = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => database.close())
  return { path, ask: (sql: string) => Array.from(database.prepare(sql).all(), (row) => ({ ...row })) }
}

const bookings = (...args: readonly string[]): Promise<Listed[]> => venue.json('bookings', 'list', ...args)
const between = (first: string, next: string) => (booking: Listed) =>
  booking.bookingTime >= first && booking.bookingTime < next

test("the query for tonight's covers by service returns the same numbers as bookings list", async () => {
  const { ask } = await freshCopy('bookings')
  const all = await bookings('--date', today)
  const listed = all.filter(({ status }) => !['CANCELLED', 'NOSHOW'].includes(status.code))
  const covers: Record<string, { bookings: number; covers: number }> = {}
  for (const { serviceName, people } of listed) {
    const sum = covers[serviceName] ?? { bookings: 0, covers: 0 }
    covers[serviceName] = { bookings: sum.bookings + 1, covers: sum.covers + people }
  }
  if (isVenueOpen()) expect(listed.length).toBeGreaterThan(2)
  const found = ask(withDays(queryUnder('Covers tonight, by service')))
  const rows = found.map(({ service_name, bookings, covers }) => [service_name, { bookings, covers }])
  expect(Object.fromEntries(rows)).toEqual(covers)
})

test('the query for no-shows returns the same bookings and guests as bookings list', async () => {
  const { ask } = await freshCopy('bookings')
  const listed = await bookings('--from', '-40d', '--to', 'today', '--status', 'NOSHOW', '--include-customer')
  const expected = listed.filter(between(monthAgo, weekAgo))
  expect(expected.length).toBeGreaterThan(2)
  const found = ask(withDays(queryUnder('No-shows last month')))
  const byId = (list: readonly (readonly unknown[])[]) =>
    [...list].sort(([a], [b]) => String(a).localeCompare(String(b)))
  const columns = ['id', 'booking_time', 'people', 'customer_last_name', 'customer_phone']
  const listedAs = ({ bookingId, bookingTime, people, customer }: Listed) =>
    [bookingId, bookingTime, people, customer?.lastName, customer?.phone] as const
  expect(byId(found.map((row) => columns.map((column) => row[column])))).toEqual(byId(expected.map(listedAs)))
})

test('the query for seated guests without a sale returns the same bookings as sales list', async () => {
  const { ask } = await freshCopy('bookings', 'sales')
  const sales: readonly { bookingId: string }[] = await venue.json('sales', 'list', '--from', '-60d', '--to', '+1d')
  const sold = new Set(sales.map(({ bookingId }) => bookingId))
  const seated = (await bookings('--from', '-40d', '--to', 'today'))
    .filter(between(monthAgo, weekAgo))
    .filter(({ status }) => ['SEATED', 'FINISHED'].includes(status.code))
  const expected = seated.filter(({ bookingId }) => !sold.has(bookingId)).map(({ bookingId }) => bookingId)
  expect(expected.length).toBeGreaterThan(2)
  expect(expected.length).toBeLessThan(seated.length)
  const found = ask(withDays(queryUnder('Seated without a sale'))).map(({ id }) => id)
  expect(found.sort()).toEqual(expected.sort())
})

test('the query for recent changes returns the same bookings as bookings list --updated-from', async () => {
  const { ask } = await freshCopy('bookings')
  const since = new Date(Date.now() - 7 * 86_400_000).toISOString()
  const listed = await bookings('--updated-from', since)
  expect(listed.length).toBeGreaterThan(5)
  const found = ask(queryUnder('Changed since').replace('2026-11-21T00:00:00.000Z', since))
  expect(found.map(({ id, last_modified }) => [id, last_modified]).sort()).toEqual(
    listed.map(({ bookingId, lastModifiedDate }) => [bookingId, lastModifiedDate]).sort(),
  )
})

test('the gift card queries return the redemptions between two snapshots and the balances in one snapshot', async () => {
  const { path, ask } = await freshCopy('giftcards')
  const everyCard = ['giftcards', 'list', '--include-cancelled', '--include-redeemed', '--include-expired'] as const
  const cents = (cards: readonly { remainingAmount: number }[]) =>
    cards.reduce((sum, { remainingAmount }) => sum + Math.round(remainingAmount * 100), 0)
  const before = await venue.json(...everyCard)
  const taken = () => String(ask('SELECT max(taken_at) AS at FROM gift_card_snapshots')[0]?.['at'])
  const first = taken()
  await venue.json('giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '10.25')
  await synced(path, 'giftcards')
  await venue.json('giftcards', 'redeem', 'GIFT2-00005025-AAAA', '--amount', '5')
  await venue.json('giftcards', 'redeem', 'GIFT1-00000100-AAAA', '--amount', '100')
  await synced(path, 'giftcards')
  const last = taken()
  const sql = queryUnder('Gift card movements between two days')
  const found = ask(sql.replace('2026-11-21T00:00:00.000Z', first).replace('2026-11-22T00:00:00.000Z', last))
  expect(found.map(({ id, movement_cents, changes }) => [id, movement_cents, changes])).toEqual([
    ['GIFT1-00000100-AAAA', -10_000, 1],
    ['GIFT2-00005025-AAAA', -1525, 2],
  ])
  const after = await venue.json(...everyCard)
  const standing = (at: string) =>
    ask(queryUnder('Balance of all cards at a given time').replace('2026-11-22T00:00:00.000Z', at))
  expect(standing(first)).toEqual([{ source: 'venue', cards: before.length, remaining_cents: cents(before) }])
  expect(standing(last)).toEqual([{ source: 'venue', cards: after.length, remaining_cents: cents(after) }])
})

test('the raw column contains every member that has no column of its own', async () => {
  const { ask } = await freshCopy('bookings')
  const expected = (await bookings('--from', '-60d', '--to', '+60d', '--include-customer')).flatMap(
    ({ bookingId, customer }) => (customer?.company ? [[bookingId, customer.company]] : []),
  )
  expect(expected.length).toBeGreaterThan(0)
  const found = ask(queryUnder('Values without a column'))
  expect(found.map(({ id, company }) => [id, company]).sort()).toEqual(expected.sort())
})

test('every query in docs/database.md runs without an error', async () => {
  const { ask } = await freshCopy('bookings', 'customers', 'sales', 'giftcards')
  const queries = [...PAGE.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = '']) => sql)
  expect(queries.length).toBeGreaterThan(8)
  for (const sql of queries) expect(() => ask(sql), sql).not.toThrow()
  expect(ask(queryUnder('How current each copy is'))).toHaveLength(4)
})

test('docs/database.md lists exactly the existing tables and columns', () => {
  for (const { name, columns } of TABLES) {
    expect(PAGE, name).toContain(name)
    for (const column of columns) expect(PAGE, `${name}.${column.name}`).toContain(`\`${column.name}\``)
  }
  const known = new Set(TABLES.flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)]))
  const tables = PAGE.slice(PAGE.indexOf('\n### bookings'), PAGE.indexOf('\n## The SQLite file'))
  const named = [...tables.matchAll(/`([a-z0-9]+_[a-z0-9_]+)`/g)].map(([, name = '']) => name)
  expect(named.filter((name) => !known.has(name))).toEqual([])
})
