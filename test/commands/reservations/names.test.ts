import { describe, expect, test } from 'vitest'
import { IN_A_WEEK } from '../../support/dates.ts'
import { runPartner } from '../../support/partner.ts'
import { answers, type RawRequest, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, runAt, json, sandbox } = await venueOfThisFile()
const GUEST = ['--first-name', 'Ada', '--last-name', 'Ng', '--phone', '+61 400 000 000']
const EVENING = ['--time', `${IN_A_WEEK} 19:00`]
const WALK_IN = ['bookings', 'create', '--people', '2', ...EVENING]
const RESERVATION = ['reservations', 'create', '--people', '2', ...EVENING, ...GUEST]

/** Returns the request body that a command would send, according to its dry run. */
const planned = async (...args: string[]) => (await json(...args, '--dry-run')).body

describe('service and section names on the command line', () => {
  test.each([
    ['Dinner', 'Terrace'],
    ['dinner', 'terrace'],
    ['svc-dinner', 'sec-terrace'],
    ['SVC-DINNER', 'sec-terrace'],
  ])('reservations create accepts the service %s and the section %s', async (service, section) => {
    const body = await planned(...RESERVATION, '--service', service, '--section', section)
    expect(body).toMatchObject({ serviceId: 'svc-dinner', sectionId: 'sec-terrace' })
  })

  test('reservations create suggests the nearest service or section if the given name is not available that day', async () => {
    const says = '--service: "svc-diner" is not available at that time; did you mean Dinner (svc-dinner)?'
    const next = new RegExp(`bookings schedule --date ${IN_A_WEEK} --people 2`)
    expectRefusal(await run(...RESERVATION, '--service', 'svc-diner', '--section', 'sec-main'), { code: 2, says, next })
    const section = await run(...RESERVATION, '--service', 'dinner', '--section', 'Terace')
    expectRefusal(section, { code: 2, says: 'did you mean Terrace (sec-terrace)?' })
  })

  test('reservations create refuses a name that several services share, and lists their IDs', async () => {
    const services = ['a', 'b'].map((id) => ({ id: `svc-${id}`, name: 'Dinner' }))
    const server = await startRawServer([answers(200, [{ isVenueOpen: true, services }])])
    const says = '--service "dinner" could be Dinner (svc-a), Dinner (svc-b)'
    const next = 'pass the ID'
    expectRefusal(await runAt(server, ...RESERVATION, '--service', 'dinner', '--section', 's'), { code: 2, says, next })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('reservations create sends the service and section as typed if the schedule is unavailable', async () => {
    const server = await startRawServer(({ method }) => answers(method === 'GET' ? 404 : 201, { isSuccess: true }))
    expect((await runAt(server, ...RESERVATION, '--service', 'dinner', '--section', 's', '--json')).code).toBe(0)
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({ serviceId: 'dinner', sectionId: 's' })
  })

  test('reservations create does not look up a service or section that is clearly an ID', async () => {
    const id = '6152c0ffee0123456789abcd'
    const server = await startRawServer([answers(201, { isSuccess: true })])
    expect((await runAt(server, ...RESERVATION, '--service', id, '--section', id)).code).toBe(0)
    expect(server.requests.map(({ method }) => method)).toEqual(['POST'])
  })
})

describe('IDs that names resolve to', () => {
  const PLACE = ['--service', 'Dinner', '--section', 'Main Dining', '--table', 't5']
  const MEANT = [
    '--service "Dinner" is Dinner (svc-dinner)',
    '--section "Main Dining" is Main Dining (sec-main)',
    '--table "t5" is T5 (tbl-t5)',
  ]
  const resolvedNames = (stderr: string) => stderr.split('\n').filter((line) => line.startsWith('--'))

  test('a dry run prints the ID that each name resolves to, but does not repeat a typed ID', async () => {
    for (const line of [RESERVATION, WALK_IN, ['bookings', 'update', (await json(...WALK_IN)).bookingId]])
      expect(resolvedNames((await run(...line, ...PLACE, '--dry-run')).stderr)).toEqual(MEANT)
    const ids = ['--service', 'svc-dinner', '--section', 'sec-main', '--table', 'T6']
    expect(resolvedNames((await run(...RESERVATION, ...ids, '--dry-run')).stderr)).toEqual([
      '--table "T6" is T6 (tbl-t6)',
    ])
  })

  test('--verbose prints the ID that each name resolves to, even with reservations explain', async () => {
    for (const line of [WALK_IN, ['reservations', 'explain', '--people', '2', ...EVENING]]) {
      expect(resolvedNames((await run(...line, ...PLACE, '--verbose')).stderr)).toEqual(MEANT)
      expect(resolvedNames((await run(...line, ...PLACE)).stderr)).toEqual([])
    }
  })

  async function reserved(services: readonly object[], service: string, section: string) {
    const server = await startRawServer(({ method }) =>
      method === 'GET' ? answers(200, [{ isVenueOpen: true, services }]) : answers(201, { isSuccess: true }),
    )
    expect(await runAt(server, ...RESERVATION, '--service', service, '--section', section)).toMatchObject({ code: 0 })
    return JSON.parse(server.requests.at(-1)?.body ?? '')
  }

  test('reservations create looks up a section by name within a service given by ID', async () => {
    const [lunch, dinner] = ['6152c0ffee0123456789abc1', '6152c0ffee0123456789abc2']
    const sections = (id: string) => [{ id: `${id}-terrace`, name: 'Terrace' }]
    const services = [lunch, dinner].map((id) => ({ id, name: id, sections: sections(id) }))
    expect(await reserved(services, dinner, 'terrace')).toMatchObject({ sectionId: `${dinner}-terrace` })
  })

  test('reservations create prefers a matching service ID to a matching service name', async () => {
    const services = [
      { id: 'svc-a', name: 'svc-b' },
      { id: 'svc-b', name: 'Dinner' },
    ].map((one) => ({ ...one, sections: [{ id: 's', name: 'S' }] }))
    expect(await reserved(services, 'svc-b', 's')).toMatchObject({ serviceId: 'svc-b', sectionId: 's' })
  })
})

describe('table names on the command line', () => {
  test('bookings create refuses a table name that occurs in several sections', async () => {
    const tables = ['a', 'b'].map((id) => ({ sectionName: id, tables: [{ _id: `tbl-${id}`, name: 'T5' }] }))
    const first = await startRawServer([answers(200, tables)])
    const refused = await runAt(first, ...WALK_IN, '--table', 't5')
    expectRefusal(refused, { code: 2, says: '--table "t5" could be T5 (tbl-a), T5 (tbl-b)', next: 'pass the ID' })
    expect(first.requests.map(({ method }) => method)).toEqual(['GET'])
    const mute = await startRawServer(({ method }) => answers(method === 'GET' ? 404 : 201, { isSuccess: true }))
    expect((await runAt(mute, ...WALK_IN, '--table', 't5')).code).toBe(0)
    expect(JSON.parse(mute.requests.at(-1)?.body ?? '')).toMatchObject({ tables: ['t5'] })
  })

  test.each(['T5', 't5', 'Main Dining/T5', 'tbl-t5'])(
    'bookings create and reservations create accept --table %s',
    async (table) => {
      for (const line of [WALK_IN, [...RESERVATION, '--service', 'dinner', '--section', 'main dining']])
        expect(await planned(...line, '--table', table)).toMatchObject({ tables: ['tbl-t5'] })
    },
  )

  test('bookings create books a table by name', async () =>
    expect(await json(...WALK_IN, '--table', 'T6')).toMatchObject({ tableNames: ['T6'] }))

  test('bookings create reports all unknown tables together and suggests the nearest names', async () =>
    expectRefusal(await run(...WALK_IN, '--table', 'T55', '--table', 'tbl-x9'), {
      code: 2,
      says: /the venue has no table "T55"; did you mean T5 \(tbl-t5\)\?\n.*the venue has no table "tbl-x9"/,
      next: new RegExp(`bookings tables --date ${IN_A_WEEK}`),
    }))

  test("bookings update looks up a table on the booking's day", async () => {
    const { bookingId } = await json(...WALK_IN)
    expect(await planned('bookings', 'update', bookingId, '--table', 'p2')).toMatchObject({ tables: ['tbl-p2'] })
    expectRefusal(await run('bookings', 'update', bookingId, '--table', 'P22'), { code: 2, says: 'did you mean P2' })
  })

  test('bookings create warns if the booking does not have the requested tables', async () => {
    const tables = [{ sectionName: 'Bar', tables: [{ _id: 'tbl-1', name: 'B1' }] }]
    const act = ({ method }: RawRequest) =>
      method === 'GET' ? answers(200, tables) : answers(201, { isSuccess: true, tableNames: [] })
    const done = await runAt(await startRawServer(act), ...WALK_IN, '--table', 'B1', '--json')
    expect(done).toMatchObject({ code: 0, stderr: 'warning: you asked for B1, but the booking has no table\n' })
  })

  test('bookings update-tables needs a section only if several sections have a table with that name', async () => {
    const { bookingId } = await json(...WALK_IN)
    const tables = [{ section: 'Terrace', name: 'P3' }]
    expect(await planned('bookings', 'update-tables', bookingId, '--table', 'p3')).toEqual({ tables })
    expect(await run('bookings', 'update-tables', bookingId, '--table', 'P3')).toMatchObject({ code: 0 })
    // P3 is no longer free, but only because this booking occupies it, so the command must accept it.
    const expected = { tables: [{ section: 'Terrace', name: 'P3' }] }
    expect(await planned('bookings', 'update-tables', bookingId, '--table', 'P3')).toMatchObject(expected)
    const says = 'the venue has no table "P33"; did you mean'
    const next = new RegExp(`--date ${IN_A_WEEK}, and use SECTION/NAME`)
    expectRefusal(await run('bookings', 'update-tables', bookingId, '--table', 'P33'), { code: 2, says, next })
  })
})

describe('status codes on the command line', () => {
  const SALE = words('sales create --sale-id S-1 --staff-id st-1 --seats 2 --booking-id BK-1')

  test.each([
    ['bookings create', WALK_IN],
    ['reservations create', [...RESERVATION, '--service', 'dinner', '--section', 'terrace']],
    ['bookings update', ['bookings', 'update', 'BK-1', ...EVENING]],
    ['sales create', SALE],
  ])('%s refuses a --status that the venue does not have, and suggests the nearest one', async (_name, line) => {
    for (const typed of ['seted', 'SEATD'])
      expectRefusal(await run(...line, '--status', typed), {
        code: 2,
        says: `"${typed}" is not a status of this venue; did you mean SEATED?`,
        next: /bookings statuses/,
      })
  })

  test('bookings update-status neither accepts nor suggests a status without a code', async () => {
    const statuses = [{ code: 'c-9:x', name: null }, { code: null, name: 'Seated' }, { code: '', name: 'X' }, {}]
    const server = await startRawServer([answers(200, statuses)])
    const says = 'error: "seated" is not a status of this venue\n'
    const refused = await runPartner(['bookings', 'update-status', 'BK-1', 'seated'], { env: server.env })
    expectRefusal(refused, { code: 2, says, next: 'use one of c-9:x (' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('hints for rejected reservations', () => {
  test('the hint for a rejected reservation contains the date and the party size', async () => {
    const refused = await run(...RESERVATION.with(3, '40'), '--service', 'dinner', '--section', 'terrace')
    expectRefusal(refused, { code: 5, says: "and Pax '40'", next: `--date ${IN_A_WEEK} --people 40` })
    const lunch = await run(...RESERVATION, '--service', 'svc-lunch', '--section', 'sec-main')
    expectRefusal(lunch, { code: 5, says: "Invalid Service 'svc-lunch'", next: `--date ${IN_A_WEEK} --people 2` })
  })
})

describe('booking times on the command line', () => {
  test.each([
    ['bookings create', ['bookings', 'create', '--people', '2']],
    ['bookings update', ['bookings', 'update', 'BK-1', '--people', '2']],
  ])('%s reports an invalid time as a single problem and sends nothing', async (_name, line) => {
    for (const [flag, time] of [
      ['--time', '7.30pm'],
      ['--time', 'tomorrow'],
      ['--time-utc', 'soon'],
    ] as const) {
      const done = await run(...line, flag, time)
      expectRefusal(done, { code: 2, says: new RegExp(`^error: ${flag}: `) })
      expect(done.stderr.split('\n')).toHaveLength(3)
    }
  })

  test('bookings create --no-validate sends a time as typed', async () => {
    const done = await run(...words('bookings create --people 2 --time 7.30pm --no-validate'))
    expectRefusal(done, { code: 5, says: 'Invalid Booking Time passed in the payload.' })
  })

  test('bookings create refuses a skipped local time, but sends the first instant of a repeated local time with a warning', async () => {
    const line = ['bookings', 'create', '--people', '2', '--time']
    expectRefusal(await run(...line, '2027-10-03 02:30'), { code: 2, says: 'clocks in Australia/Sydney skip' })
    const twice = await run(...line, '2027-04-04 02:30', '--dry-run', '--json')
    expect(JSON.parse(twice.stdout).body).toEqual({ numOfPeople: 2, bookingTimeAsUtc: '2027-04-03T15:30:00Z' })
    expect(twice.stderr).toMatch(/twice; the first one is used.*--time-utc 2027-04-03T16:30:00Z/)
  })

  test('bookings create --time overrides both times in --data', async () => {
    const data = JSON.stringify({ time: '2030-01-01 10:00', bookingTimeAsUtc: '2030-01-01T00:00:00Z' })
    expect(await planned(...WALK_IN, '--data', data)).toEqual({ numOfPeople: 2, time: `${IN_A_WEEK} 19:00` })
  })
})

test('a dry run sends only read requests to look up names', async () => {
  const requests = async () => (await json('sandbox', 'journal', '--base-url', sandbox.baseUrl)) as { method: string }[]
  const before = (await requests()).length
  await planned(...RESERVATION, '--service', 'dinner', '--section', 'terrace', '--table', 'P1', '--status', 'CONFIRMED')
  expect((await requests()).slice(before).map(({ method }) => method)).not.toContain('POST')
})
