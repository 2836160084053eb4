import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/partner.ts'
import { words } from '../support/words.ts'

/** A command in the manifest, with a plausible command line for it. */
export interface RunnableCommand {
  /** The words of the command, such as `giftcards redeem`. */
  readonly id: string
  readonly args: readonly string[]
  /** The names of all flags of the command. */
  readonly flags: ReadonlySet<string>
  /** Whether the command runs until a signal stops it. */
  readonly isEndless: boolean
}

interface Manifest {
  readonly commands: Readonly<Record<string, ManifestCommand>>
}

interface ManifestCommand {
  readonly args?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly flags?: Readonly<Record<string, { readonly required?: boolean; readonly type?: string }>>
}

const CARD = 'GIFT1-00000100-AAAA'
const CREDENTIALS = ['--security-key', 'env:HOOK_KEY', '--security-token', 'env:HOOK_TOKEN']
const URL = 'https://till.example/hooks'
/** The URL of a database that cannot be reached. */
const INBOX_URL = 'postgres://nobody@127.0.0.1:1/venue'

const RESERVATION = [
  ...words('--people 2 --service s --section s --time'),
  '2026-12-24 19:00',
  ...words('--first-name Ada --last-name Ng --phone +61400000000'),
]

/** Arguments for commands that would fail before their first request if they were given placeholders. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  api: ['POST', '/Bookings', '--data', '{"numOfPeople":2}'],
  'bookings create': ['--people', '2', '--time', '2026-12-01 18:00'],
  'reservations explain': RESERVATION,
  'bookings list': ['--from', 'today'],
  'bookings schedule': ['--people', '2', '--date', 'tomorrow'],
  'bookings sync': ['--to', '-'],
  'bookings sync compact': ['b.ndjson'],
  'bookings sync status': ['--to', 'b.ndjson'],
  'bookings sync unit': ['--to', 'b.ndjson', '--profile', 'sandbox'],
  'bookings sync verify': ['--to', 'b.ndjson'],
  'bookings tables': ['--date', 'tomorrow'],
  'bookings update': ['BK-1', '--people', '3', '--time', '2026-12-01 18:00'],
  'bookings update-pax': ['BK-1', '3'],
  'bookings update-status': ['BK-1', 'SEATED'],
  'bookings update-tables': ['BK-1', '--table', 'Main/T1'],
  certify: ['--list'],
  'certify verify': ['result.json'],
  completion: ['bash'],
  'customers list': [],
  'customers sync': ['--to', '-'],
  'customers sync status': ['--to', 'c.ndjson'],
  'drift accept': ['--profile', 'marked', '--yes'],
  'giftcards cancel': [CARD, '--yes'],
  'giftcards get': [CARD],
  'giftcards redeem': [CARD, '--amount', '5'],
  'giftcards statement': [],
  'giftcards sync': ['--to', 'cards.db', '--source', 'venue'],
  'giftcards sync status': ['--to', 'cards.db', '--source', 'venue'],
  'inbound balance': [CARD],
  'inbound event': ['sale.closed', '--data', '{"saleId":"S-1"}'],
  'inbound redeem': [CARD, '--amount', '5'],
  'inbound send': ['/partners/pos/bookings', '--data', '{"a":1}'],
  'mcp config': ['--client', 'json'],
  monitor: [join(ROOT, 'test', 'support', 'checks.yaml'), '--once'],
  'monitor status': [join(ROOT, 'test', 'support', 'checks.yaml')],
  'monitor test': [join(ROOT, 'test', 'support', 'checks.yaml')],
  'profiles remove': ['nobody', '--yes'],
  'profiles set': ['marked', '--timezone', 'Australia/Sydney'],
  'profiles show': ['marked'],
  'profiles use': ['marked'],
  'report night': ['--copy', 'venue.db'],
  'reservations create': RESERVATION,
  'sales create': words('--sale-id S-1 --staff-id anna --seats 2 --total-cents 500 --currency AUD'),
  'sales reconcile': [join(ROOT, 'test', 'support', 'closings.ndjson')],
  'sales sync': ['--to', '-'],
  'sales sync status': ['--to', 's.ndjson'],
  'sandbox exec': ['--', 'true'],
  'sandbox rehearse': ['--day', '2026-12-25', '--speed', 'max'],
  'sandbox snapshot delete': ['mine', '--yes'],
  'sandbox snapshot load': ['empty', '--yes'],
  sign: ['--url', 'https://service.example/partners/pos', '--body', '{}'],
  'sign verify': ['--url', 'https://service.example/partners/pos', '--body', '{}', '--signature', 'a'.repeat(64)],
  'support bundle': ['--out', '-'],
  'tables check': [join(ROOT, 'test', 'support', 'tables.csv')],
  'timeline giftcard': [CARD],
  'webhooks apply': [join(ROOT, 'test', 'support', 'hooks.yaml'), '--prune', '--rotate', '--yes'],
  'webhooks create': ['BOOKING_CREATED', URL, ...CREDENTIALS],
  'webhooks delete': ['BOOKING_CREATED', '--yes'],
  'webhooks gaps': ['--journal', 'hooks.ndjson', '--copy', 'b.ndjson', '--repair', '--to', URL, ...CREDENTIALS],
  'webhooks get': ['BOOKING_CREATED'],
  'webhooks inbox': ['--from', INBOX_URL],
  'webhooks listen': ['--journal', 'hooks.ndjson', '--require-header', 'X-Security-Key=env:HOOK_KEY'],
  'webhooks replay': ['hooks.ndjson', '--to', URL, ...CREDENTIALS],
  'webhooks torture': ['--to', URL, ...CREDENTIALS],
  'webhooks trigger': ['BOOKING_CREATED', '--to', URL, ...CREDENTIALS],
  'webhooks update': ['BOOKING_CREATED', URL, ...CREDENTIALS],
  'webhooks work': ['--from', INBOX_URL, '--exec', 'true'],
}

const ENDLESS = new Set(['sandbox start', 'webhooks listen'])

/**
 * Returns all commands in the shipped manifest. Commands without {@link ARGUMENTS} get placeholders for required
 * values.
 */
export function everyCommand(): RunnableCommand[] {
  const { commands } = JSON.parse(readFileSync(join(ROOT, '.oclif.manifest.json'), 'utf8')) as Manifest
  return Object.entries(commands).map(([colons, command]) => {
    const id = colons.replaceAll(':', ' ')
    return {
      id,
      args: [...id.split(' '), ...(ARGUMENTS[id] ?? placeholders(command))],
      flags: new Set(Object.keys(command.flags ?? {})),
      isEndless: ENDLESS.has(id),
    }
  })
}

function placeholders({ args = {}, flags = {} }: ManifestCommand): string[] {
  const positional = Object.values(args).filter(({ required }) => required)
  const required = Object.entries(flags).filter(([, flag]) => flag.required)
  return [...positional.map(() => 'X-1'), ...required.flatMap(([name]) => [`--${name}`, 'X-1'])]
}
