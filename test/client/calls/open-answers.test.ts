import { describe, expect, test } from 'vitest'
import { freshHome, runPartner } from '../../support/partner.ts'
import { type Act, answers, RAW_KEY, startRawServer, truncated } from '../../support/raw-server.ts'
import { expectRefusal, reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'

const URL = 'https://till.example/hooks'
const RESERVATION = [
  ...words('reservations create --people 2 --service s --section s --first-name Ada --last-name Ng'),
  ...['--time', '2026-12-24 19:00', '--phone', '+61400000000'],
]

interface OpenWrite {
  readonly args: readonly string[]
  /** What the command prints of its own when the answer is no JSON. */
  readonly own: object
  /** Whether it always prints that. */
  readonly isOwn?: boolean
}

/** Writes whose answer is not documented. */
const WRITES: Readonly<Record<string, OpenWrite>> = {
  'bookings create': {
    args: [...words('bookings create --people 2 --time'), '2026-12-24 19:00'],
    own: { bookingId: null },
  },
  'bookings update': {
    args: [...words('bookings update BK-1 --people 2 --time'), '2026-12-24 19:00'],
    own: { bookingId: 'BK-1' },
  },
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
  'webhooks create': {
    args: ['webhooks', 'create', 'BOOKING_CREATED', URL],
    own: { event: 'BOOKING_CREATED', webhookUrl: URL },
  },
  'webhooks update': {
    args: ['webhooks', 'update', 'BOOKING_CREATED', URL],
    own: { event: 'BOOKING_CREATED', webhookUrl: URL },
  },
  'webhooks delete': {
    args: words('webhooks delete BOOKING_CREATED --yes'),
    own: { event: 'BOOKING_CREATED', deleted: true },
  },
}

const HTML = '<!doctype html>\n<title>Done</title>'
const asJson = (body: string, status = 200) => answers(status, body, { 'content-type': 'application/json' })

async function run(args: readonly string[], act: Act, ...more: string[]) {
  const server = await startRawServer((request) =>
    request.method === 'GET' ? asJson('[{"code":"SEATED","name":"Seated"}]') : act,
  )
  const done = await runPartner([...args, '--retries', '0', ...more], { env: { ...freshHome(), ...server.env } })
  return { ...done, writes: server.requests.filter(({ method }) => method !== 'GET').length }
}

describe.each(Object.entries(WRITES))('%s', (_name, { args, own, isOwn = false }) => {
  test.each([
    ['nothing', answers(200), ''],
    ['a 204', answers(204), ''],
    ['null', asJson('null'), ''],
    ['text', answers(200, 'OK'), 'OK'],
    ['a web page', answers(200, HTML, { 'content-type': 'text/html' }), HTML],
    ['half an object, complete by its length', asJson('{"bookingId":"BK-'), '{"bookingId":"BK-'],
  ])('answered with %s is done', async (_what, act, came) => {
    const done = await run(args, act, '--json')
    expect(done).toMatchObject({ code: 0, writes: 1 })
    const { status: _status, ...printed } = JSON.parse(done.stdout)
    const { status: _own, ...expected } = own as { status?: number }
    expect(printed).toEqual(came === '' || isOwn ? expected : { ...expected, answer: came })
    const table = await run(args, act)
    expect(table.code).toBe(0)
    expect(table.stdout).not.toBe('')
    if (came !== '' && !isOwn) {
      expect(table.stdout).toContain(came.split('\n')[0])
      expect(table.stderr).toMatch(/warning: the service answered 200 with .* that is no JSON/)
      expect((await run(args, act, '-o', 'csv')).stdout).toContain('answer')
    }
  })

  test.each(['[{"ok":true}]', '"OK"', '12.50', 'true', '{"ok":1,"more":{}}'])(
    'answered with %s prints that',
    async (body) => {
      const done = await run(args, asJson(body), '--json')
      expect(done).toMatchObject({ code: 0, writes: 1 })
      if (!isOwn) expect(done.stdout).toBe(`${body}\n`)
    },
  )

  test('answered with any 2xx is done', async () => {
    for (const status of [201, 202, 299]) expect(await run(args, asJson('{"a":1}', status))).toMatchObject({ code: 0 })
  })

  test('is exit 10 when the answer says isSuccess false, in whatever form', async () => {
    for (const body of ['{"isSuccess":false,"errorMessage":"No."}', '[{"isSuccess":false,"errorMessage":"No."}]']) {
      const failed = await run(args, asJson(body), '--json')
      expect(failed).toMatchObject({ code: 10, stdout: '', writes: 1 })
      expect(reportedError(failed)).toMatchObject({ message: 'No.', outcome: 'not-applied' })
    }
    expect(await run(args, asJson('{"isSuccess": false,"errorMess'))).toMatchObject({ code: 10, stdout: '' })
  })

  test('is exit 9 when the answer breaks off', async () => {
    expect(await run(args, truncated('{"bookingId":"BK-1"}', 9))).toMatchObject({ code: 9, stdout: '' })
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
    expectRefusal(done, { code: 9, says: /not known/, next: /partner bookings list/, secrets: [RAW_KEY] })
    expect(done.writes).toBe(1)
  })

  test.each(['{"bookingId":"BK-9"}', '{"bookingId":"BK-9","isSuccess":null,"time":7}', '{"isSuccess":true}'])(
    'is done when answered with %s',
    async (body) => {
      for (const status of [200, 201])
        expect(await run(RESERVATION, asJson(body, status), '--json')).toMatchObject({ code: 0, stdout: `${body}\n` })
    },
  )
})

test('api takes any answer to such a write, too', async () => {
  const pax = words('api PATCH /Bookings/BK-1/updatepax --set pax=3')
  expect(await run(pax, asJson('{"bookingId":"BK-'))).toMatchObject({ code: 0, stdout: '{"bookingId":"BK-' })
  expect(await run(pax, asJson('{"ok":1}', 202))).toMatchObject({ code: 0, stdout: '{"ok":1}' })
  expect(await run(pax, asJson('{"isSuccess":false,"errorMessage":"No."}'))).toMatchObject({ code: 10, stdout: '' })
})
