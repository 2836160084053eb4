import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, runAgainst, startRawServer, truncated } from '../../support/raw-server.ts'
import { expectRefusal, refused, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const TIME = '2026-12-24 19:00'
const HOOK = { event: 'BOOKING_CREATED', webhookUrl: 'https://till.example/hooks' }
const PAGE = ['<!doctype html>\n<title>Done</title>', { 'content-type': 'text/html' }] as const
const RESERVATION = [
  ...words('reservations create --people 2 --service s --section s --first-name Ada --last-name Ng'),
  ...['--time', TIME, '--phone', '+61400000000'],
]

const SALE = {
  origin: { saleId: 'S-1' },
  source: { type: 'POS' },
  type: 'SALE',
  openedZonedDateTime: '2026-11-20T18:00:00Z',
  staff: { id: 'a' },
  table: { seats: 2 },
  bookingId: 'BK-1',
}
const SIGNING = {
  PARTNER_SIGNING_SECRET: 'open-answers-secret',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
}

interface OpenWrite {
  readonly args: readonly string[]
  /** The object that the command prints instead of a response that is not JSON. */
  readonly own: object
  /** Whether the command always prints its own object, with the text of the response in `message`. */
  readonly isOwn?: boolean
}

/** Writes whose response is not documented. */
const WRITES: Readonly<Record<string, OpenWrite>> = {
  'bookings create': { args: [...words('bookings create --people 2 --time'), TIME], own: { bookingId: null } },
  'bookings update': { args: [...words('bookings update BK-1 --people 2 --time'), TIME], own: { bookingId: 'BK-1' } },
  'bookings update-pax': { args: words('bookings update-pax BK-1 3'), own: { bookingId: 'BK-1' } },
  'bookings update-status': { args: words('bookings update-status BK-1 SEATED'), own: { bookingId: 'BK-1' } },
  'bookings update-tables': { args: words('bookings update-tables BK-1 --table Bar/B1'), own: { bookingId: 'BK-1' } },
  'sales create': {
    args: words('sales create --sale-id S-1 --staff-id a --seats 2 --booking-id BK-1'),
    own: { saleId: 'S-1' },
  },
  'customers unsubscribe': {
    args: words('customers unsubscribe C-1'),
    own: { id: 'C-1', outcome: 'unsubscribed', status: 200, message: null },
    isOwn: true,
  },
  'webhooks create': { args: ['webhooks', 'create', HOOK.event, HOOK.webhookUrl], own: HOOK },
  'webhooks update': { args: ['webhooks', 'update', HOOK.event, HOOK.webhookUrl], own: HOOK },
  'webhooks delete': {
    args: words('webhooks delete BOOKING_CREATED --yes'),
    own: { event: 'BOOKING_CREATED', deleted: true },
  },
}

const asJson = (body: string, status = 200) => answers(status, body, { 'content-type': 'application/json' })

async function run(args: readonly string[], act: Act, ...more: string[]) {
  const server = await startRawServer((request) =>
    request.method === 'GET' ? asJson('[{"code":"SEATED","name":"Seated"}]') : act,
  )
  const done = await server.run([...args, '--retries', '0', ...more], { env: SIGNING })
  return { ...done, writes: server.requests.filter(({ method }) => method !== 'GET').length }
}

/** 2xx responses that are incomplete or do not come from the service. All writes are tested with the first two. */
const NO_ANSWERS: readonly (readonly [what: string, act: Act])[] = [
  ['a web page', answers(200, ...PAGE)],
  ['half an object with a matching Content-Length', asJson('{"bookingId":"BK-')],
  ['a web page with the content type JSON', asJson(PAGE[0])],
  ['a web page with the content type text', answers(200, `\n${PAGE[0]}`)],
  ['a fragment of a web page', answers(200, 'Please <a href="/login">log in</a>', { 'content-type': 'text/html' })],
  ['half an object with the content type text', answers(200, '{"bookingId":"BK-')],
  ['half an object with isSuccess false', asJson('{"isSuccess": false,"errorMess')],
  ['text with the content type JSON', asJson('Thank you')],
  ['a truncated response', truncated('{"bookingId":"BK-1"}', 9)],
]

describe.each(Object.entries(WRITES))('%s', (name, { args, own, isOwn = false }) => {
  test.each([
    ['an empty body', answers(200), ''],
    ['a 204', answers(204), ''],
    ['null', asJson('null'), ''],
    ['whitespace', asJson(' \n'), ''],
    ['text', answers(200, 'OK'), 'OK'],
    ['text with the content type HTML', answers(200, 'OK', { 'content-type': 'text/html' }), 'OK'],
  ])(`${name} succeeds if the response is %s`, async (_what, act, came) => {
    const done = await run(args, act, '--json')
    expect(done).toMatchObject({ code: 0, writes: 1 })
    const { status: _status, ...printed } = JSON.parse(done.stdout)
    const { status: _own, ...expected } = own as { status?: number }
    expect(printed).toEqual(came === '' ? expected : { ...expected, ...(isOwn ? { message: came } : { answer: came }) })
    const table = await run(args, act)
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) })
    if (came !== '' && !isOwn) {
      expect(table.stdout).toContain(came.split('\n')[0])
      expect(table.stderr).toMatch(/warning: .*answered 200, which indicates success, but the body is not JSON/s)
      expect((await run(args, act, '-o', 'csv')).stdout).toContain('answer')
    }
  })

  const bodies = ['[{"ok":true}]', '"OK"', '12.50', 'true', '{"ok":1,"more":{}}']
  test.each(bodies)(`${name} prints the response %s`, async (body) => {
    const done = await run(args, asJson(body), '--json')
    expect(done).toMatchObject({ code: 0, writes: 1, ...(isOwn ? {} : { stdout: `${body}\n` }) })
  })

  test(`${name} succeeds with any 2xx status`, async () => {
    for (const status of [201, 202, 299]) expect(await run(args, asJson('{"a":1}', status))).toMatchObject({ code: 0 })
  })

  test(`${name} exits with code 10 if the response is an object or a list that contains isSuccess: false`, async () => {
    for (const body of ['{"isSuccess":false,"errorMessage":"No."}', '[{"isSuccess":false,"errorMessage":"No."}]']) {
      const failed = await run(args, asJson(body), '--json')
      expect(failed).toMatchObject({ code: 10, stdout: '', writes: 1 })
      expect(reportedError(failed)).toMatchObject({ message: 'No.', outcome: 'not-applied' })
    }
  })

  test.each(NO_ANSWERS.slice(0, 2))(`${name} exits with code 9 if the response is %s`, async (_what, act) => {
    const lost = await run(args, act, '--json')
    expect(lost).toMatchObject({ code: 9, stdout: '', writes: 1 })
    expect(reportedError(lost)).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
  })
})

describe('reservations create', () => {
  test.each([
    ['an empty body', answers(201)],
    ['null', asJson('null', 201)],
    ['text', answers(201, 'Created')],
    ['half an object', asJson('{"bookingId":"BK-', 201)],
    ['an object with neither an ID nor isSuccess', asJson('{"message":"thanks"}', 201)],
    ['an empty object', asJson('{}', 201)],
  ])('reservations create exits with code 9 and says how to check if the response is %s', async (_what, act) => {
    const done = await run(RESERVATION, act)
    expectRefusal(done, { code: 9, says: /not known/, next: /partner bookings list/ })
    expect(done.writes).toBe(1)
  })

  const bodies = ['{"bookingId":"BK-9"}', '{"bookingId":"BK-9","isSuccess":null,"time":7}', '{"isSuccess":true}']
  test.each(bodies)('reservations create succeeds if the response is %s', async (body) => {
    for (const status of [200, 201])
      expect(await run(RESERVATION, asJson(body, status), '--json')).toMatchObject({ code: 0, stdout: `${body}\n` })
  })
})

describe.each([
  ['api', words('api PATCH /Bookings/BK-1/updatepax --set pax=3')],
  ['inbound event', [...words('inbound event sale.closed --data'), '{"saleId":"S-1"}']],
  ['inbound send', [...words('inbound send /partners/pos/bookings --data'), '{"a":1}']],
])('%s', (name, args) => {
  test(`${name} prints any response unchanged`, async () => {
    expect(await run(args, answers(200))).toMatchObject({ code: 0, stdout: '' })
    expect(await run(args, answers(200, 'OK'))).toMatchObject({ code: 0, stdout: 'OK' })
    expect(await run(args, asJson('{"ok":1}', 202))).toMatchObject({ code: 0, stdout: '{"ok":1}' })
  })

  test(`${name} exits with code 10 if the response contains isSuccess: false, regardless of its content type`, async () => {
    for (const act of [asJson('{"isSuccess":false,"errorMessage":"No."}'), answers(200, '{"isSuccess":false}')])
      expect(await run(args, act)).toMatchObject({ code: 10, stdout: '' })
  })

  test.each(NO_ANSWERS.slice(0, 2))(`${name} exits with code 9 if the response is %s`, async (_what, act) => {
    expect(await run(args, act)).toMatchObject({ code: 9, stdout: '', writes: 1 })
  })
})

test.each(NO_ANSWERS)('a write exits with code 9 if the response is %s', async (_what, act) => {
  for (const args of [words('bookings update-pax BK-1 3'), words('api POST /Elsewhere --set a=1')])
    expect(await run(args, act)).toMatchObject({ code: 9, stdout: '', writes: 1 })
})

describe.each([
  ['a single object', words('bookings get BK-1')],
  ['a list', words('bookings list --from today')],
  ['a list through api', words('api GET /Bookings')],
  ['an object through api', words('api GET /Bookings/BK-1')],
  ['an unknown path through api', words('api GET /Elsewhere')],
])('reading %s', (name, args) => {
  test.each([
    ['a web page', answers(200, ...PAGE)],
    ['a web page with the content type JSON', asJson(PAGE[0])],
  ])(`reading ${name} exits with code 8 if the response is %s`, (_what, act) =>
    refused(runAgainst([act], [...args, '--retries', '0']), 8, /\S/),
  )
})

test('if the response to a sale is a web page, sales create resends the sale and accepts a 409 as confirmation', async () => {
  const acts = [answers(200, ...PAGE), answers(409, { message: 'Duplicate sale.' })]
  const server = await startRawServer((request) =>
    request.method === 'GET' ? asJson('{"items":[]}') : (acts.shift() ?? answers(500)),
  )
  const { args } = WRITES['sales create'] as OpenWrite
  const said = expect.stringContaining('the response was lost, but the sale arrived')
  expect(await server.run(args)).toMatchObject({ code: 0, stderr: said })
})

test('sales import reports the outcome of a line as unknown if the response is a web page', async () => {
  const home = freshHome()
  const file = `${home.PARTNER_DATA_DIR}.ndjson`
  writeFileSync(file, `${JSON.stringify(SALE)}\n`)
  const server = await startRawServer(({ method }) =>
    method === 'GET' ? asJson('{"items":[]}') : answers(200, ...PAGE),
  )
  const env = { ...home, ...server.env }
  const done = await runPartner([...words('sales import -o ndjson --retries 0'), file], { env })
  expect(done.code, done.stderr).toBe(11)
  expect(JSON.parse(done.stdout)).toMatchObject({ saleId: 'S-1', outcome: 'unknown' })
})
