import { expect, test } from 'vitest'
import { CARD } from '../money/cashier.ts'
import { freshHome, runPartner } from '../support/partner.ts'
import { answers, RAW_KEY, redirectsTo, startRawServer } from '../support/raw-server.ts'
import { expectRefusal, reportedError } from '../support/refusal.ts'
import { words } from '../support/words.ts'

const SIGNED = {
  PARTNER_SIGNING_SECRET: 'redirected-signing-secret-77',
  PARTNER_NAME: 'pos',
  PARTNER_SIGNATURE_HEADER: 'X-Sign',
  PARTNER_LOCATION_ID: 'loc-1',
}

test.each([301, 302, 303, 307, 308])(
  'no command sends its key or signature to the target of a redirect with status %s',
  async (status) => {
    const elsewhere = await startRawServer([answers(200, { isSuccess: true })])
    const server = await startRawServer([redirectsTo(`${elsewhere.baseUrl}/taken`, status)])
    const env = { ...freshHome(), ...server.env, ...SIGNED }
    for (const args of [
      ['giftcards', 'get', CARD],
      ['bookings', 'list', '--from', 'today'],
      ['giftcards', 'redeem', CARD, '--amount', '5'],
      ['sales', 'create', '--sale-id', 'S-1', '--staff-id', 'a', '--seats', '1'],
      ['inbound', 'balance', CARD],
      ['inbound', 'event', 'sale.closed', '--data', '{"a":1}'],
      ['webhooks', 'delete', 'BOOKING_CREATED', '--yes'],
      ['api', 'GET', '/Anything'],
      ['api', 'POST', '/Anything', '--data', '{}'],
    ]) {
      expectRefusal(await runPartner(args, { env }), {
        code: 5,
        says: `redirects to ${elsewhere.baseUrl}/taken`,
        secrets: [RAW_KEY, SIGNED.PARTNER_SIGNING_SECRET],
      })
    }
    expect(elsewhere.connections).toBe(0)
  },
)

test.each([
  ['bookings', 'update-pax', 'BK-1', '3'],
  ['bookings', 'update', 'BK-1', '--time', '2026-12-24 19:30'],
  ['bookings', 'update-tables', 'BK-1', '--table', 'Main/T1'],
  ['customers', 'unsubscribe', 'C-1'],
  ['webhooks', 'create', 'BOOKING_CREATED', 'https://pos.example/hooks'],
  ['webhooks', 'delete', 'BOOKING_CREATED', '--yes'],
  ['api', 'POST', '/Anything', '--data', '{}'],
])('a redirect leaves the outcome of a write unknown: %s %s', async (...args) => {
  const server = await startRawServer(({ method }) =>
    method === 'GET' ? answers(200, []) : redirectsTo('https://else.example/'),
  )
  const run = await server.run([...args, '--json'])
  expect(reportedError(run)).toMatchObject({ code: 'REJECTED', exitCode: 5, outcome: 'unknown' })
  expect(server.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1)
})

test.each(
  words(
    'http://service.example http://10.0.0.1/api http://localhost.example http://127.0.0.1.example http://[::ffff:10.0.0.1]',
  ),
)('partner refuses plain http to %s before sending anything', async (baseUrl) => {
  const run = await runPartner(['bookings', 'statuses'], {
    env: { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY },
  })
  expectRefusal(run, { code: 2, says: 'must use https', secrets: [RAW_KEY] })
})

test.each([
  'https://anna:sesame-92@service.example',
  'https://sesame-92@service.example',
  'http://anna:sesame-92@127.0.0.1:1',
])('partner refuses a base URL that contains credentials, without printing them: %s', async (baseUrl) => {
  for (const args of [
    ['bookings', 'statuses'],
    ['bookings', 'statuses', '--json'],
    ['profiles', 'add', 'x', '--base-url', baseUrl, '--api-key', 'env:KEY'],
  ]) {
    const run = await runPartner(args, { env: { ...freshHome(), PARTNER_BASE_URL: baseUrl, PARTNER_API_KEY: RAW_KEY } })
    expect(run.code).toBe(2)
    expect(run.stdout + run.stderr).not.toContain('sesame-92')
  }
})
