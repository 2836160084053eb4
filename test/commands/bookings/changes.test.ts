import { describe, expect, test } from 'vitest'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { venueOfThisFile } from '../../support/venue.ts'
import { words } from '../../support/words.ts'

const { run, json } = await venueOfThisFile()

/** A booking that nothing else in this file touches. */
async function freshBooking(people = '2'): Promise<string> {
  return (await json('bookings', 'create', '--people', people, '--time', '2026-12-01 18:00')).bookingId
}

describe('bookings create', () => {
  test('a walk-in needs only people and a time, and sits down at once', async () => {
    const booking = await json('bookings', 'create', '--people', '3', '--time', '2026-12-01 18:00')
    expect(booking).toMatchObject({ numOfPeople: 3, bookingStatus: 'SEATED', isSuccess: true })
  })

  test('without people and a time, both are named at once', async () => {
    const done = await run('bookings', 'create')
    expectRefusal(done, { code: 2, says: /--people is required\n {2}--time or --time-utc is required/ })
  })

  test('an invalid status from --data is refused in the documented words', async () => {
    const status = ['--data', '{"status":"NOPE"}']
    const done = await run('bookings', 'create', '--people', '2', '--time', '2026-12-01 18:00', ...status)
    expectRefusal(done, { code: 5, says: 'Invalid booking status NOPE', next: /bookings statuses/ })
  })
})

describe('bookings update', () => {
  test('without a time, the one the booking has is sent, on the clock of the venue', async () => {
    const id = await freshBooking()
    const { body } = await json('bookings', 'update', id, '--notes', 'pram', '--dry-run')
    expect(body).toEqual({ notes: 'pram', time: '2026-12-01 18:00', bookingId: id })
    expect(await json('bookings', 'update', id, '--people', '5')).toMatchObject({ bookingId: id, numOfPeople: 5 })
    expect(await json('bookings', 'get', id)).toMatchObject({ people: 5, bookingTime: '2026-12-01T18:00:00' })
  })

  test('a given time is sent, also one from --data', async () => {
    const id = await freshBooking()
    const data = JSON.stringify({ time: '2026-12-02 19:00' })
    expect(await json('bookings', 'update', id, '--data', data)).toMatchObject({ bookingId: id })
    expect(await json('bookings', 'get', id)).toMatchObject({ bookingTime: '2026-12-02T19:00:00' })
  })

  test('nothing to change is a usage error', async () =>
    expectRefusal(await run('bookings', 'update', 'BK-1'), { code: 2, says: 'no change was given' }))

  test('a booking that does not exist is exit 3', async () =>
    expectRefusal(await run('bookings', 'update', 'BK-1', '--people', '3'), { code: 3, says: 'not found' }))
})

describe('the small changes of a booking', () => {
  test('update-pax changes the party size', async () => {
    const id = await freshBooking()
    expect(await json('bookings', 'update-pax', id, '7')).toMatchObject({ bookingId: id, pax: 7 })
  })

  test.each(['0', '-1', '2.5', '2147483648', 'two', ''])('update-pax refuses %j before any request', async (people) => {
    const done = await run('bookings', 'update-pax', 'BK-1', '--', people)
    expectRefusal(done, { code: 2, says: /PEOPLE must be a whole number from 1 to 2147483647/ })
  })

  test('update-pax --no-validate sends it, and the documented words come back', async () => {
    const done = await run('bookings', 'update-pax', await freshBooking(), '0', '--no-validate')
    expectRefusal(done, { code: 5, says: 'The value of Pax must be greater than 0' })
  })

  test('the help names a default only where there is one', async () => {
    const help = async (command: string) => (await run(...words(command), '--help')).stdout.replace(/\s+/g, ' ')
    expect(await help('reservations create')).toMatch(/--status=CODE [^-]*\(default: Unconfirmed\)/)
    expect(await help('reservations create')).toContain("(default: the service's duration)")
    expect(await help('bookings create')).not.toContain('Unconfirmed')
    expect(await help('bookings create')).toContain("(default: the service's duration)")
    expect(await help('bookings update')).not.toMatch(/Unconfirmed|service's own/)
  })

  test('update-status sets a code of the venue', async () => {
    const id = await freshBooking()
    expect(await json('bookings', 'update-status', id, 'FINISHED')).toMatchObject({ status: 'FINISHED' })
  })

  test.each([
    ['FINISHD', 'FINISHED'],
    ['No show', 'NOSHOW'],
  ])('update-status %s suggests %s, after one read and no write', async (typed, meant) => {
    const statuses = [
      { code: 'FINISHED', name: 'Finished' },
      { code: 'NOSHOW', name: 'No show' },
    ]
    const server = await startRawServer([answers(200, statuses)])
    const done = await server.run(['bookings', 'update-status', 'BK-1', typed])
    expectRefusal(done, { code: 2, says: `did you mean ${meant}?`, next: /FINISHED, NOSHOW/ })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('a status code is accepted in any case, and sent as the venue writes it', async () => {
    const plan = async (line: string) => (await json(...words(`${line} --dry-run`))).body.status
    expect(await plan('bookings update-status BK-1 seated')).toBe('SEATED')
    expect(await plan('bookings update BK-1001 --status seated')).toBe('SEATED')
    expect(await plan('bookings create --people 2 --time 19:30 --status Seated')).toBe('SEATED')
    const sale = 'sales create --sale-id S-case --staff-id E1 --seats 2 --booking-id BK-1001 --status seated'
    expect(await plan(sale)).toBe('SEATED')
  })

  test('update-status sends a parameter of --param once', async () => {
    const { url } = await json(...words('bookings update-status BK-1 SEATED --param a=b --dry-run'))
    expect(url).toMatch(/updatestatus\?a=b$/)
  })

  test('update-tables moves a booking, by section and name', async () => {
    const id = await freshBooking()
    const done = await run('bookings', 'update-tables', id, '--table', 'Terrace/P1', '--table', 'Terrace/P2')
    expect(done).toMatchObject({ code: 0 })
    const { tables } = await json('bookings', 'get', id)
    expect(tables.map((table: { tableName: string }) => table.tableName)).toEqual(['P1', 'P2'])
  })

  test('update-tables names everything that is wrong with the tables at once', async () => {
    const done = await run(...words('bookings update-tables BK-1 --table /P1 --table Bar/B1 --table Bar/B1'))
    expectRefusal(done, { code: 2, says: /SECTION\/NAME or a name, not "\/P1"\n {2}--table "Bar\/B1" is given twice/ })
    expectRefusal(await run('bookings', 'update-tables', 'BK-1'), { code: 2, says: '--table is required' })
  })

  test('update-tables onto a taken table needs --allow-conflict', async () => {
    const [first, second] = [await freshBooking(), await freshBooking()]
    expect(await run('bookings', 'update-tables', first, '--table', 'Bar/B1')).toMatchObject({ code: 0 })
    const refused = await run('bookings', 'update-tables', second, '--table', 'Bar/B1')
    expectRefusal(refused, { code: 5, says: 'already booked', next: /--allow-conflict/ })
    const allowed = await run('bookings', 'update-tables', second, '--table', 'Bar/B1', '--allow-conflict')
    expect(allowed).toMatchObject({ code: 0 })
  })
})

describe('after a change', () => {
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

  test('a person sees the booking as it is now', async () => {
    const { done, methods } = await change([answers(200, RECEIPT), answers(200, BOOKING)])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Changed booking BK-9 {2}Seated\n/) })
    for (const line of [/^ {2}Time +Tue 2026-12-01 19:30/m, /^ {2}People +6$/m, /^ {2}Tables +P1 \(Terrace\)$/m])
      expect(done.stdout).toMatch(line)
    expect(done.stdout).not.toMatch(/Spent|Other/)
    expect(methods).toEqual(['PATCH', 'GET'])
  })

  test('an answer that is the booking costs no other request', async () => {
    const { done, methods } = await change([answers(200, BOOKING)])
    expect(done.stdout).toMatch(/^ {2}Tables +P1 \(Terrace\)$/m)
    expect(methods).toEqual(['PATCH'])
  })

  test.each(['json', 'ndjson', 'csv', 'tsv'])('prints the answer as %s, without another request', async (format) => {
    const { done, methods } = await change([answers(200, RECEIPT)], '-o', format)
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('SEATED') })
    expect(methods).toEqual(['PATCH'])
  })

  test('when the booking cannot be read the change is done all the same, and its receipt is shown', async () => {
    const { done, methods } = await change([answers(200, RECEIPT), answers(500, '')])
    expect(done).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ {2}People +6 people$/m) })
    expect(done.stderr).toMatch(/^warning: the change is done, but .*: partner bookings get BK-9$/m)
    expect(done.stdout).not.toContain('Spent')
    expect(methods).toEqual(['PATCH', 'GET'])
  })

  test.each([
    ['update-status', 'FINISHED'],
    ['update-tables', '--table', 'Terrace/P4'],
    ['update', '--people', '3'],
  ])('bookings %s shows party, tables, status and time', async (verb, ...args) => {
    const { code, stdout } = await run('bookings', verb, await freshBooking(), ...args)
    expect(code).toBe(0)
    for (const label of ['Time', 'People', 'Status', 'Tables', 'Booking ID'])
      expect(stdout).toMatch(new RegExp(`^ {2}${label} +\\S`, 'm'))
    expect(stdout).not.toMatch(/Spent|Other/)
  })
})
