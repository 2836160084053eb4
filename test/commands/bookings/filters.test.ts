import { describe, expect, test } from 'vitest'
import { daysFromNow } from '../../support/dates.ts'
import { needs } from '../../support/needs.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../../support/terminal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, runAt, json, env } = await venueOfThisFile()
const WEEKS = ['bookings', 'list', '--from', daysFromNow(-42), '--to', daysFromNow(42)]
const LATE = ['--from', '2026-12-01', '--to', '2026-12-03']

interface Booking {
  readonly bookingId: string
  readonly serviceName: string | null
  readonly status: { readonly code: string }
  readonly tables: readonly { readonly tableName: string; readonly sectionName: string }[]
  readonly customer?: { readonly firstName: string | null; readonly phone: string | null } | null
}

const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Australia/Sydney', dateStyle: 'short' })

describe('bookings list date flags', () => {
  test("bookings list without dates shows today in the venue's time zone, and its footer shows the day", async () => {
    const table = await run('bookings', 'list')
    expect(table.code).toBe(0)
    expect(table.stderr).toMatch(/ bookings? on \w{3} \d{4}-\d{2}-\d{2} \(Australia\/Sydney\)/)
    const date = today.format(new Date())
    expect(await json('bookings', 'list')).toEqual(await json('bookings', 'list', '--from', date, '--to', date))
  })

  test('bookings list --date selects a whole day and cannot be combined with other date flags', async () => {
    expect(await json('bookings', 'list', '--date', '2026-12-24')).toEqual(
      await json('bookings', 'list', '--from', '2026-12-24'),
    )
    const says = '--date and --from cannot be used together'
    expectRefusal(await run('bookings', 'list', '--date', 'today', '--from', 'today'), { code: 2, says })
  })
})

describe('bookings list footer', () => {
  test.each([
    [['--from', '2026-11-20 18:00'], 'from Fri 2026-11-20 18:00 to 23:59 (Australia/Sydney)'],
    [['--from', '2026-11-20', '--to', '2026-11-21'], 'from Fri 2026-11-20 to Sat 2026-11-21 (Australia/Sydney)'],
    [['--updated-from', '2001-01-01', '--updated-to', '2001-01-01'], 'changed on Mon 2001-01-01 (Australia/Sydney)'],
  ])('the bookings list footer describes the range of %j', async (flags, words) => {
    expect((await run('bookings', 'list', ...flags)).stderr).toContain(` bookings ${words}`)
  })

  describe('bookings list footer at a terminal', () => {
    needs(TERMINAL)

    test('the bookings list footer suggests --include-customer only if guests are hidden', async () => {
      const screenOf = async (...more: string[]) => (await runInTerminal([...WEEKS, ...more], [], env)).screen
      expect(await screenOf('--limit', '3')).toContain('guests: --include-customer')
      expect(await screenOf('--limit', '3', '--include-customer')).not.toContain('--include-customer')
    })
  })

  test('the bookings list footer truncates a long filter', async () =>
    expect((await run('bookings', 'list', '--guest', 'x'.repeat(3000))).stderr).toMatch(/with guest "x{60}…"/))

  test('the bookings list footer says that the list stopped at --limit', async () =>
    expect((await run(...WEEKS, '--limit', '3')).stderr).toMatch(/^3 bookings from .* · stopped at --limit 3/))

  test('sales list describes its range in the footer', async () => {
    const { stderr } = await run('sales', 'list', '--from', '2001-01-01')
    expect(stderr).toBe('No sales on Mon 2001-01-01 (Australia/Sydney).\n')
  })
})

describe('bookings list --guest', () => {
  const guest = [...words('--first-name Zoë --last-name Brønsted --email zb@x.example --phone'), '+61 412 999 888']

  test('bookings list --guest matches names, email addresses and phone numbers, and ignores case, accents and spaces', async () => {
    const made = await json('bookings', 'create', '--people', '2', '--time', '2026-12-02 18:00', ...guest)
    for (const text of ['zoe bronsted', 'BRØNSTED', 'zb@x', '0412999888', '+61 412 999 888']) {
      const found: Booking[] = await json('bookings', 'list', ...LATE, '--guest', text)
      expect([text, found.map(({ bookingId }) => bookingId)]).toEqual([text, [made.bookingId]])
      expect(found[0]?.customer).toMatchObject({ firstName: 'Zoë' })
    }
  })

  test('bookings list --guest filters the list before --limit is applied, in every format', async () => {
    const all: Booking[] = await json(...WEEKS, '--guest', 'a')
    expect(all.length).toBeGreaterThan(20)
    expect(await json(...WEEKS, '--guest', 'a', '--limit', '20')).toEqual(all.slice(0, 20))
    const lines = (await run(...WEEKS, '--guest', 'a', '--limit', '20', '-o', 'ndjson')).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(all.slice(0, 20))
    expect((await run(...WEEKS, '--guest', 'a', '--limit', '20', '-o', 'csv')).stdout).toMatch(/^bookingId,/)
  })

  test('bookings list --guest prints a message to stderr in every format if no guest matches', async () => {
    for (const format of ['table', 'json', 'csv', 'ndjson']) {
      const { code, stderr } = await run(...WEEKS, '--guest', 'nobody at all', '-o', format)
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^No bookings from .* with guest "nobody at all"\.\n$/)])
    }
  })
})

describe('bookings list --status', () => {
  test.each(['FINISHED', 'finished', 'Finished'])(
    'bookings list --status %s finds the finished bookings',
    async (code) => {
      const found: Booking[] = await json(...WEEKS, '--status', code)
      expect(found.length).toBeGreaterThan(50)
      expect(new Set(found.map(({ status }) => status.code))).toEqual(new Set(['FINISHED']))
    },
  )

  test('bookings list refuses an unknown --status (exit code 2) and suggests the nearest status', async () => {
    const refused = await run('bookings', 'list', '--date', '2001-01-01', '--status', 'finishd', '--json')
    expect([refused.code, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('did you mean FINISHED?')
  })

  test('bookings list prints a message and exits with code 0 if a known --status matches no booking', async () =>
    expect(await run('bookings', 'list', '--date', '2001-01-01', '--status', 'no show')).toMatchObject({
      code: 0,
      stderr: 'No bookings on Mon 2001-01-01 (Australia/Sydney) with status "no show".\n',
    }))
})

describe('bookings list --table', () => {
  test('bookings list --table accepts a name, or a section and a name, in upper or lower case', async () => {
    const named: Booking[] = await json(...WEEKS, '--table', 't5')
    expect(named.length).toBeGreaterThan(3)
    for (const { tables } of named) expect(tables.map(({ tableName }) => tableName)).toContain('T5')
    expect(await json(...WEEKS, '--table', 'main dining/T5')).toEqual(named)
    expect(await json(...WEEKS, '--table', 'Bar/T5')).toEqual([])
  })

  test('bookings list --table suggests the nearest table name if no booking is at the named table', async () =>
    expect((await run(...WEEKS, '--table', 'T55')).stderr).toMatch(
      /^No bookings .* with table "T55"\. Did you mean T5\?\n$/,
    ))

  test('bookings list --table suggests a name only if a similar table exists and the named table has no bookings', async () => {
    expect((await run(...WEEKS, '--table', 'T0')).stderr).toMatch(/^No bookings .* with table "T0"\.\n$/)
    const nobody = await run(...WEEKS, '--table', 'T1', '--guest', 'nobody of that name')
    expect(nobody.stderr).toMatch(/^No bookings .* with guest "nobody of that name", table "T1"\.\n$/)
  })
})

describe('bookings list --service', () => {
  test('bookings list --service ignores case and suggests the nearest service name if no booking matches', async () => {
    const named: Booking[] = await json(...WEEKS, '--service', 'Dinner')
    expect(named.length).toBeGreaterThan(50)
    expect(await json(...WEEKS, '--service', 'dinner')).toEqual(named)
    expect((await run(...WEEKS, '--service', 'brunch')).stderr).toContain('Did you mean Weekend Brunch?')
    expect((await run(...WEEKS, '--service', 'diner')).stderr).toContain('with service "diner". Did you mean Dinner?')
  })

  test('bookings list sends --service as typed and makes only one request if it finds bookings', async () => {
    const body = { count: 1, bookings: [{ bookingId: 'B-1', serviceName: 'Dinner' }] }
    const server = await startRawServer([answers(200, body)])
    expect((await runAt(server, 'bookings', 'list', '--service', 'Dinner', '--json')).code).toBe(0)
    expect(server.requests.map(({ target }) => /ServiceName=Dinner/.test(target))).toEqual([true])
  })
})

test.each(['guest', 'status', 'table', 'service'])('bookings list refuses an empty --%s', async (name) => {
  expectRefusal(await run('bookings', 'list', `--${name}`, ' '), { code: 2, says: `--${name} must not be empty` })
})

test('bookings list warns about an ambiguous local time', async () => {
  const { code, stderr } = await run('bookings', 'list', '--from', '2027-04-04 02:30')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^warning: --from: clocks in Australia\/Sydney show 2027-04-04 02:30 twice; the first/)
})
