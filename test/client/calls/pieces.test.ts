import { describe, expect, test } from 'vitest'
import { parseNdjson } from '../../support/ndjson.ts'
import { type Act, answers, startRawServer } from '../../support/raw-server.ts'
import { reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

interface Stored {
  readonly bookingId: string
  /** When the booking was last changed, in microseconds since the epoch. The service filters by this time. */
  readonly at: number
  readonly lastModifiedDate: string
  readonly bookingTime?: string
}

/** Creates a booking that was last changed at the given instant, which may have microsecond precision. */
function changed(bookingId: string, instant: string): Stored {
  const [seconds = '', fraction = ''] = instant.replace('Z', '').split('.')
  const at = Date.parse(`${seconds}Z`) * 1000 + Number(fraction.padEnd(6, '0'))
  return { bookingId, at, lastModifiedDate: instant }
}

/** Starts a service that compares times with microsecond precision and includes both ends of a range. */
function diary(stored: readonly Stored[]) {
  return startRawServer((request): Act => {
    const query = new URL(request.target, 'http://localhost').searchParams
    const edge = (...names: string[]) => Date.parse(names.map((name) => query.get(name)).find(Boolean) ?? '') * 1000
    const [from, to] = [edge('StartDate', 'UpdatedFromDate'), edge('EndDate', 'UpdatedToDate')]
    const bookings = stored.filter(({ at }) => at >= from && at <= to).map(({ at: _at, ...booking }) => booking)
    return answers(200, { count: bookings.length, bookings })
  })
}

const RANGE = words('--updated-from 2026-11-20T00:00:00Z --updated-to 2026-11-20T04:00:00Z --window 1h')
const STORED = [
  changed('BK-0', '2026-11-20T00:00:00Z'),
  changed('BK-1', '2026-11-20T00:59:59.999500Z'),
  changed('BK-2', '2026-11-20T01:00:00Z'),
  changed('BK-3', '2026-11-20T01:00:00.000001Z'),
  changed('BK-4', '2026-11-20T02:00:00.000Z'),
  changed('BK-5', '2026-11-20T02:59:59.999999Z'),
  changed('BK-6', '2026-11-20T04:00:00Z'),
]
const IDS = STORED.map(({ bookingId }) => bookingId)

async function list(stored: readonly Stored[], ...more: string[]) {
  const server = await diary(stored)
  return { ...(await server.run(['bookings', 'list', ...more])), requests: server.requests.map(({ target }) => target) }
}

describe('bookings list --window', () => {
  test('bookings list --window prints each booking once, even on the boundary between two time ranges', async () => {
    const run = await list(STORED, ...RANGE, ...words('-o ndjson --columns bookingId'))
    expect(run).toMatchObject({ code: 0, stderr: '' })
    expect(parseNdjson(run.stdout).map(({ bookingId }) => bookingId)).toEqual(IDS)
    expect(run.requests).toHaveLength(4)
    expect(run.requests[1]).toContain('UpdatedFromDate=2026-11-20T01%3A00%3A00.000Z')
    expect(run.requests[0]).toContain('UpdatedToDate=2026-11-20T01%3A00%3A00.000Z')
  })

  test('bookings list --window prints the bookings of all time ranges as a single array, CSV file or table', async () => {
    expect(JSON.parse((await list(STORED, ...RANGE, '--json', '--columns', 'bookingId')).stdout)).toHaveLength(7)
    const csv = await list(STORED, ...RANGE, '-o', 'csv', '--columns', 'bookingId')
    expect(csv.stdout.split(/\r?\n/)).toEqual(['bookingId', ...IDS, ''])
    expect((await list(STORED, ...RANGE, '--columns', 'bookingId')).stdout.match(/BK-\d/g)).toEqual(IDS)
  })

  test('bookings list --window counts a booking at the end of a time range only once towards --limit', async () => {
    const run = await list(STORED, ...RANGE, ...words('-o csv --columns bookingId --limit 5'))
    expect(run.stdout.split(/\r?\n/)).toEqual(['bookingId', ...IDS.slice(0, 5), ''])
  })

  test('bookings list --window prints both versions of a booking that changed between two requests', async () => {
    const again = [changed('BK-1', '2026-11-20T01:00:00Z'), changed('BK-1', '2026-11-20T01:30:00Z')]
    const run = await list(again, ...RANGE, ...words('-o ndjson --columns lastModifiedDate'))
    expect(run.stdout.trim().split('\n')).toHaveLength(2)
  })

  test.each([
    ['without an offset', '2026-11-20T12:00:00'],
    ['with an offset', '2026-11-20T12:00:00+11:00'],
    ['missing', undefined],
  ])(
    'bookings list --window prints a booking on a boundary only once if its booking time is %s',
    async (_how, bookingTime) => {
      const booked = {
        ...changed('BK-1', '2026-11-20T01:00:00Z'),
        lastModifiedDate: '2026-11-01T00:00:00Z',
        bookingTime,
      }
      const range = words('--from 2026-11-20T00:00:00Z --to 2026-11-20T02:00:00Z --window 1h')
      const run = await list([booked as Stored], ...range, ...words('-o ndjson --columns bookingId'))
      expect(run).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n' })
      expect(run.requests).toHaveLength(2)
    },
  )

  test('bookings list --window reports the total number of printed records if a later response is truncated', async () => {
    const whole = { bookings: [{ bookingId: 'BK-1', lastModifiedDate: '2026-11-20T00:30:00Z' }] }
    const half = '{"bookings":[{"bookingId":"BK-2","lastModifiedDate":"2026-11-20T01:30:00Z"},{'
    const server = await startRawServer([answers(200, whole), answers(200, half)])
    const run = await server.run(['bookings', 'list', ...RANGE, '-o', 'ndjson'])
    expect(run.code).toBe(13)
    expect(run.stdout.trim().split('\n')).toHaveLength(2)
    const message = expect.stringContaining('after 2 records')
    expect(reportedError(run)).toMatchObject({ message, details: { records: 2 } })
  })

  test('bookings list --window uses constant memory, however many time ranges there are', async () => {
    const args = words('bookings list --from 2026-01-01 --to 2026-12-31 --window 1s --limit 1 -o ndjson')
    const server = await startRawServer([answers(200, { bookings: [{ bookingId: 'BK-1' }] })])
    const run = await server.run(args, { env: { NODE_OPTIONS: '--max-old-space-size=128' } })
    expect(run).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-1"}\n' })
    expect(server.requests).toHaveLength(1)
  })
})
