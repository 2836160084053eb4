import { describe, expect, test } from 'vitest'
import { ENDPOINTS, type EndpointId } from '../../src/contract/endpoints.ts'
import { HANDLERS } from '../../src/sandbox/endpoints/handlers.ts'
import { apiPair, argumentsOf } from '../support/api-page.ts'
import { manifestCommands } from '../support/distribution.ts'
import { freshHome, runPartner } from '../support/partner.ts'
import { answers, RAW_KEY, startRawServer } from '../support/raw-server.ts'
import { words } from '../support/words.ts'

const CARD = 'GIFT1-00000100-AAAA'
const RANGE = ['--from', '2026-11-20T00:00:00Z', '--to', '2026-11-21T00:00:00Z']

/** Command lines with more flags, used instead of those in docs/api.md. */
const RICHER_LINES: Readonly<Partial<Record<EndpointId, readonly string[]>>> = {
  'bookings.list': ['bookings', 'list', ...RANGE, '--service', 'Dinner', '--include-customer', '--exclude-cancelled'],
  'bookings.schedule': ['bookings', 'schedule', ...RANGE, '--people', '4'],
  'reservations.create': [
    ...words('reservations create --people 2 --service svc-dinner --section sec-main'),
    ...words("--time-utc 2026-11-20T08:00:00Z --first-name Zoë --last-name O'Neill --phone +61400000000"),
  ],
  'giftcards.list': [
    ...['giftcards', 'list', '--sku', 'GC 50', '--issued-from', '2026-01-01T00:00:00Z'],
    ...words('--issued-to 2026-02-01T00:00:00Z --include-cancelled --include-redeemed --include-expired'),
  ],
  'giftcards.redeem': [...words(`giftcards redeem ${CARD} --amount 25.00 --email a@example.com --notes`), 'till 3'],
  'sales.create': [
    ...words('sales create --sale-id S-1 --staff-id st-1 --seats 4 --booking-id BK-1'),
    ...words('--table-number 12 --opened 2026-11-20T08:00:00Z --closed 2026-11-20T10:00:00Z'),
    ...words('--total-cents 12500 --currency AUD --status FINISHED --location-id L-1'),
  ],
  'sales.list': ['sales', 'list', ...RANGE, '--limit', '20'],
  'customers.list': [
    ...words('customers list --updated-from 2026-11-19T00:00:00Z --updated-to 2026-11-20T00:00:00Z'),
    ...words('--sort desc --page-size 50'),
  ],
  'webhooks.create': words('webhooks create BOOKING_CREATED https://pos.example/hooks --security-key env:HOOK'),
  'webhooks.update': words('webhooks update BOOKING_CREATED https://pos.example/hooks --security-token env:HOOK'),
  'inbound.redeem': ['inbound', 'redeem', CARD, '--amount', '0.50'],
  'inbound.balance': ['inbound', 'balance', CARD, '--location-id', 'L-2'],
  'inbound.event': ['inbound', 'event', 'sale.completed', '--data', '{ "saleId": "S-1", "total": 25.00 }'],
}

/** Returns a command line whose request to an endpoint does not depend on the current date. */
const lineOf = (id: EndpointId) => RICHER_LINES[id] ?? argumentsOf(apiPair(id).command)

const HOOK_SECRET = 'hook-secret-4711'
const ENVIRONMENT = {
  PARTNER_BASE_URL: 'https://service.example/api',
  PARTNER_API_KEY: RAW_KEY,
  PARTNER_SIGNING_SECRET: 'signing-secret-0815',
  PARTNER_NAME: 'my-pos',
  PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
  PARTNER_LOCATION_ID: 'L-1',
  HOOK: HOOK_SECRET,
}

const ROWS = Object.entries(ENDPOINTS).map(([id, endpoint]) => ({ id: id as EndpointId, endpoint }))

describe("the service's endpoints", () => {
  test.each(ROWS)('the $id endpoint has a command and is implemented in the sandbox', ({ id }) => {
    expect(manifestCommands().map((command) => command.words)).toContain(lineOf(id).slice(0, 2).join(' '))
    expect(HANDLERS).toHaveProperty([id])
  })

  test('the requests that --dry-run prints match the reviewed snapshot and contain no secrets', async () => {
    const shown: string[] = []
    for (const { id } of ROWS) {
      const run = await runPartner([...lineOf(id), '--dry-run'], { env: { ...freshHome(), ...ENVIRONMENT } })
      expect(run, id).toMatchObject({ code: 0, stderr: '' })
      shown.push(
        `===== ${id}: partner ${lineOf(id)
          .map((word) => (/\s|"/.test(word) ? JSON.stringify(word) : word))
          .join(' ')}\n${run.stdout}`,
      )
    }
    const text = shown.join('\n')
    for (const secret of [RAW_KEY, HOOK_SECRET, ENVIRONMENT.PARTNER_SIGNING_SECRET]) expect(text).not.toContain(secret)
    await expect(text).toMatchFileSnapshot('../golden/dry-runs.txt')
  })

  test.each(ROWS)('the command for $id sends nothing with --dry-run', async ({ id }) => {
    const server = await startRawServer([answers(200, {})])
    const env = { ...freshHome(), ...ENVIRONMENT, ...server.env }
    expect(await runPartner([...lineOf(id), '--dry-run', '--json'], { env })).toMatchObject({ code: 0 })
    expect(server.requests).toEqual([])
  })
})

/** Commands that do not print the response body, because the specification does not describe it. */
const OWN_ANSWER: readonly EndpointId[] = ['giftcards.cancel', 'customers.unsubscribe', 'webhooks.delete']

/** The amounts that the responses must contain. Partner does not trust a response with a different amount. */
const TAKEN: Readonly<Partial<Record<EndpointId, string>>> = { 'giftcards.redeem': '25.00', 'inbound.redeem': '0.50' }

/** A record with unknown members and with numbers that would change if they were parsed as floats. */
const STRANGE =
  '{"zz":[{"deep":{"__proto__":1}}],"isSuccess":true,"amount":25.00,"remainingAmount":100.00,"big":9007199254740993,"tiny":1e-7,"status":"Active","":"x","ünï":"\\u202e"}'

describe('unknown members in responses', () => {
  test.each(ROWS.filter(({ id }) => !OWN_ANSWER.includes(id)))(
    'the command for $id prints unknown members and all digits with --json',
    async (row) => {
      const { id, endpoint } = row
      const status = Number(Object.keys(endpoint.responses)[0])
      const list = 'list' in endpoint ? endpoint.list : null
      const page = (records: string) =>
        list?.member ? `{"${list.member}":[${records}],"length":1}` : list ? `[${records}]` : STRANGE
      const taken = TAKEN[id] === undefined ? STRANGE : STRANGE.replace('{', `{"amountRedeemed":${TAKEN[id]},`)
      const server = await startRawServer((request, earlier) =>
        answers(
          status,
          request.method === 'POST' && !request.target.endsWith('/balance')
            ? taken
            : page(list?.paging === 'offset' && earlier.length > 0 ? '' : STRANGE),
          { 'content-type': 'application/json' },
        ),
      )
      const run = await runPartner([...lineOf(id), '--json'], {
        env: { ...freshHome(), ...ENVIRONMENT, ...server.env },
      })
      expect(run).toMatchObject({ code: 0 })
      expect(run.stdout.replaceAll('\\u202e', '\u202e')).toContain(STRANGE.slice(1).replaceAll('\\u202e', '\u202e'))
      JSON.parse(run.stdout)
    },
  )
})
