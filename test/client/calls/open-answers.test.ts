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
  /** What the command prints of its own when the answer is no JSON. */
  readonly own: object
  /** Whether it always prints that, with the text of the answer as `message`. */
  readonly isOwn?: boolean
}

/** Writes whose answer is not documented. */
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

/** Replies with a status of success that did not come from the service, or not whole. The first two are tried with every write. */
const NO_ANSWERS: readonly (readonly [what: string, act: Act])[] = [
  ['a web page', answers(200, ...PAGE)],
  ['half an object that is complete by its length', asJson('{"bookingId":"BK-')],
  ['a web page that is announced as JSON', asJson(PAGE[0])],
  ['a web page that is announced as text', answers(200, `\n${PAGE[0]}`)],
  ['a piece of a web page', answers(200, 'Please <a href="/login">log in</a>', { 'content-type': 'text/html' })],
  ['half an object that is announced as text', answers(200, '{"bookingId":"BK-')],
  ['half a failure', asJson('{"isSuccess": false,"errorMess')],
  ['text that is announced as JSON', asJson('Thank you')],
  ['an answer that breaks off', truncated('{"bookingId":"BK-1"}', 9)],
]

describe.each(Object.entries(WRITES))('%s', (_name, { args, own, isOwn = false }) => {
  test.each([
    ['nothing', answers(200), ''],
    ['a 204', answers(204), ''],
    ['null', asJson('null'), ''],
    ['white space', asJson(' \n'), ''],
    ['text', answers(200, 'OK'), 'OK'],
    ['text that is announced as HTML', answers(200, 'OK', { 'content-type': 'text/html' }), 'OK'],
  ])('answered with %s is done', async (_what, act, came) => {
    const done = await run(args, act, '--json')
    expect(done).toMatchObject({ code: 0, writes: 1 })
    const { status: _status, ...printed } = JSON.parse(done.stdout)
    const { status: _own, ...expected } = own as { status?: number }
    expect(printed).toEqual(came === '' ? expected : { ...expected, ...(isOwn ? { message: came } : { answer: came }) })
    const table = await run(args, act)
    expect(table).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) })
    if (came !== '' && !isOwn) {
      expect(table.stdout).toContain(came.split('\n')[0])
      expect(table.stderr).toMatch(/warning: the service answered 200 with .* that is not JSON/)
      expect((await run(args, act, '-o', 'csv')).stdout).toContain('answer')
    }
  })

  const bodies = ['[{"ok":true}]', '"OK"', '12.50', 'true', '{"ok":1,"more":{}}']
  test.each(bodies)('answered with %s prints that', async (body) => {
    const done = await run(args, asJson(body), '--json')
    expect(done).toMatchObject({ code: 0, writes: 1, ...(isOwn ? {} : { stdout: `${body}\n` }) })
  })

  test('answered with any 2xx is done', async () => {
    for (const status of [201, 202, 299]) expect(await run(args, asJson('{"a":1}', status))).toMatchObject({ code: 0 })
  })

  test('is exit 10 when the answer says isSuccess false, in whatever form', async () => {
    for (const body of ['{"isSuccess":false,"errorMessage":"No."}', '[{"isSuccess":false,"errorMessage":"No."}]']) {
      const failed = await run(args, asJson(body), '--json')
      expect(failed).toMatchObject({ code: 10, stdout: '', writes: 1 })
      expect(reportedError(failed)).toMatchObject({ message: 'No.', outcome: 'not-applied' })
    }
  })

  test.each(NO_ANSWERS.slice(0, 2))('is exit 9 when answered with %s', async (_what, act) => {
    const lost = await run(args, act, '--json')
    expect(lost).toMatchObject({ code: 9, stdout: '', writes: 1 })
    expect(reportedError(lost)).toMatchObject({ code: 'OUTCOME_UNKNOWN', outcome: 'unknown' })
  })
})

describe('reservations create, whose answer is documented,', () => {
  test.each([
    ['nothing', answers(201)],
    ['null', asJson('null', 201)],
    ['text', answers(201, 'Created')],
    ['half an object', asJson('{"bookingId":"BK-', 201)],
    ['an object without an ID that does not say that it is a success', asJson('{"message":"thanks"}', 201)],
    ['an empty object', asJson('{}', 201)],
  ])('is exit 9 when answered with %s, and says how to check', async (_what, act) => {
    const done = await run(RESERVATION, act)
    expectRefusal(done, { code: 9, says: /not known/, next: /partner bookings list/ })
    expect(done.writes).toBe(1)
  })

  const bodies = ['{"bookingId":"BK-9"}', '{"bookingId":"BK-9","isSuccess":null,"time":7}', '{"isSuccess":true}']
  test.each(bodies)('is done when answered with %s', async (body) => {
    for (const status of [200, 201])
      expect(await run(RESERVATION, asJson(body, status), '--json')).toMatchObject({ code: 0, stdout: `${body}\n` })
  })
})

describe.each([
  ['api', words('api PATCH /Bookings/BK-1/updatepax --set pax=3')],
  ['inbound event', [...words('inbound event sale.closed --data'), '{"saleId":"S-1"}']],
  ['inbound send', [...words('inbound send /partners/pos/bookings --data'), '{"a":1}']],
])('%s', (_name, args) => {
  test('prints any answer as it came', async () => {
    expect(await run(args, answers(200))).toMatchObject({ code: 0, stdout: '' })
    expect(await run(args, answers(200, 'OK'))).toMatchObject({ code: 0, stdout: 'OK' })
    expect(await run(args, asJson('{"ok":1}', 202))).toMatchObject({ code: 0, stdout: '{"ok":1}' })
  })

  test('is exit 10 when the answer says isSuccess false, whatever type it is announced as', async () => {
    for (const act of [asJson('{"isSuccess":false,"errorMessage":"No."}'), answers(200, '{"isSuccess":false}')])
      expect(await run(args, act)).toMatchObject({ code: 10, stdout: '' })
  })

  test.each(NO_ANSWERS.slice(0, 2))('is exit 9 when answered with %s', async (_what, act) => {
    expect(await run(args, act)).toMatchObject({ code: 9, stdout: '', writes: 1 })
  })
})

test.each(NO_ANSWERS)('a write answered with %s is exit 9', async (_what, act) => {
  for (const args of [words('bookings update-pax BK-1 3'), words('api POST /Elsewhere --set a=1')])
    expect(await run(args, act)).toMatchObject({ code: 9, stdout: '', writes: 1 })
})

describe.each([
  ['a single object', words('bookings get BK-1')],
  ['a list', words('bookings list --from today')],
  ['a list through api', words('api GET /Bookings')],
  ['an object through api', words('api GET /Bookings/BK-1')],
  ['an unknown path through api', words('api GET /Elsewhere')],
])('reading %s', (_name, args) => {
  test.each([
    ['a web page', answers(200, ...PAGE)],
    ['a web page that is announced as JSON', asJson(PAGE[0])],
  ])('is exit 8 when answered with %s', (_what, act) =>
    refused(runAgainst([act], [...args, '--retries', '0']), 8, /\S/),
  )
})

test('a sale whose answer was a web page is sent again, and a 409 proves that it arrived', async () => {
  const acts = [answers(200, ...PAGE), answers(409, { message: 'Duplicate sale.' })]
  const server = await startRawServer((request) =>
    request.method === 'GET' ? asJson('{"items":[]}') : (acts.shift() ?? answers(500)),
  )
  const { args } = WRITES['sales create'] as OpenWrite
  const said = expect.stringContaining('the answer was lost, but the sale arrived')
  expect(await server.run(args)).toMatchObject({ code: 0, stderr: said })
})

test('a line of a sales import whose answer was a web page is unknown', async () => {
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
