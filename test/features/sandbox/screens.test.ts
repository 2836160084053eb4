import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src/base/json/exact.ts'
import { clockViews } from '../../../src/features/sandbox/views/clock.ts'
import { deliveryViews } from '../../../src/features/sandbox/views/deliveries.ts'
import { faultViews } from '../../../src/features/sandbox/views/faults.ts'
import { journalLine, journalList } from '../../../src/features/sandbox/views/journal.ts'
import type { Views } from '../../../src/terminal/output/many/venue.ts'
import type { ListView } from '../../../src/terminal/render/view.ts'
import { card as cardOf, table } from '../shown.ts'

const card = (record: JsonObject, { card, list }: Views, asked = {}) => cardOf(record, card, list, asked)

const fault = (id: number, endpoint: string, effect: JsonObject, more: JsonObject): JsonObject => ({
  ...{ id, seen: 0, fired: 0, endpoint, effect },
  ...more,
})
const bad = { kind: 'status', status: 400, message: 'Invalid booking status X; valid values come from elsewhere' }
const faults: readonly JsonObject[] = [
  fault(1, 'GET /GiftCards/{cardNumber}', { kind: 'status', status: 503 }, { seen: 3, fired: 2, next: 2 }),
  fault(12, 'PATCH /Bookings/{bookingId}/updatestatus', bad, { share: 12.5, seed: 77 }),
  fault(13, 'POST /GiftCards/redeem', { kind: 'reset' }, { seen: 2, phase: 'after', nth: 3 }),
]

const ofCard = { path: '/GiftCards/GIFT1-00000100-AAAA', endpoint: 'giftcards.get' }
const query = 'StartDate=2026-11-20T13%3A00%3A00.000Z&EndDate=2026-11-21T12%3A59%3A59.999Z'
const journal: readonly JsonObject[] = [
  entry({ ...ofCard, status: 200 }),
  entry({ ...ofCard, status: null, note: 'fault: reset', faults: [1] }),
  entry({ path: '/Bookings', query, endpoint: 'bookings.list', status: 200, ms: 12.7 }),
  entry({ path: '/giftcards/\u001b[31mX', status: 404, note: 'no endpoint has this path' }),
]

function entry(given: JsonObject): JsonObject {
  const usual = { at: '2026-11-20T13:59:51.123Z', method: 'GET', query: '', endpoint: null, ms: 1.2, note: null }
  return { ...usual, faults: [], request: { headers: {}, body: null }, response: { body: null }, ...given }
}

const attempt = { at: '2026-11-20T13:59:53.000Z', delivered: false, status: 503, error: null, ms: 8 }
const refused = { ...attempt, status: null, error: 'ECONNREFUSED' }
const created = '2026-11-20T13:59:53.000Z'
const deliveries: readonly JsonObject[] = [
  {
    ...{ id: 1, event: 'GIFTCARDS_REDEEMED', subject: 'GIFT1-00000100-AAAA', created, state: 'delivered', due: null },
    attempts: [attempt, { ...attempt, delivered: true, status: 200 }],
  },
  {
    ...{ id: 2, event: 'BOOKING_CREATED', subject: '691f1e2a0000000000000001', created, state: 'pending' },
    ...{ due: '2026-11-20T14:06:14.000Z', attempts: [refused, refused, refused] },
  },
]

/** Renders records as a table, for a narrow and for a wide terminal. */
const tables = async (records: readonly JsonObject[], view: ListView) => [
  ...(await table(records, view, { columns: 80 })),
  ...(await table(records, view, { columns: 140 })),
]

test('the list of faults fits 80- and 140-column terminals', async () =>
  expect(await tables(faults, faultViews.list)).toMatchInlineSnapshot(`
    [
      "ID  ENDPOINT                      FAULT               AFFECTS           AFFECTED",
      " 1  GET /GiftCards/{cardNumber}   status 503          the next 2, done         2",
      "12  PATCH /Bookings/{bookingId}…  status 400: Inval…  12.5%, seed 77           0",
      "13  POST /GiftCards/redeem        connection reset    request 3                0",
      "ID  ENDPOINT                                  FAULT                                                 CHANGE  AFFECTS           SEEN  AFFECTED",
      " 1  GET /GiftCards/{cardNumber}               status 503                                                    the next 2, done     3         2",
      "12  PATCH /Bookings/{bookingId}/updatestatus  status 400: Invalid booking status X; valid values…           12.5%, seed 77       0         0",
      "13  POST /GiftCards/redeem                    connection reset                                      made    request 3            2         0",
    ]
  `))

test('the journal fits 80- and 140-column terminals', async () =>
  expect(await tables(journal, journalList)).toMatchInlineSnapshot(`
    [
      "AT              STATUS  METHOD  PATH                   WHY",
      "11-20 13:59:51  200     GET     /GiftCards/GIFT1-000…",
      "11-20 13:59:51  none    GET     /GiftCards/GIFT1-000…  fault: reset",
      "11-20 13:59:51  200     GET     /Bookings?StartDate=…",
      "11-20 13:59:51  404     GET     /giftcards/\\u001b[31…  no endpoint has this path",
      "AT              STATUS  METHOD  PATH                                                  WHY                        ENDPOINT         MS  FAULTS",
      "11-20 13:59:51  200     GET     /GiftCards/GIFT1-00000100-AAAA                                                   giftcards.get   1.2",
      "11-20 13:59:51  none    GET     /GiftCards/GIFT1-00000100-AAAA                        fault: reset               giftcards.get   1.2  1",
      "11-20 13:59:51  200     GET     /Bookings?StartDate=2026-11-20T13%3A00%3A00.000Z&En…                             bookings.list  12.7",
      "11-20 13:59:51  404     GET     /giftcards/\\u001b[31mX                                no endpoint has this path                  1.2",
    ]
  `))

test('the list of deliveries fits 80- and 140-column terminals', async () =>
  expect(await tables(deliveries, deliveryViews.list)).toMatchInlineSnapshot(`
    [
      "ID  EVENT               SUBJECT                   STATE      RESPONSES",
      " 1  GIFTCARDS_REDEEMED  GIFT1-00000100-AAAA       delivered  503, 200",
      " 2  BOOKING_CREATED     691f1e2a0000000000000001  pending    ECONNREFUSED, ECON…",
      "ID  EVENT               SUBJECT                   STATE      RESPONSES                              NEXT ATTEMPT         CREATED",
      " 1  GIFTCARDS_REDEEMED  GIFT1-00000100-AAAA       delivered  503, 200                                                    2026-11-20 13:59:53",
      " 2  BOOKING_CREATED     691f1e2a0000000000000001  pending    ECONNREFUSED, ECONNREFUSED, ECONNREF…  2026-11-20 14:06:14  2026-11-20 13:59:53",
    ]
  `))

test.each([80, 140])('sandbox tables and cards fit a %d-column terminal', async (columns) => {
  const lines = [
    ...(await table(faults, faultViews.list, { columns })),
    ...(await table(journal, journalList, { columns })),
    ...(await table(deliveries, deliveryViews.list, { columns })),
    ...(await Promise.all(faults.map((fault) => card(fault, faultViews, { columns })))).flat(),
    ...(await Promise.all(deliveries.map((one) => card(one, deliveryViews, { columns })))).flat(),
  ]
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('the delivery card lists all attempts', async () => {
  const [first = {}] = deliveries
  expect(await card(first, deliveryViews)).toMatchInlineSnapshot(`
    [
      "Delivery 1  GIFTCARDS_REDEEMED  delivered",
      "",
      "  Subject  GIFT1-00000100-AAAA",
      "  Created  2026-11-20 13:59:53 UTC",
      "",
      "Attempts",
      "  AT (UTC)             RESPONSE  MS",
      "  2026-11-20 13:59:53  503        8",
      "  2026-11-20 13:59:53  200        8",
    ]
  `)
  expect(await card({ ...first, attempts: [] }, deliveryViews)).toContain('  Attempts  none yet')
})

test('the fault card says which requests the fault affects', async () => {
  const [, , third = {}] = faults
  expect(await card(third, faultViews)).toMatchInlineSnapshot(`
    [
      "Fault 13  connection reset",
      "",
      "  Endpoint  POST /GiftCards/redeem",
      "  Affects   request 3",
      "  Change    made",
      "  So far    affected 0 of 2 requests",
    ]
  `)
})

test.each([
  [{ kind: 'latency', ms: 2000 }, '2s late'],
  [{ kind: 'close' }, 'connection closed'],
  [{ kind: 'hang' }, 'no response'],
  [{ kind: 'truncate', bytes: 20 }, 'truncated after 20 bytes'],
  [{ kind: 'malformed' }, 'malformed JSON'],
  [{ kind: 'dribble' }, 'body sent in pieces'],
  [{ kind: 'oversize', bytes: 1024 }, '1024 bytes larger'],
  [{ kind: 'redirect', url: 'http://a' }, 'redirect to http://a'],
  [{ kind: 'skew', ms: -300_000 }, 'Date off by -5m'],
  [{ kind: 'duplicate-webhook', times: 3 }, 'webhooks 3 times'],
  [{ kind: 'late-webhook', ms: 60_000 }, 'webhooks 1m late'],
  [{ kind: 'lost-webhook' }, 'webhooks lost'],
])('the fault card for %j has the title "%s"', async (effect, words) => {
  const [title] = await card({ id: 1, seen: 0, fired: 0, endpoint: '*', effect }, faultViews)
  expect(title).toBe(`Fault 1  ${words}`)
})

test("the clock card shows how far the sandbox clock differs from the machine's clock", async () => {
  const shown = (now: string) => card({ now, frozen: true, shifted: true }, clockViews)
  expect(await shown('2026-11-20T08:30:00.000Z')).toEqual([
    '2026-11-20 08:30:00 UTC  frozen',
    '',
    '  Difference  2h ahead of this machine',
    '  Reset with  partner sandbox clock reset',
  ])
  expect(await shown('2026-11-19T06:30:00.000Z')).toContain('  Difference  1d behind this machine')
})

test('sandbox journal --follow prints lines without terminal control characters', () => {
  const line = journalLine(journal.at(-1) ?? {}, { columns: 80, color: false })
  expect(line).toMatch(
    /^2026-11-20 13:59:51 {2}404 {2}GET \/giftcards\/\S+X {2}1\.2 ms {2}no endpoint has this path\n$/,
  )
  expect(line).not.toContain('\u001b')
})
