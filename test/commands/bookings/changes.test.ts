import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDirectory, freshHome, runPartner } from '../../support/partner.ts'
import { answers, startRawServer } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { sandboxOfThisFile } from '../../support/sandbox-process.ts'

const sandbox = await sandboxOfThisFile()
const SIGNED = {
  PARTNER_SIGNING_SECRET: sandbox.signingSecret,
  PARTNER_NAME: sandbox.partnerName,
  PARTNER_SIGNATURE_HEADER: sandbox.signatureHeader,
  PARTNER_LOCATION_ID: sandbox.locationId,
}
const env = { ...sandbox.env, ...SIGNED, PARTNER_TIMEZONE: 'Australia/Sydney' }
const run = (...args: string[]) => runPartner(args, { env: { ...freshHome(), ...env } })

/** The JSON that a command printed. */
async function json(...args: string[]) {
  const done = await run(...args, '--json')
  expect(done).toMatchObject({ code: 0 })
  return JSON.parse(done.stdout)
}

/** A booking that nothing else in this file touches. */
async function freshBooking(people = '2'): Promise<string> {
  const { bookingId } = await json('bookings', 'create', '--people', people, '--time', '2026-12-01 18:00')
  return bookingId
}

describe('bookings create', () => {
  test('a walk-in needs only people and a time, and sits down at once', async () => {
    const booking = await json('bookings', 'create', '--people', '3', '--time', '2026-12-01 18:00')
    expect(booking).toMatchObject({ numOfPeople: 3, bookingStatus: 'SEATED', isSuccess: true })
  })

  test('without anything both are named at once', async () => {
    const done = await run('bookings', 'create')
    expectRefusal(done, { code: 2, says: /--people is required\n {2}--time or --time-utc is required/ })
  })

  test('an invalid status is refused in the documented words', async () => {
    const done = await run('bookings', 'create', '--people', '2', '--time', '2026-12-01 18:00', '--status', 'NOPE')
    expectRefusal(done, { code: 5, says: 'Invalid booking status NOPE', next: /bookings statuses/ })
  })
})

describe('bookings update', () => {
  test('without a time the present one is sent, on the clock of the venue', async () => {
    const id = await freshBooking()
    const { body } = await json('bookings', 'update', id, '--notes', 'pram', '--dry-run')
    expect(body).toEqual({ notes: 'pram', time: '2026-12-01 18:00', bookingId: id })
    expect(await json('bookings', 'update', id, '--people', '5')).toMatchObject({ bookingId: id, numOfPeople: 5 })
    expect(await json('bookings', 'get', id)).toMatchObject({ people: 5, bookingTime: '2026-12-01T18:00:00' })
  })

  test('a time that is given, also by --data, is the one that is sent', async () => {
    const id = await freshBooking()
    const data = JSON.stringify({ time: '2026-12-02 19:00' })
    expect(await json('bookings', 'update', id, '--data', data)).toMatchObject({ bookingId: id })
    expect(await json('bookings', 'get', id)).toMatchObject({ bookingTime: '2026-12-02T19:00:00' })
  })

  test('nothing to change is a usage error', async () => {
    expectRefusal(await run('bookings', 'update', 'BK-1'), { code: 2, says: 'nothing to change' })
  })

  test('a booking that there is not is exit 3', async () => {
    expectRefusal(await run('bookings', 'update', 'BK-1', '--people', '3'), { code: 3, says: 'not found' })
  })
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
    const id = await freshBooking()
    const done = await run('bookings', 'update-pax', id, '0', '--no-validate')
    expectRefusal(done, { code: 5, says: 'The value of Pax must be greater than 0' })
  })

  test('update-status sets a code of the venue', async () => {
    const id = await freshBooking()
    expect(await json('bookings', 'update-status', id, 'FINISHED')).toMatchObject({ status: 'FINISHED' })
  })

  test.each([
    ['FINISHD', 'FINISHED'],
    ['finished', 'FINISHED'],
    ['No show', 'NOSHOW'],
  ])('update-status %s suggests %s, after one read and no write', async (typed, meant) => {
    const statuses = [
      { code: 'FINISHED', name: 'Finished' },
      { code: 'NOSHOW', name: 'No show' },
    ]
    const server = await startRawServer([answers(200, statuses)])
    const done = await runPartner(['bookings', 'update-status', 'BK-1', typed], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 2, says: `did you mean ${meant}?`, next: /FINISHED, NOSHOW/ })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  test('update-tables moves a booking, by section and name', async () => {
    const id = await freshBooking()
    expect(await run('bookings', 'update-tables', id, '--table', 'Terrace/P1', '--table', 'Terrace/P2')).toMatchObject({
      code: 0,
    })
    const { tables } = await json('bookings', 'get', id)
    expect(tables.map((table: { tableName: string }) => table.tableName)).toEqual(['P1', 'P2'])
  })

  test('update-tables names everything that is wrong with the tables at once', async () => {
    const done = await run(
      'bookings',
      'update-tables',
      'BK-1',
      '--table',
      'P1',
      '--table',
      'Bar/B1',
      '--table',
      'Bar/B1',
    )
    expectRefusal(done, { code: 2, says: /SECTION\/NAME, not "P1"\n {2}--table "Bar\/B1" is given twice/ })
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

describe('bookings tables', () => {
  test('a table a line, with what a reservation and update-tables take; JSON has the sections of the service', async () => {
    const { stdout } = await run('bookings', 'tables', '--date', '2026-12-01')
    expect(stdout).toMatch(/^SECTION +TABLE +SEATS .* TABLE ID$/m)
    expect(stdout).toMatch(/^Terrace +P1 +1-2 .* tbl-p1$/m)
    const sections = await json('bookings', 'tables', '--date', '2026-12-01')
    expect(sections[0]).toMatchObject({ sectionName: 'Main Dining', tables: expect.any(Array) })
    const csv = await run('bookings', 'tables', '--date', '2026-12-01', '-o', 'csv', '--columns', '_id,name')
    expect(csv.stdout.split('\r\n').slice(0, 2)).toEqual(['_id,name', 'tbl-t1,T1'])
  })

  test('a day is asked for as a date, a time as an instant in the zone of the venue', async () => {
    const asked = async (date: string) => (await json('bookings', 'tables', '--date', date, '--dry-run')).url
    expect(await asked('2026-12-01')).toMatch(/\?Date=2026-12-01$/)
    expect(await asked('2026-12-01 19:00')).toMatch(/\?Date=2026-12-01T08%3A00%3A00.000Z$/)
  })

  test('without a date, and with wrong ones, it says so', async () => {
    expectRefusal(await run('bookings', 'tables'), { code: 2, says: '--date is required' })
    const both = await run('bookings', 'tables', '--date', '2026-02-30', '--duration', '0')
    expectRefusal(both, { code: 2, says: /--duration .*"0"\n {2}--date: "2026-02-30"/ })
  })
})

describe('giftcards list', () => {
  test('shows what is left on each card; cancelled, redeemed and expired ones only when asked', async () => {
    const shown = await json('giftcards', 'list')
    expect(shown.every(({ status }: { status: string }) => !/Cancelled|Redeemed|Expired/.test(status))).toBe(true)
    const all = await json('giftcards', 'list', '--include-cancelled', '--include-redeemed', '--include-expired')
    expect(all.length).toBeGreaterThan(shown.length)
  })

  test('comes in pages, and --limit stops it', async () => {
    const whole = await run('giftcards', 'list', '-o', 'ndjson')
    const paged = await run('giftcards', 'list', '-o', 'ndjson', '--page-size', '3')
    expect(paged.stdout).toBe(whole.stdout)
    const two = await run('giftcards', 'list', '-o', 'ndjson', '--limit', '2')
    expect(two.stdout).toBe(`${whole.stdout.split('\n').slice(0, 2).join('\n')}\n`)
  })

  test('no cards is a sentence on stderr, an empty array in JSON, a header in CSV', async () => {
    expect(await run('giftcards', 'list', '--sku', 'none')).toEqual({ code: 0, stdout: '', stderr: 'No gift cards.\n' })
    expect(await run('giftcards', 'list', '--sku', 'none', '--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    const csv = await run('giftcards', 'list', '--sku', 'none', '-o', 'csv', '--columns', 'cardNumber')
    expect(csv.stdout).toBe('cardNumber\r\n')
  })

  test('every wrong flag is named at once', async () => {
    const done = await run('giftcards', 'list', '--limit', '0', '--page-size', 'x', '--issued-to', 'today')
    expectRefusal(done, {
      code: 2,
      says: /--limit [^\n]+\n {2}--page-size [^\n]+\n {2}--issued-to needs --issued-from/,
    })
  })
})

describe('sales', () => {
  const ticket = (saleId: string) => ['sales', 'create', '--sale-id', saleId, '--staff-id', 'st-1', '--seats', '2']

  test('a sale is linked to its booking and comes back in currency units, named so', async () => {
    const bookingId = await freshBooking()
    const sent = await json(
      ...ticket('T-1'),
      ...['--booking-id', bookingId, '--total-cents', '12550', '--currency', 'AUD', '--closed', 'now'],
    )
    expect(sent).toMatchObject({ saleId: 'T-1', bookingId })
    const sales = await json('sales', 'list')
    const own = sales.find((sale: { bookingId: string }) => sale.bookingId === bookingId)
    expect(own.saleDetail).toMatchObject({ transactionId: 'T-1', total: 125.5 })
    const { stdout } = await run('sales', 'list')
    expect(stdout).toMatch(/TOTAL \(UNITS\)/)
    expect(stdout).toMatch(/125\.50 .* T-1 /)
  })

  test('the same sale again is exit 6', async () => {
    expect(await run(...ticket('T-2'))).toMatchObject({ code: 0 })
    expectRefusal(await run(...ticket('T-2')), { code: 6, says: 'already been submitted' })
  })

  test('what must be there is named by its flag, all at once', async () => {
    const done = await run('sales', 'create', '--total-cents', '125.50', '--opened', 'soon')
    expect(done.stderr).toMatch(/^error: 6 problems:$/m)
    for (const flag of ['sale-id', 'staff-id', 'seats', 'opened', 'total-cents', 'currency'])
      expect(done.stderr).toMatch(new RegExp(`^ {2}--${flag}[: ]`, 'm'))
    expectRefusal(done, { code: 2, says: 'must be whole cents' })
  })

  test('defaults give way to --data, that to --set, that to flags', async () => {
    const data = {
      type: 'REFUND',
      source: { type: 'ONLINE' },
      openedZonedDateTime: '2026-11-20T00:00:00Z',
      status: 'A',
    }
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

  test('cents beyond what a float holds are sent digit for digit', async () => {
    const done = await run(...ticket('T-4'), '--total-cents', '9007199254740993', '--currency', 'AUD', '--dry-run')
    expect(done.stdout).toContain('"amount": 9007199254740993')
  })

  test('a time without a zone is read on the clock of the venue', async () => {
    const { body } = await json(...ticket('T-5'), '--opened', '2026-12-01 18:00', '--dry-run')
    expect(body.openedZonedDateTime).toBe('2026-12-01T07:00:00.000Z')
  })

  test('the list: --to alone is a usage error', async () => {
    expectRefusal(await run('sales', 'list', '--to', 'today'), { code: 2, says: '--to needs --from too' })
  })
})

describe('customers', () => {
  test('list, then one of them by id', async () => {
    const [first] = await json('customers', 'list', '--limit', '1')
    expect(await json('customers', 'get', first.id)).toEqual(first)
    const { stdout } = await run('customers', 'get', first.id)
    expect(stdout).toContain(first.fullName)
  })

  test('one that there is not is exit 3, also where the service ignores the filter', async () => {
    expectRefusal(await run('customers', 'get', 'C-1'), { code: 3, says: 'there is no customer C-1' })
    const server = await startRawServer([answers(200, { items: [{ id: 'C-2' }, { id: 'C-3' }] })])
    const anybody = (id: string) =>
      runPartner(['customers', 'get', id, '--json'], { env: { ...freshHome(), ...server.env } })
    expect(reportedError(await anybody('C-1'))).toMatchObject({ code: 'NOT_FOUND', path: '/Customers' })
    expect(await anybody('C-3')).toMatchObject({ code: 0, stdout: '{"id":"C-3"}\n' })
  })

  test('wrong flags and ids are refused before any request', async () => {
    const done = await run('customers', 'list', '--sort', 'up', '--updated-to', 'today')
    expectRefusal(done, { code: 2, says: /--sort must be asc or desc.*\n {2}--updated-to needs/ })
    expectRefusal(await run('customers', 'get', '..'), { code: 2, says: 'is not an id' })
    const ids = await run('customers', 'unsubscribe', 'good', 'a b', '../x')
    expectRefusal(ids, { code: 2, says: /"a b" is not an id.*\n {2}"\.\.\/x" is not an id/ })
  })

  test('unsubscribe: one', async () => {
    const [{ id }] = await json('customers', 'list', '--limit', '1')
    expect(await json('customers', 'unsubscribe', id)).toMatchObject({ id, outcome: 'unsubscribed' })
    expect(await json('customers', 'get', id)).toMatchObject({ subscribed: false })
    expectRefusal(await run('customers', 'unsubscribe', 'C-1'), { code: 3, says: "Customer 'C-1' not found" })
  })

  test('unsubscribe: several are a bulk, a line each, exit 11 when one failed', async () => {
    const [first, second] = await json('customers', 'list', '--limit', '2')
    const done = await run('customers', 'unsubscribe', first.id, 'C-1', second.id, '-o', 'ndjson')
    const lines = done.stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['unsubscribed', 'failed', 'unsubscribed'])
    expect(reportedError(done)).toMatchObject({ code: 'PARTIAL_FAILURE', exitCode: 11, details: { failed: 1, of: 3 } })
  })

  test('unsubscribe: a key that is refused ends the bulk before it begins', async () => {
    const server = await startRawServer([answers(401, { message: 'Unauthorized' })])
    const done = await runPartner(['customers', 'unsubscribe', 'a', 'b', 'c'], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 4, says: 'Unauthorized' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('webhooks', () => {
  const URL = 'https://pos.example/hooks'

  test('create, list, get, update and delete', async () => {
    const created = await json('webhooks', 'create', 'BOOKING_UPDATED', URL)
    expect(created).toMatchObject({ event: 'BOOKING_UPDATED', webhookUrl: URL })
    expect(await json('webhooks', 'list')).toMatchObject([{ event: 'BOOKING_UPDATED', authenticationEnabled: false }])
    const key = join(freshDirectory(), 'key')
    writeFileSync(key, 'k-123456789\n', { mode: 0o600 })
    const updated = await run('webhooks', 'update', 'BOOKING_UPDATED', `${URL}/2`, '--security-key', `file:${key}`)
    expect(updated).toMatchObject({ code: 0 })
    expect(await json('webhooks', 'get', 'BOOKING_UPDATED')).toMatchObject({
      webhookUrl: `${URL}/2`,
      authenticationEnabled: true,
    })
    const refused = await run('webhooks', 'delete', 'BOOKING_UPDATED')
    expectRefusal(refused, { code: 2, says: 'needs a yes', next: '--yes' })
    expect(await json('webhooks', 'delete', 'BOOKING_UPDATED', '--yes')).toEqual({
      event: 'BOOKING_UPDATED',
      deleted: true,
    })
    expectRefusal(await run('webhooks', 'get', 'BOOKING_UPDATED'), { code: 3, says: 'was not found' })
  })

  test('an event that is not known suggests the nearest, case included', async () => {
    const done = await run('webhooks', 'create', 'booking_created', URL)
    expectRefusal(done, { code: 2, says: 'did you mean BOOKING_CREATED?' })
    expectRefusal(await run('webhooks', 'delete', 'X', '--yes'), { code: 2, says: 'EVENT "X" is not known' })
  })

  test('a plain secret is refused wherever it stands, and never shown again', async () => {
    const secret = 'hunter2-hunter2'
    const secrets = [secret]
    const create = (...args: string[]) => run('webhooks', 'create', 'BOOKING_CREATED', ...args)
    expectRefusal(await create(URL, '--security-key', secret), { code: 2, says: 'not the secret itself', secrets })
    expectRefusal(await create(URL, '--set', `securityKey=${secret}`), { code: 2, says: 'credential', secrets })
    const data = JSON.stringify({ securityToken: secret })
    expectRefusal(await create(URL, '--data', data), { code: 2, says: 'credential', secrets })
    const inUrl = `https://user:${secret}@pos.example/hooks`
    expectRefusal(await create(inUrl), { code: 2, says: 'user name or password', secrets })
  })

  test('credentials come by variable, file and standard input, and stay out of every output', async () => {
    const secret = 'hunter2-hunter2'
    const server = await startRawServer([answers(200, { event: 'BOOKING_CREATED', webhookUrl: URL })])
    const options = { env: { ...freshHome(), ...server.env, HOOK: secret }, input: `${secret}-2\n` }
    const args = ['webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:HOOK', '--security-token', '-']
    const done = await runPartner([...args, '-v'], options)
    expect(done).toMatchObject({ code: 0 })
    expect(done.stdout + done.stderr).not.toContain('hunter2')
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      event: 'BOOKING_CREATED',
      webhookUrl: URL,
      securityKey: secret,
      securityToken: `${secret}-2`,
    })
  })

  test('a variable that is not set is exit 4', async () => {
    const done = await run('webhooks', 'create', 'BOOKING_CREATED', URL, '--security-key', 'env:NOT_THERE')
    expectRefusal(done, { code: 4, says: 'NOT_THERE' })
  })

  test('a subscription that the service answers with an error message is exit 10', async () => {
    const server = await startRawServer([
      answers(200, { event: 'BOOKING_CREATED', errorMessage: 'URL did not answer' }),
    ])
    const done = await runPartner(['webhooks', 'create', 'BOOKING_CREATED', URL], {
      env: { ...freshHome(), ...server.env },
    })
    expectRefusal(done, { code: 10, says: 'URL did not answer' })
  })

  test('the documented refusal of a gift card subscription', async () => {
    const done = await run('webhooks', 'create', 'GIFTCARDS_CREATED', 'https://nowhere.invalid/')
    expectRefusal(done, { code: 5, says: 'Giftcard Webhook Request Failed Verification.' })
  })
})

describe('inbound', () => {
  const CARD = 'GIFT1-00000100-AAAA'

  test('balance, then redeem, then the balance is less', async () => {
    expect(await json('inbound', 'balance', CARD)).toMatchObject({ remainingAmount: 100 })
    expect(await json('inbound', 'redeem', CARD, '--amount', '1.50')).toMatchObject({ isSuccess: true })
    expect(await json('inbound', 'balance', CARD)).toMatchObject({ remainingAmount: 98.5 })
  })

  test('no API key is sent, and the signature is over the body and the URL that was requested', async () => {
    const server = await startRawServer([answers(200, { remainingAmount: 1 })])
    const done = await runPartner(['inbound', 'balance', CARD, '--param', 'a=b c', '--json'], {
      env: { ...freshHome(), ...env, ...server.env },
    })
    expect(done).toMatchObject({ code: 0 })
    const [request] = server.requests
    expect(request?.headers).not.toHaveProperty('x-api-key')
    const url = `${server.baseUrl}${request?.target}`
    const verified = await runPartner(
      ['sign', 'verify', '--signature', request?.headers['x-partner-signature'] ?? '', '--url', url, '--body', '-'],
      { env: { ...freshHome(), ...SIGNED }, input: request?.body },
    )
    expect(request?.target).toMatch(/\/giftcards\/balance\?a=b%20c$/)
    expect(verified).toMatchObject({ code: 0 })
  })

  test('a business failure in a 200 is exit 10', async () => {
    expectRefusal(await run('inbound', 'balance', 'AAAAA-AAAAAAAA-AAAA'), { code: 10, says: 'not found' })
    expectRefusal(await run('inbound', 'redeem', CARD, '--amount', '5000'), { code: 10, says: /balance/ })
  })

  test('an event: sent byte for byte; without a body it is a usage error', async () => {
    const done = await run('inbound', 'event', 'webhooks.test_notification', '--data', '{ "n": 1.00 }')
    expect(done).toMatchObject({ code: 0, stdout: '{"eventType":"webhooks.test_notification","outcome":"ignored"}' })
    const server = await startRawServer([answers(200, {})])
    await runPartner(['inbound', 'event', 'x', '--data', '-'], {
      env: { ...freshHome(), ...env, ...server.env },
      input: '{ "n": 1.00 }\n',
    })
    expect(server.requests[0]?.body).toBe('{ "n": 1.00 }\n')
    expectRefusal(await run('inbound', 'event', 'x'), { code: 2, says: '--data is required' })
    expectRefusal(await run('inbound', 'event', 'x/y', '--data', '{'), {
      code: 2,
      says: /TYPE[^\n]*\n {2}--data is not JSON/,
    })
  })

  test('send posts to any path below the base URL, and to no other place', async () => {
    const path = `/partners/${sandbox.partnerName}/giftcards/balance`
    const data = JSON.stringify({ cardNumber: CARD, locationId: sandbox.locationId })
    const done = await run('inbound', 'send', path, '--data', data)
    expect(JSON.parse(done.stdout)).toMatchObject({ cardNumber: CARD })
    for (const wrong of ['../x', '/a/%2e%2e/b', 'https://evil.example/x', '//evil.example/x', '/a b', ''])
      expectRefusal(await run('inbound', 'send', wrong, '--data', '{}'), { code: 2, says: /PATH/ })
  })

  test('a wrong secret is refused by the service, a missing one by us', async () => {
    const home = freshHome()
    const wrong = { ...home, ...env, PARTNER_SIGNING_SECRET: 'wrong' }
    const refused = await runPartner(['inbound', 'balance', CARD], { env: wrong })
    expectRefusal(refused, { code: 5, says: 'Invalid signature', next: /sign verify/ })
    for (const missing of [
      'PARTNER_SIGNING_SECRET',
      'PARTNER_NAME',
      'PARTNER_SIGNATURE_HEADER',
      'PARTNER_LOCATION_ID',
    ]) {
      const done = await runPartner(['inbound', 'balance', CARD], { env: { ...home, ...env, [missing]: undefined } })
      expectRefusal(done, { code: 4, says: /there is no /, next: new RegExp(missing) })
    }
  })

  test('the profile sandbox brings all of it', async () => {
    const done = await runPartner(['inbound', 'balance', CARD, '--profile', 'sandbox', '--json'], { env: freshHome() })
    expect(JSON.parse(done.stdout)).toMatchObject({ cardNumber: CARD, remainingAmount: 100 })
  })
})
