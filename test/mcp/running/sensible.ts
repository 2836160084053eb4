import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxFacts } from '../../../src/sandbox/facts.ts'
import { words } from '../../support/words.ts'

// Also used by scripts/mcp/inspector.ts, so it does not depend on vitest.

// biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape.
type Result = any

/** Runs a partner command that must succeed. Returns its output. */
export type RunCommand = (...args: readonly string[]) => Promise<string>

const SALE = 'POS-MCP-1'

/** Returns the environment variables that the profile from {@link makeFiles} refers to. */
export function profileEnvironment({ apiKey, signingSecret, signatureHeader, partnerName }: SandboxFacts) {
  return {
    ...{ PARTNER_API_KEY: apiKey, PARTNER_SIGNING_SECRET: signingSecret },
    ...{ PARTNER_SIGNATURE_HEADER: signatureHeader, PARTNER_NAME: partnerName },
  }
}

/** Creates a profile, a copy and a journal for the tools to use. Returns the flags for the copy and the journal. */
export async function makeFiles(
  run: RunCommand,
  { baseUrl, timezone, locationId }: SandboxFacts,
  directory: string,
): Promise<readonly string[]> {
  const [copy, journal] = [join(directory, 'venue.db'), join(directory, 'hooks.ndjson')]
  const named = ['--timezone', timezone, '--location-id', locationId]
  await run('profiles', 'add', 'venue', '--base-url', baseUrl, '--api-key', 'env:PARTNER_API_KEY', ...named)
  const sale = '--booking-id BK-1001 --staff-id s-1 --seats 2 --total-cents 2500 --currency AUD --yes'
  await run('sales', 'create', '--sale-id', SALE, ...words(sale))
  for (const topic of ['bookings', 'customers', 'giftcards', 'giftcards', 'sales'])
    await run(topic, 'sync', '--to', copy, '--quiet')
  await run('webhooks', 'create', 'BOOKING_CREATED', 'http://127.0.0.1:9/hooks')
  writeFileSync(journal, '')
  return ['--copy', copy, '--journal', journal]
}

/** The results of earlier calls. Later calls take their arguments from them. */
interface Known {
  readonly results: ReadonlyMap<string, Result>
  readonly run: RunCommand
}

const recordsOf = ({ results }: Known, name: string): Result[] => results.get(name)?.records ?? []
const bookingId = (known: Known): string => recordsOf(known, 'bookings_list')[0]?.bookingId
const customerId = (known: Known): string => recordsOf(known, 'customers_list')[0]?.id
const reservation = { people: 2, service: 'dinner', section: 'sec-main', time: '2031-03-14T19:00:00' }
const guest = { first_name: 'Ada', last_name: 'Ng', phone: '+61400000000' }
const CARD = 'GIFT1-00000100-AAAA'

/** Sensible arguments for every tool. A tool is listed after the tools whose results it uses. */
export const SENSIBLE: readonly (readonly [name: string, values: (known: Known) => object | Promise<object>])[] = [
  ['bookings_list', () => ({ from: '-7d', to: '+7d', limit: 5 })],
  ['bookings_get', (known) => ({ id: bookingId(known) })],
  ['bookings_schedule', () => ({ date: '2031-03-14', people: 2 })],
  ['bookings_statuses', () => ({})],
  ['bookings_tables', () => ({ date: '2031-03-14', duration: 90 })],
  ['bookings_create', () => ({ people: 2, time: '2031-03-14T18:00:00' })],
  ['bookings_update', (known) => ({ id: bookingId(known), notes: 'Window seat' })],
  ['bookings_update_pax', (known) => ({ id: bookingId(known), people: 3 })],
  ['bookings_update_status', (known) => ({ id: bookingId(known), code: 'CONFIRMED' })],
  ['bookings_update_tables', (known) => ({ id: bookingId(known), table: ['T1'], allow_conflict: true })],
  ['customers_list', () => ({ limit: 3 })],
  ['customers_get', (known) => ({ id: customerId(known) })],
  ['customers_unsubscribe', (known) => ({ id: customerId(known) })],
  ['doctor', () => ({})],
  ['drift', () => ({})],
  ['giftcards_list', () => ({ include_redeemed: true })],
  ['giftcards_get', () => ({ card: CARD })],
  ['giftcards_statement', () => ({})],
  ['inbound_balance', () => ({ card: CARD })],
  ['reservations_explain', () => reservation],
  ['reservations_create', () => ({ ...reservation, ...guest })],
  ['sales_list', () => ({ from: '-7d', to: 'now' })],
  [
    'sales_reconcile',
    () => ({ records: [{ origin: { saleId: SALE }, total: { amount: 2500, currency: 'AUD' } }], date: 'today' }),
  ],
  ['report_night', () => ({})],
  [
    'sign_verify',
    async ({ run }) => {
      const url = 'https://service.example/hooks'
      return { url, body: '{}', signature: (await run('sign', '--url', url, '--body', '{}')).trim() }
    },
  ],
  ['timeline_booking', (known) => ({ id: bookingId(known) })],
  ['timeline_giftcard', () => ({ card: CARD })],
  ['timeline_sale', () => ({ id: SALE })],
  ['webhooks_list', () => ({})],
  ['webhooks_get', () => ({ event: 'BOOKING_CREATED' })],
  ['webhooks_gaps', () => ({ since: '-1h' })],
  ['giftcards_redeem_prepare', () => ({ card: CARD, amount: '1.50' })],
  ['money_status', ({ results }) => ({ handle: results.get('giftcards_redeem_prepare')?.handle })],
  ['money_commit', ({ results }) => ({ handle: results.get('giftcards_redeem_prepare')?.handle })],
  ['giftcards_cancel_prepare', () => ({ card: 'GIFT3-00003333-AAAA' })],
  ['inbound_redeem_prepare', () => ({ card: 'GIFT5-00025000-AAAA', amount: '2' })],
  [
    'sales_create_prepare',
    () => ({ sale_id: 'POS-MCP-2', staff_id: 's-1', seats: 2, total_cents: 1200, currency: 'AUD' }),
  ],
  ['operations_list', () => ({})],
  ['operations_show', ({ results }) => ({ id: results.get('money_commit')?.operation })],
  ['operations_resolve', ({ results }) => ({ id: results.get('money_commit')?.operation })],
]
