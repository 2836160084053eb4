import { describe, expect, test } from 'vitest'
import { runPartner } from '../../support/partner.ts'
import { answers } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { schemaViolations } from '../../support/schema-violations.ts'
import { booking, delivered, sale, startTimelineVenue } from './timeline-venue.ts'

const texts = (entries: readonly { readonly text: string }[]) => entries.map(({ text }) => text)
const FIRST = 'first known version: CONFIRMED, 4 people, 2026-11-20 19:00, Dinner, T1'
const NOW = 'status ARRIVED → SEATED; people 4 → 5 (current)'
const MADE = '2026-11-18T01:00:00.000Z'

describe('timeline booking', () => {
  test('timeline booking lists versions, sales and deliveries in chronological order, each with its source', async () => {
    const known = await startTimelineVenue()
    known.bookings = [booking('BK-1', '2026-11-20T09:00:00Z', 'SEATED', { people: 5 })]
    known.sales = [sale('S-1', 'BK-1'), sale('S-2', 'BK-2')]
    const copy = known.file('b.ndjson', [
      booking('BK-2', MADE, 'CONFIRMED'),
      booking('BK-1', MADE, 'CONFIRMED'),
      booking('BK-1', '2026-11-20T08:30:00Z', 'ARRIVED'),
      booking('BK-1', '2026-11-20T09:00:00Z', 'SEATED', { people: 5 }),
    ])
    const journal = known.file('hooks.ndjson', [
      delivered('BOOKING_UPDATED', 'BK-2', '2026-11-20T08:00:01Z'),
      delivered('BOOKING_UPDATED', 'BK-1', '2026-11-20T08:30:01Z'),
    ])
    const entries = await known.entries('booking', 'BK-1', '--copy', copy, '--journal', journal)
    expect(entries.map(({ at, kind, source, where, text }) => [at.slice(0, 19), kind, source, where, text])).toEqual([
      ['2026-11-18T01:00:00', 'booked', 'service', null, 'booked (online)'],
      ['2026-11-18T01:00:00', 'version', 'copy', 'b.ndjson:2', FIRST],
      ['2026-11-20T08:00:00', 'booking-time', 'service', null, 'time of the booking: 5 people, Dinner, T1, 90 minutes'],
      ['2026-11-20T08:30:00', 'version', 'copy', 'b.ndjson:3', 'status CONFIRMED → ARRIVED'],
      ['2026-11-20T08:30:01', 'delivery', 'journal', 'hooks.ndjson:2', 'BOOKING_UPDATED arrived'],
      ['2026-11-20T09:00:00', 'version', 'service', 'b.ndjson:4', NOW],
      ['2026-11-20T10:30:00', 'sale', 'service', null, 'sale S-1 closed: 120.50, booking BK-1'],
    ])
    expect(entries.map(({ oddity }) => oddity)).toEqual(entries.map(() => null))
    const expected = { at: '2026-11-20T10:30:00.000Z', local: '2026-11-20 21:30:00', future: false }
    expect(entries.at(-1)).toMatchObject(expected)
  })

  test('timeline booking reports the period that it searches, which defaults to the days around the booking', async () => {
    const known = await startTimelineVenue()
    known.bookings = [booking('BK-1', MADE, 'CONFIRMED')]
    expect((await known.run('booking', 'BK-1')).stderr).toBe(
      'searched for sales closed from Thu 2026-11-19 19:00 to Sun 2026-11-22 19:00 (Australia/Sydney)\n',
    )
    await known.run('booking', 'BK-1', '--from', '2026-11-01', '--to', '2026-11-02')
    const asked = known.server.requests.filter(({ target }) => target.startsWith('/Sales')).map(({ target }) => target)
    expect(asked[0]).toMatch(/StartDate=2026-11-19T08%3A00%3A00.000Z&EndDate=2026-11-22T08%3A00%3A00.000Z/)
    expect(asked.at(-1)).toMatch(/StartDate=2026-10-31T13%3A00%3A00.000Z&EndDate=2026-11-02T12%3A59%3A59.999Z/)
  })

  test('timeline booking says how far in the future a booking is', async () => {
    const known = await startTimelineVenue()
    known.bookings = [booking('BK-1', MADE, 'CONFIRMED', { bookingTime: '2999-01-01T19:00:00' })]
    const [last] = (await known.entries('booking', 'BK-1')).slice(-1)
    expect(last).toMatchObject({ kind: 'booking-time', future: true, at: '2999-01-01T08:00:00.000Z' })
    expect((await known.run('booking', 'BK-1')).stdout).toMatch(/time of the booking: .* \(in \d+ days\)/)
  })

  test('timeline booking reads the newest version of a booking from both CSV and database copies', async () => {
    const known = await startTimelineVenue(({ target }) =>
      target.startsWith('/Bookings?') ? answers(200, { count: 1, bookings: known.bookings }) : undefined,
    )
    known.bookings = [booking('BK-1', MADE, 'CONFIRMED')]
    for (const name of ['b.csv', 'b.db']) {
      const args = ['bookings', 'sync', '--to', name, '--source', 'city', '--since', '2026-11-01']
      expect(await runPartner(args, { env: known.env, cwd: known.directory })).toMatchObject({ code: 0 })
    }
    known.bookings = [booking('BK-1', '2026-11-19T01:00:00Z', 'CANCELLED')]
    const entries = await known.entries('booking', 'BK-1', '--copy', 'b.csv', '--copy', 'b.db', '--source', 'city')
    expect(entries.filter(({ kind }) => kind === 'version')).toMatchObject([
      { where: 'b.csv:2, b.db', source: 'copy' },
      { where: null, text: 'status CONFIRMED → CANCELLED (current)' },
    ])
    const other = await known.run('booking', 'BK-1', '--copy', 'b.db', '--source', 'other')
    expectRefusal(other, { code: 2, says: '--copy b.db has no bookings or sales of other', next: '--source NAME' })
  })
})

test('timeline booking reads times as UTC and says so if no time zone is configured', async () => {
  const known = await startTimelineVenue()
  known.bookings = [booking('BK-1', MADE, 'CONFIRMED')]
  const env = { ...known.env, PARTNER_TIMEZONE: undefined }
  const run = await runPartner(['timeline', 'booking', 'BK-1', '--json'], { env })
  const time = JSON.parse(run.stdout).find(({ kind }: { kind: string }) => kind === 'booking-time')
  expect(time).toMatchObject({ at: '2026-11-20T19:00:00.000Z', local: null })
  expect(schemaViolations('timeline booking', run.stdout)).toEqual([])
  expect(run.stderr).toContain("no timezone is set: the venue's local times are read as UTC")
})

describe("oddities in a booking's timeline", () => {
  test('timeline booking marks a return to an earlier status, or a status after a cancellation, as odd', async () => {
    const known = await startTimelineVenue()
    const copy = known.file('b.ndjson', [
      booking('BK-1', '2026-11-18T01:00:00Z', 'CONFIRMED'),
      booking('BK-1', '2026-11-18T02:00:00Z', 'SEATED'),
      booking('BK-1', '2026-11-18T03:00:00Z', 'CONFIRMED'),
      booking('BK-1', '2026-11-18T04:00:00Z', 'CANCELLED'),
    ])
    known.bookings = [booking('BK-1', '2026-11-18T05:00:00Z', 'ARRIVED')]
    const odd = (await known.entries('booking', 'BK-1', '--copy', copy)).filter(({ oddity }) => oddity !== null)
    expect(odd.map(({ at, oddity }) => [at.slice(11, 13), oddity])).toEqual([
      ['03', 'the status went back to CONFIRMED'],
      ['05', 'its status changed after it was cancelled'],
    ])
    const { stderr, code } = await known.run('booking', 'BK-1', '--copy', copy)
    expect(code).toBe(0)
    expect(stderr).toContain('odd: BK-1, 2026-11-18 14:00:00: the status went back to CONFIRMED')
  })

  test('timeline booking marks a booking as odd if more was paid than was due', async () => {
    const known = await startTimelineVenue()
    const paid = (amount: number, amountDue: number, amountPaid: number) =>
      booking('BK-1', MADE, 'CONFIRMED', {
        paymentSummary: { amount, amountDue, amountPaid, currencyCode: 'AUD', paymentDate: '2026-11-18T02:00:00Z' },
      })
    const odd = async (record: ReturnType<typeof paid>) => {
      known.bookings = [record]
      return (await known.entries('booking', 'BK-1')).find(({ kind }) => kind === 'payment')
    }
    const expected = { text: 'paid AUD 250.00 of 200.00, 0.00 due', oddity: 'more was paid than was due' }
    expect(await odd(paid(200, 0, 250))).toMatchObject(expected)
    expect(await odd(paid(200, -50, 250))).toMatchObject({ oddity: 'more was paid than was due' })
    expect(await odd(paid(200, 200, 200))).toMatchObject({ oddity: null })
    expect(await odd(paid(200, 160, 40))).toMatchObject({ oddity: null })
  })

  test('timeline booking marks a sale as odd if it is linked to two bookings or to a cancelled booking', async () => {
    const known = await startTimelineVenue()
    known.bookings = [booking('BK-1', '2026-11-19T01:00:00Z', 'CANCELLED')]
    known.sales = [sale('S-1', 'BK-1'), sale('S-1', 'BK-2')]
    const sales = (await known.entries('booking', 'BK-1')).filter(({ kind }) => kind === 'sale')
    expect(sales.map(({ oddity }) => oddity)).toEqual([
      'two sales with the same ID: another is linked to BK-2; its booking is CANCELLED',
      'two sales with the same ID: another is linked to BK-1',
    ])
  })

  test('timeline booking marks a delivery as odd if it is a duplicate, out of order or for another venue', async () => {
    const known = await startTimelineVenue()
    known.bookings = [booking('BK-1', MADE, 'CONFIRMED')]
    const journal = known.file('hooks.ndjson', [
      delivered('BOOKING_UPDATED', 'BK-1', '2026-11-18T02:00:00Z'),
      delivered('BOOKING_UPDATED', 'BK-1', '2026-11-18T02:00:01Z', { verdict: 'duplicate' }),
      delivered('BOOKING_CREATED', 'BK-1', '2026-11-18T02:00:02Z', { verdict: 'stale' }),
      delivered('BOOKING_UPDATED', 'BK-1', '2026-11-18T02:00:03Z', { locationId: 'venue-2' }),
    ])
    const entries = await known.entries('booking', 'BK-1', '--journal', journal)
    expect(entries.flatMap(({ kind, oddity }) => (kind === 'delivery' ? [oddity] : []))).toEqual([
      null,
      'the same event arrived shortly before',
      'the creation event arrived after another event for the same record',
      'it is for another venue: venue-2',
    ])
  })
})

describe('timeline booking exit codes', () => {
  test('timeline booking exits with code 3 and prints nothing if no source has the booking', async () => {
    const known = await startTimelineVenue()
    const journal = known.file('hooks.ndjson', [delivered('BOOKING_UPDATED', 'BK-2', MADE)])
    const says = "error: Booking 'BK-1' not found."
    const next = "this machine's operations and the journal do not have it either"
    expectRefusal(await known.run('booking', 'BK-1', '--journal', journal), { code: 3, says, next })
  })

  test('timeline booking shows a booking that exists only in a copy, but exits with code 3', async () => {
    const known = await startTimelineVenue()
    const copy = known.file('b.ndjson', [booking('BK-1', MADE, 'CONFIRMED')])
    const run = await known.run('booking', 'BK-1', '--copy', copy, '--json')
    expect(run.code).toBe(3)
    expect(texts(JSON.parse(run.stdout))).toContain('booked (online)')
    expect(reportedError(run)).toMatchObject({ code: 'NOT_FOUND', hint: expect.stringContaining('from other sources') })
  })

  test('timeline booking shows a booking whose sales cannot be searched, but exits with code 13', async () => {
    const known = await startTimelineVenue(({ target }) => (target.startsWith('/Sales') ? answers(404, {}) : undefined))
    known.bookings = [booking('BK-1', MADE, 'CONFIRMED')]
    const run = await known.run('booking', 'BK-1')
    expect(run.code).toBe(13)
    expect(run.stdout).toContain('booked (online)')
    expect(run.stderr).toContain('error: its sales could not be looked up')
  })

  test('if the service rejects the key, timeline booking exits with code 4 but still shows the entries of a copy', async () => {
    const known = await startTimelineVenue(() => answers(401, { message: 'Unauthorized' }))
    const copy = known.file('b.ndjson', [booking('BK-1', MADE, 'CONFIRMED')])
    const run = await known.run('booking', 'BK-1', '--copy', copy)
    expect(run).toMatchObject({ code: 4, stdout: expect.stringContaining('booked (online)') })
    expect(known.server.requests).toHaveLength(1)
  })

  test('timeline booking reports all command-line mistakes at once without sending anything', async () => {
    const known = await startTimelineVenue()
    const says = /"a\/b" is not an ID[\s\S]*cannot read no.ndjson[\s\S]*b.txt must end[\s\S]*--from/
    const refused = await known.run('booking', 'a/b', '--journal', 'no.ndjson', '--copy', 'b.txt', '--from', 'soon')
    expectRefusal(refused, { code: 2, says })
    const noCopy = known.file('x.ndjson', ['{"a":1}'])
    expectRefusal(await known.run('booking', 'BK-1', '--copy', noCopy), { code: 2, says: 'is not a copy: line 1' })
    expect(known.server.requests).toHaveLength(0)
  })
})
