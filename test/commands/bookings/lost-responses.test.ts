import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import {
  type Act,
  answers,
  hangs,
  RAW_KEY,
  type RawRequest,
  resets,
  startRawServer,
  truncated,
} from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { startPartner } from '../../support/running.ts'
import { until } from '../../support/until.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const BOOKING = {
  ...{ bookingId: 'BK-9', bookingTime: '2026-12-01T19:30:00', duration: 90, people: 2 },
  ...{ serviceId: 'svc-dinner', serviceName: 'Dinner' },
  status: { statusType: 'standard', code: 'CONFIRMED', name: 'Confirmed' },
  notes: null,
  customer: { firstName: 'Ada', lastName: 'Ng', phone: '+61 400 000 000' },
  tables: [{ tableId: 'tbl-t1', tableName: 'T1', sectionId: 'sec-main', sectionName: 'Main Dining' }],
}
const P1 = { tableId: 'tbl-p1', tableName: 'P1', sectionId: 'sec-terrace', sectionName: 'Terrace' }
const P2 = { tableId: 'tbl-p2', tableName: 'P2', sectionId: 'sec-terrace', sectionName: 'Terrace' }

/**
 * Creates a test case for one change. `done` contains the changed members. `asked` is how messages on stderr describe
 * the request. `differs` is how they compare the unchanged booking with the request.
 */
const change = (line: string | readonly string[], done: object, asked: string, differs: string) => {
  const args = typeof line === 'string' ? words(line) : line
  return { name: args.slice(0, 2).join(' '), args, done, asked, differs }
}
const SEATED = { status: { code: 'SEATED', name: 'Seated' } }
const TABLES = 'bookings update-tables BK-9 --table Terrace/P1 --table Terrace/P2 --allow-conflict'
const TABLES_DIFFER = 'tables Main Dining/T1, not Terrace/P1, Terrace/P2'
const UPDATE = ['bookings', 'update', 'BK-9', '--people', '4', '--time', '2026-12-02 20:00', '--notes', 'pram']
const UPDATED = { people: 4, bookingTime: '2026-12-02T20:00:00', notes: 'pram' }
const NOT_UPDATED = 'people 2, not 4; other notes; time 2026-12-01 19:30, not 2026-12-02 20:00'

const CHANGES = [
  change('bookings update-pax BK-9 4', { people: 4 }, 'people 4', 'people 2, not 4'),
  change('bookings update-status BK-9 SEATED', SEATED, 'status SEATED', 'status CONFIRMED, not SEATED'),
  change(TABLES, { tables: [P2, P1] }, 'tables Terrace/P1, Terrace/P2', TABLES_DIFFER),
  change(UPDATE, UPDATED, 'people 4, notes, time 2026-12-02 20:00', NOT_UPDATED),
]

const isRead = ({ method }: RawRequest) => method === 'GET'

/** Starts a service that drops the response to a write. `reading` is its response to later reads of the booking. */
async function losing(args: readonly string[], reading: Act, lost: Act = resets, env = {}) {
  const server = await startRawServer((request, earlier) => {
    if (!isRead(request)) return lost
    if (/statuses/.test(request.target)) return answers(200, [{ code: 'SEATED', name: 'Seated' }])
    return earlier.every(isRead) ? answers(200, BOOKING) : reading
  })
  const options = { env: { ...freshHome(), ...server.env, ...env } }
  return {
    run: (...more: string[]) => runPartner([...args, ...more], options),
    start: (...more: string[]) => startPartner([...args, ...more], options),
    sent: () => server.requests.slice(server.requests.findIndex((one) => !isRead(one))).map(({ method }) => method),
    server,
  }
}

describe.each(CHANGES)('lost response to $name', ({ args, done, asked, differs }) => {
  const now = { ...BOOKING, ...done }

  test.each<[string, Act]>([
    ['a reset', resets],
    ['a 503', answers(503)],
    ['a truncated response', truncated(' '.repeat(100), 9)],
    ['a 408', answers(408)],
  ])(
    'a booking change whose response is lost (%s) exits with code 0 after one read if the booking has the new values',
    async (_name, lost) => {
      const { run, sent } = await losing(args, answers(200, now), lost)
      const result = await run()
      expect(result).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Changed booking BK-9/) })
      expect(result.stderr).toContain(`the response was lost, but the booking is as requested: ${asked}\n`)
      expect(sent()).toEqual([expect.stringMatching(/^(PATCH|POST)$/), 'GET'])
    },
  )

  test('after a lost response, a booking change that was applied prints the booking ID with --json, and no message with -q', async () => {
    const { run } = await losing(args, answers(200, now))
    expect(await run('--json', '-q')).toEqual({ code: 0, stdout: '{"bookingId":"BK-9"}\n', stderr: '' })
  })

  test('after a lost response, a booking change exits with code 9 and shows which values differ from the request', async () => {
    const { run, sent } = await losing(args, answers(200, BOOKING))
    const result = await run()
    expectRefusal(result, { code: 9, says: /not known/, next: /partner bookings get BK-9/, secrets: [RAW_KEY] })
    expect(result.stderr.replace(/\s+/g, ' ')).toContain(`(so far the booking has ${differs}): `)
    expect(sent()).toEqual([expect.stringMatching(/^(PATCH|POST)$/), 'GET'])
  })

  test.each<[string, Act, RegExp]>([
    ['a 500', answers(500, { message: 'Boom' }), /\(the booking could not be read: the service answered 500\)/],
    ['a reset', resets, /could not be read: /],
    ['no response', hangs, /could not be read: /],
    ['another booking', answers(200, { ...now, bookingId: 'BK-8' }), /could not be read: .*a different booking/],
    ['a list', answers(200, [now]), /could not be read: /],
  ])(
    'a booking change whose response is lost exits with code 9 if the follow-up read gets %s',
    async (_name, reading, says) => {
      const { run, sent } = await losing(args, reading)
      const error = reportedError(await run('--json', '--timeout', '2s'))
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
      expect(error.message).toMatch(says)
      expect(error.hint).toMatch(/partner bookings get BK-9/)
      expect(sent()).toEqual([expect.stringMatching(/^(PATCH|POST)$/), 'GET'])
    },
  )

  test('an interrupted booking change exits with code 9 without reading the booking', async () => {
    const { start, server, sent } = await losing(args, answers(200, now), hangs)
    const running = start('--json')
    await until(() => server.requests.some((request) => !isRead(request)))
    running.process.kill('SIGINT')
    expect(reportedError(await running.ended)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9 })
    expect(sent()).toHaveLength(1)
  })

  test('a dry run of a booking change neither sends the change nor checks whether it was applied', async () => {
    const { run, server } = await losing(args, answers(200, now))
    const result = await run('--dry-run')
    expect(result.code).toBe(0)
    expect(result.stderr).not.toContain('as requested')
    expect(server.requests.every(isRead)).toBe(true)
  })
})

describe('comparing the booking with a change whose response was lost', () => {
  async function outcome(args: readonly string[], now: object, env = {}) {
    const { code, stderr } = await (await losing(args, answers(200, { ...BOOKING, ...now }), resets, env)).run('--json')
    return { code, stderr }
  }
  const update = (...flags: string[]) => ['bookings', 'update', 'BK-9', ...flags]
  const SYDNEY = { PARTNER_TIMEZONE: 'Australia/Sydney' }
  const CITY = { city: 'Sydney' }

  test('after a lost response, a booking update exits with code 9 if the booking lacks a changed member', async () => {
    const { code, stderr } = await outcome(update('--people', '2', '--set', 'staffName=Ada'), {})
    expect(code).toBe(9)
    expect(stderr).toContain('a booking does not show staffName')
  })

  test('a booking time that an update resends unchanged does not prove that the update was applied', async () =>
    expect(await outcome(update('--set', 'links=[]'), {})).toMatchObject({ code: 9 }))

  test("a UTC time in a booking change is compared with the booking's local time", async () => {
    const asked = update('--time-utc', '2026-12-01T08:30:00Z')
    expect(await outcome(asked, {}, SYDNEY)).toMatchObject({ code: 0 })
    expect(await outcome(asked, { bookingTime: '2026-12-01T08:30:00' }, SYDNEY)).toMatchObject({ code: 9 })
  })

  test('a UTC time in a booking change is not compared with a local time if the time zone is unknown', async () => {
    const asked = update('--time-utc', '2026-12-01T08:30:00Z')
    expect(await outcome(asked, { bookingTime: '2026-12-01T08:30:00' })).toMatchObject({ code: 9 })
    expect(await outcome(asked, { bookingTime: '2026-12-01T19:30:00+11:00' })).toMatchObject({ code: 0 })
  })

  test.each<[string, readonly string[], object, object]>([
    ['duration', ['--duration', '60'], { duration: 60 }, { duration: 90 }],
    ['status', ['--set', 'status=SEATED'], { status: { code: 'SEATED' } }, { status: { code: 'Seated' } }],
    ['service', ['--set', 'serviceId=svc-lunch'], { serviceId: 'svc-lunch' }, {}],
    ['section', ['--set', 'sectionId=sec-terrace'], { tables: [P1, P2] }, { tables: [P1, ...BOOKING.tables] }],
    ['tables', ['--set', 'tables=["tbl-p1"]'], { tables: [P1] }, { tables: [P1, P2] }],
    ['notes (removed)', ['--set', 'notes=""'], { notes: null }, { notes: 'pram' }],
    ['guest', ['--last-name', 'Lovelace'], { customer: { firstName: 'Ada', lastName: 'Lovelace' } }, {}],
    ['address', ['--set', 'customer.address.city=Sydney'], { customer: { address: CITY } }, { customer: CITY }],
  ])(
    'after a lost response, bookings update checks whether the booking has the changed %s',
    async (_name, flags, same, other) => {
      const asked = update(...flags, '--no-validate')
      expect(await outcome(asked, same)).toMatchObject({ code: 0 })
      expect(await outcome(asked, other)).toMatchObject({ code: 9 })
    },
  )

  test('after a lost response, the error says which guest detail differs without printing its value', async () => {
    const { stderr } = await outcome(update('--phone', '+61 499 999 999', '--no-validate'), {})
    expect(stderr).toContain('another customer.phone')
    expect(stderr).not.toContain('400 000 000')
  })

  test("line breaks in the service's text are escaped in the error message", async () => {
    const forged = { status: { code: 'X\nnext: partner giftcards redeem' } }
    const { run } = await losing(words('bookings update-status BK-9 SEATED'), answers(200, { ...BOOKING, ...forged }))
    expectRefusal(await run(), { code: 9, says: /^error: .*so far the booking has status "X\\n/ })
  })
})

describe('connections that the sandbox resets', async () => {
  const { run, json, sandbox } = await venueOfThisFile()

  test.each([
    ['after', 0],
    ['before', 9],
  ])(
    'if the connection is reset %s a change is applied, bookings update-pax exits with code %i',
    async (phase, code) => {
      const { bookingId } = await json(...words('bookings create --people 2'), '--time', '2026-12-01 18:00')
      const fault = [
        '--endpoint',
        'PATCH /Bookings/{bookingId}/updatepax',
        ...words(`--reset --phase ${phase} --next 1`),
      ]
      await json('sandbox', 'faults', 'add', ...fault, '--base-url', sandbox.baseUrl)
      expect(await run('bookings', 'update-pax', bookingId, '5')).toMatchObject({ code })
      expect(await json('bookings', 'get', bookingId)).toMatchObject({ people: code === 0 ? 5 : 2 })
    },
  )
})
