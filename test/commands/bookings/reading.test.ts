import { describe, expect, test } from 'vitest'
import { daysFromNow, IN_A_WEEK } from '../../support/dates.ts'
import { runPartner } from '../../support/partner.ts'
import { expectClean, expectRefusal } from '../../support/refusal.ts'
import { startSharedSandbox } from '../../support/sandbox-process.ts'
import { words } from '../../support/words.ts'

const sandbox = await startSharedSandbox()
const env = { ...sandbox.env, PARTNER_TIMEZONE: 'Australia/Sydney' }
const WEEKS = ['bookings', 'list', '--from', daysFromNow(-42), '--to', daysFromNow(42)]

interface Booking {
  readonly bookingId: string
  readonly bookingTime: string
  readonly lastModifiedDate: string
  readonly serviceName: string | null
  readonly customer?: { readonly lastName: string | null } | null
  readonly status: { readonly code: string; readonly name: string }
}

async function printed(...args: string[]): Promise<string> {
  const run = await runPartner(args, { env })
  expect(run.code, run.stderr).toBe(0)
  expectClean(run)
  return run.stdout
}

async function bookings(...args: string[]): Promise<Booking[]> {
  return JSON.parse(await printed(...args, '--json')) as Booking[]
}

describe('bookings list', () => {
  test('bookings list prints the same objects as a JSON array and as NDJSON lines', async () => {
    const all = await bookings(...WEEKS)
    expect(all.length).toBeGreaterThan(300)
    const lines = (await printed(...WEEKS, '-o', 'ndjson')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(all)
  })

  test('bookings list --updated-from lists only bookings that changed after the given time', async () => {
    const since = Date.now() - 24 * 3_600_000
    const changed = await bookings('bookings', 'list', '--updated-from', '24h')
    expect(changed.length).toBeGreaterThan(0)
    for (const { lastModifiedDate } of changed) expect(Date.parse(lastModifiedDate)).toBeGreaterThan(since - 60_000)
  })

  test("bookings list --from with a date lists that day in the profile's time zone", async () => {
    const day = (await bookings(...WEEKS))[100]?.bookingTime.slice(0, 10) ?? ''
    const found = await bookings('bookings', 'list', '--from', day)
    expect(found.length).toBeGreaterThan(0)
    for (const { bookingTime } of found) expect(bookingTime.slice(0, 10)).toBe(day)
  })

  test('bookings list prints the same bookings with and without --window', async () =>
    expect(await bookings(...WEEKS, '--window', '9d')).toEqual(await bookings(...WEEKS)))

  test('bookings list stops at --limit, even with --window', async () => {
    const whole = await bookings(...WEEKS)
    expect(await bookings(...WEEKS, '--limit', '7')).toEqual(whole.slice(0, 7))
    expect(await bookings(...WEEKS, '--window', '1d', '--limit', '40')).toEqual(whole.slice(0, 40))
  })

  test('bookings list includes guests only with --include-customer', async () => {
    const [without] = await bookings(...WEEKS, '--limit', '1')
    expect(without).not.toHaveProperty('customer')
    const withGuests = await bookings(...WEEKS, '--include-customer')
    expect(withGuests.filter(({ customer }) => customer?.lastName).length).toBeGreaterThan(100)
  })

  test('bookings list --exclude-cancelled omits cancelled bookings, and --service omits bookings in other services', async () => {
    const kept = await bookings(...WEEKS, '--exclude-cancelled', '--service', 'Dinner')
    expect(kept.length).toBeGreaterThan(50)
    expect(new Set(kept.map(({ serviceName }) => serviceName))).toEqual(new Set(['Dinner']))
    expect(kept.some(({ status }) => status.code === 'CANCELLED')).toBe(false)
    expect((await bookings(...WEEKS)).some(({ status }) => status.code === 'CANCELLED')).toBe(true)
  })

  test('bookings list shows a table with a header, and one line per booking that includes the name of its status', async () => {
    const rows = (await printed(...WEEKS, '--limit', '20')).trimEnd().split('\n')
    expect(rows).toHaveLength(21)
    expect(rows[0]).toMatch(/^TIME +GUEST +PAX +STATUS /)
    expect(rows.slice(1).join('\n')).toMatch(/Finished|Cancelled|No show/)
  })

  test('bookings list -o csv has a header, LF line endings, and the requested columns in order', async () => {
    const csv = await printed(...WEEKS, '--limit', '3', '-o', 'csv', '--columns', 'people,bookingId,status.name')
    expect(csv).toMatch(/^people,bookingId,status\.name\n(\d+,BK-\d+,[^\n]+\n){3}$/)
  })

  test('bookings list --json --columns keeps the column names as typed', async () => {
    const [first] = JSON.parse(
      await printed(...WEEKS, '--limit', '1', '--json', '--columns', 'status.code,bookingId'),
    ) as object[]
    expect(Object.keys(first ?? {})).toEqual(['status.code', 'bookingId'])
  })

  test('if no booking matches, bookings list prints [] as JSON, nothing as NDJSON, a header as CSV, and otherwise a message', async () => {
    const none = ['bookings', 'list', '--from', '2001-01-01']
    expect(await bookings(...none)).toEqual([])
    expect(await printed(...none, '-o', 'ndjson')).toBe('')
    expect(await printed(...none, '-o', 'csv')).toMatch(/^bookingId,.*\n$/)
    const table = await runPartner(none, { env })
    expect([table.code, table.stdout]).toEqual([0, ''])
    expect(table.stderr).toMatch(/^No bookings/)
  })

  test('bookings list -v logs the resolved window', async () => {
    const run = await runPartner(['bookings', 'list', '--from', '2026-11-20', '-o', 'ndjson', '-v'], { env })
    expect(run.stderr).toContain('window: booking from 2026-11-19T13:00:00.000Z to 2026-11-20T12:59:59.999Z')
    expect(run.stderr).toMatch(/GET http:\S+\/Bookings\?StartDate=2026-11-19T13%3A00%3A00\.000Z&EndDate=\S+ 200 \d+ ms/)
  })

  test('bookings list passes --param to the service unchanged', async () => {
    const list = ['bookings', 'list', '--from', 'today', '--param', 'X-Extra=a b&c', '--dry-run']
    const run = await runPartner(list, { env })
    expect(run.stdout).toContain('&X-Extra=a%20b%26c\n')
  })
})

describe('bookings get', () => {
  test("bookings get prints the service's JSON with --json, and a summary otherwise", async () => {
    const [first] = await bookings(...WEEKS, '--include-customer', '--limit', '1')
    const id = first?.bookingId ?? ''
    expect(JSON.parse(await printed('bookings', 'get', id, '--json'))).toEqual(first)
    const card = await printed('bookings', 'get', id)
    expect(card).toContain(id)
    expect(card).toContain(first?.status.name)
  })

  test('bookings get exits with code 3 if the booking does not exist', async () => {
    const run = await runPartner(['bookings', 'get', 'BK-1'], { env })
    expectRefusal(run, { code: 3, says: "Booking 'BK-1' not found.", next: /check the ID/ })
    expect(run.stderr).toContain('request: GET /Bookings/BK-1 · status 404 · 1 attempt')
  })
})

describe('bookings statuses', () => {
  test("bookings statuses lists the venue's codes", async () => {
    const statuses = (await bookings('bookings', 'statuses')) as unknown as { code: string }[]
    expect(statuses.map(({ code }) => code)).toContain('CONFIRMED')
    const table = await printed('bookings', 'statuses')
    for (const { code } of statuses) expect(table).toContain(code)
  })
})

describe('bookings schedule', () => {
  test('bookings schedule shows services, times and sections with the IDs that a reservation needs', async () => {
    const [day] = JSON.parse(await printed('bookings', 'schedule', '--date', IN_A_WEEK, '--people', '2', '--json'))
    expect(day).toMatchObject({ isVenueOpen: true })
    expect(day.services[0].times[0].sections[0]).toHaveProperty('sectionState')
    const table = await printed('bookings', 'schedule', '--date', IN_A_WEEK, '--people', '2')
    expect(table).toMatch(/Dinner .*\d\d:\d\d .*svc-dinner/)
  })

  test('bookings schedule -o csv prints one row per time', async () => {
    const args = words(`bookings schedule --date ${IN_A_WEEK} --people 2 -o csv --columns time,state,serviceId`)
    const rows = (await printed(...args)).trimEnd().split('\n')
    expect(rows[0]).toBe('time,state,serviceId')
    expect(rows.length).toBeGreaterThan(20)
    expect(rows[1]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,free,svc-/)
  })

  test('bookings schedule with --from and --to shows only times in that range', async () => {
    const range = ['--from', `${IN_A_WEEK} 18:00`, '--to', `${IN_A_WEEK} 19:00`]
    const [day] = JSON.parse(await printed('bookings', 'schedule', ...range, '--people', '2', '--json'))
    const names = day.services.flatMap((service: { times: { name: string }[] }) =>
      service.times.map(({ name }) => name),
    )
    expect(new Set(names)).toEqual(new Set(['6:00 PM', '6:15 PM', '6:30 PM', '6:45 PM', '7:00 PM']))
  })

  test('bookings schedule shows why the venue is closed on a day', async () =>
    expect(await printed('bookings', 'schedule', '--date', '2027-12-25', '--people', '2')).toContain(
      'Closed on Christmas Day',
    ))
})

test('after --, bookings get accepts an ID that starts with a hyphen', async () => {
  const run = await runPartner(['bookings', 'get', '--', '-1'], { env })
  expectRefusal(run, { code: 3, says: "Booking '-1' not found." })
})
