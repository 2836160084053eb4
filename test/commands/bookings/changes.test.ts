import { describe, expect, test } from 'vitest'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, json } = await venueOfThisFile()

/** Creates a booking that no other test in this file changes. */
async function freshBooking(people = '2'): Promise<string> {
  return (await json('bookings', 'create', '--people', people, '--time', '2026-12-01 18:00')).bookingId
}

describe('bookings create', () => {
  test('bookings create creates a seated walk-in if only --people and --time are given', async () => {
    const booking = await json('bookings', 'create', '--people', '3', '--time', '2026-12-01 18:00')
    expect(booking).toMatchObject({ numOfPeople: 3, bookingStatus: 'SEATED', isSuccess: true })
  })

  test('bookings create reports a missing --people and a missing --time together', async () => {
    const done = await run('bookings', 'create')
    expectRefusal(done, { code: 2, says: /--people is required\n {2}--time or --time-utc is required/ })
  })

  test("bookings create sends an invalid status from --data and prints the service's documented message", async () => {
    const status = ['--data', '{"status":"NOPE"}']
    const done = await run('bookings', 'create', '--people', '2', '--time', '2026-12-01 18:00', ...status)
    expectRefusal(done, { code: 5, says: 'Invalid booking status NOPE', next: /bookings statuses/ })
  })
})

describe('bookings update', () => {
  test("bookings update sends the booking's current local time if no time is given", async () => {
    const id = await freshBooking()
    const { body } = await json('bookings', 'update', id, '--notes', 'pram', '--dry-run')
    expect(body).toEqual({ notes: 'pram', time: '2026-12-01 18:00', bookingId: id })
    expect(await json('bookings', 'update', id, '--people', '5')).toMatchObject({ bookingId: id, numOfPeople: 5 })
    expect(await json('bookings', 'get', id)).toMatchObject({ people: 5, bookingTime: '2026-12-01T18:00:00' })
  })

  test('bookings update sends a time from --data', async () => {
    const id = await freshBooking()
    const data = JSON.stringify({ time: '2026-12-02 19:00' })
    expect(await json('bookings', 'update', id, '--data', data)).toMatchObject({ bookingId: id })
    expect(await json('bookings', 'get', id)).toMatchObject({ bookingTime: '2026-12-02T19:00:00' })
  })

  test('bookings update exits with code 2 if no change is requested', async () =>
    expectRefusal(await run('bookings', 'update', 'BK-1'), { code: 2, says: 'no change was given' }))

  test('bookings update exits with code 3 if the booking does not exist', async () =>
    expectRefusal(await run('bookings', 'update', 'BK-1', '--people', '3'), { code: 3, says: 'not found' }))
})

describe('bookings update-pax, update-status and update-tables', () => {
  test('bookings update-pax changes the party size', async () => {
    const id = await freshBooking()
    expect(await json('bookings', 'update-pax', id, '7')).toMatchObject({ bookingId: id, pax: 7 })
  })

  test.each(['0', '-1', '2.5', '2147483648', 'two', ''])(
    'bookings update-pax refuses %j without sending a request',
    async (people) => {
      const done = await run('bookings', 'update-pax', 'BK-1', '--', people)
      expectRefusal(done, { code: 2, says: /PEOPLE must be a whole number from 1 to 2147483647/ })
    },
  )

  test("bookings update-pax --no-validate sends an invalid party size and prints the service's documented error message", async () => {
    const done = await run('bookings', 'update-pax', await freshBooking(), '0', '--no-validate')
    expectRefusal(done, { code: 5, says: 'The value of Pax must be greater than 0' })
  })

  test('the help of a booking command shows a default status or duration only if the command has one', async () => {
    const help = async (command: string) => (await run(...words(command), '--help')).stdout.replace(/\s+/g, ' ')
    expect(await help('reservations create')).toMatch(/--status=CODE [^-]*\(default: Unconfirmed\)/)
    expect(await help('reservations create')).toContain("(default: the service's duration)")
    expect(await help('bookings create')).not.toContain('Unconfirmed')
    expect(await help('bookings create')).toContain("(default: the service's duration)")
    expect(await help('bookings update')).not.toMatch(/Unconfirmed|service's own/)
  })

  test("bookings update-status sets one of the venue's statuses", async () => {
    const id = await freshBooking()
    expect(await json('bookings', 'update-status', id, 'FINISHED')).toMatchObject({ status: 'FINISHED' })
  })

  test.each([
    ['FINISHD', 'FINISHED'],
    ['No show', 'NOSHOW'],
  ])('bookings update-status %s suggests %s after a single read and sends no write', async (typed, meant) => {
    const statuses = [
      { code: 'FINISHED', name: 'Finished' },
      { code: 'NOSHOW', name: 'No show' },
    ]
    const server = await startRawServer([answers(200, statuses)])
    const done = await server.run(['bookings', 'update-status', 'BK-1', typed])
    expectRefusal(done, { code: 2, says: `did you mean ${meant}?`, next: /FINISHED, NOSHOW/ })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test("booking and sales commands accept a status code in upper or lower case and send the venue's spelling", async () => {
    const plan = async (line: string) => (await json(...words(`${line} --dry-run`))).body.status
    expect(await plan('bookings update-status BK-1 seated')).toBe('SEATED')
    expect(await plan('bookings update BK-1001 --status seated')).toBe('SEATED')
    expect(await plan('bookings create --people 2 --time 19:30 --status Seated')).toBe('SEATED')
    const sale = 'sales create --sale-id S-case --staff-id E1 --seats 2 --booking-id BK-1001 --status seated'
    expect(await plan(sale)).toBe('SEATED')
  })

  test('bookings update-status adds a --param to the URL only once', async () => {
    const { url } = await json(...words('bookings update-status BK-1 SEATED --param a=b --dry-run'))
    expect(url).toMatch(/updatestatus\?a=b$/)
  })

  test('bookings update-tables moves a booking to tables identified by section and name', async () => {
    const id = await freshBooking()
    const done = await run('bookings', 'update-tables', id, '--table', 'Terrace/P1', '--table', 'Terrace/P2')
    expect(done).toMatchObject({ code: 0 })
    const { tables } = await json('bookings', 'get', id)
    expect(tables.map((table: { tableName: string }) => table.tableName)).toEqual(['P1', 'P2'])
  })

  test('bookings update-tables reports all problems with --table together', async () => {
    const done = await run(...words('bookings update-tables BK-1 --table /P1 --table Bar/B1 --table Bar/B1'))
    expectRefusal(done, { code: 2, says: /SECTION\/NAME or NAME, not "\/P1"\n {2}--table "Bar\/B1" is given twice/ })
    expectRefusal(await run('bookings', 'update-tables', 'BK-1'), { code: 2, says: '--table is required' })
  })

  test('bookings update-tables accepts an already booked table only with --allow-conflict', async () => {
    const [first, second] = [await freshBooking(), await freshBooking()]
    expect(await run('bookings', 'update-tables', first, '--table', 'Bar/B1')).toMatchObject({ code: 0 })
    const refused = await run('bookings', 'update-tables', second, '--table', 'Bar/B1')
    expectRefusal(refused, { code: 5, says: 'already booked', next: /--allow-conflict/ })
    const allowed = await run('bookings', 'update-tables', second, '--table', 'Bar/B1', '--allow-conflict')
    expect(allowed).toMatchObject({ code: 0 })
  })
})

describe('output after changing a booking', () => {
  const BOOKING = {
    ...{ bookingId: 'BK-9', bookingTime: '2026-12-01T19:30:00', people: 6 },
    status: { code: 'SEATED', name: 'Seated' },
    tables: [{ tableId: 'tbl-1', tableName: 'P1', sectionName: 'Terrace' }],
  }
  const RECEIPT = { bookingId: 'BK-9', amountSpent: 0, status: 'SEATED', pax: 6 }

  async function change(acts: Parameters<typeof startRawServer>[0], ...args: string[]) {
    const server = await startRawServer(acts)
    const done = await server.run(['bookings', 'update-pax', 'BK-9', '6', '--retries', '3', ...args])
    return { done, methods: server.requests.map(({ method }) => method) }
  }

  test('a command that changes a booking reads the changed booking and shows it', async () => {
    const { done, methods } = await change([answers(200, RECEIPT), answers(200, BOOKING)])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Changed booking BK-9 {2}Seated\n/) })
    for (const line of [/^ {2}Time +Tue 2026-12-01 19:30/m, /^ {2}People +6$/m, /^ {2}Tables +P1 \(Terrace\)$/m])
      expect(done.stdout).toMatch(line)
    expect(done.stdout).not.toMatch(/Spent|Other/)
    expect(methods).toEqual(['PATCH', 'GET'])
  })

  test('a command that changes a booking sends no second request if the response contains the booking', async () => {
    const { done, methods } = await change([answers(200, BOOKING)])
    expect(done.stdout).toMatch(/^ {2}Tables +P1 \(Terrace\)$/m)
    expect(methods).toEqual(['PATCH'])
  })

  test.each(['json', 'ndjson', 'csv', 'tsv'])(
    'a command that changes a booking prints the response as %s without a second request',
    async (format) => {
      const { done, methods } = await change([answers(200, RECEIPT)], '-o', format)
      expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('SEATED') })
      expect(methods).toEqual(['PATCH'])
    },
  )

  test('a command that changes a booking prints the response and a warning if it cannot read the booking afterwards', async () => {
    const { done, methods } = await change([answers(200, RECEIPT), answers(500, '')])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}People +6 people$/m) })
    expect(done.stderr).toMatch(/^warning: the booking was changed, but .*: partner bookings get BK-9$/m)
    expect(done.stdout).not.toContain('Spent')
    expect(methods).toEqual(['PATCH', 'GET'])
  })

  test.each([
    ['update-status', 'FINISHED'],
    ['update-tables', '--table', 'Terrace/P4'],
    ['update', '--people', '3'],
  ])('bookings %s shows the party size, tables, status and time', async (verb, ...args) => {
    const { code, stdout } = await run('bookings', verb, await freshBooking(), ...args)
    expect(code).toBe(0)
    for (const label of ['Time', 'People', 'Status', 'Tables', 'Booking ID'])
      expect(stdout).toMatch(new RegExp(`^ {2}${label} +\\S`, 'm'))
    expect(stdout).not.toMatch(/Spent|Other/)
  })
})
