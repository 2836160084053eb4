import { describe, expect, test } from 'vitest'
import { unknownFlag } from '../../../../src/terminal/input/words/suggest-flag.ts'
import { manifestCommands } from '../../../support/distribution.ts'
import { runPartner } from '../../../support/partner.ts'
import { expectRefusal } from '../../../support/refusal.ts'
import { words } from '../../../support/words.ts'

const FLAGS = new Map(manifestCommands().map(({ words, flags }) => [words, Object.keys(flags)]))

/** Returns the flag that the error about the given unknown flag suggests, or `null`. */
function meantBy(flag: string, command: string): string | null {
  const { problem } = unknownFlag(flag, command, FLAGS.get(command) ?? [])
  expect(problem.startsWith(`unknown flag ${flag.replace(/=.*/, '')}`)).toBe(true)
  return /did you mean (.+)\?$/.exec(problem)?.[1] ?? null
}

describe('flags from other tools', () => {
  test.each([
    ['--format=json', 'bookings list', '-o'],
    ['--format', 'profiles list', '-o'],
    ['--csv', 'giftcards list', '-o csv'],
    ['--pax', 'bookings create', '--people'],
    ['--covers', 'reservations create', '--people'],
    ['--party-size', 'bookings schedule', '--people'],
    ['--max-items', 'customers list', '--limit'],
    ['-n', 'customers list', '--limit'],
    ['--per-page', 'customers list', '--page-size'],
    ['--since', 'bookings list', '--from'],
    ['--since', 'customers list', '--updated-from'],
    ['--until', 'giftcards list', '--issued-to'],
    ['--start-date', 'sales list', '--from'],
    ['--jq', 'bookings get', '--query'],
    ['--fields', 'bookings get', '--columns'],
    ['--endpoint-url', 'bookings get', '--base-url'],
    ['--dryrun', 'giftcards redeem', '--dry-run'],
    ['--max-retries', 'bookings get', '--retries'],
    ['--silent', 'bookings get', '--quiet'],
    ['--no-prompt', 'giftcards cancel', '--no-input'],
    ['--no-colour', 'bookings get', '--no-color'],
    ['--assume-yes', 'giftcards cancel', '--yes'],
    ['-d', 'bookings create', '--data'],
    ['--body', 'bookings create', '--data'],
    ['-H', 'api', '--header'],
    ['-i', 'api', '--include'],
    ['--order-by', 'customers list', '--sort'],
    ['--value', 'giftcards redeem', '--amount'],
    ['--mail', 'reservations create', '--email'],
    ['--mobile', 'reservations create', '--phone'],
    ['--name', 'bookings list', '--guest'],
    ['--phone', 'bookings list', '--guest'],
    ['--name', 'customers list', '--search'],
    ['--today', 'bookings list', '--date today'],
    ['--today', 'sales list', '--from today'],
    ['--count', 'bookings schedule', '--people'],
    ['--count', 'customers list', '--limit'],
    ['--when', 'bookings schedule', '--date'],
    ['--when', 'reservations create', '--time'],
    ['--field', 'bookings get', '--columns'],
    ['--field', 'api', '--set'],
    ['--address', 'reservations create', '--line1'],
  ])('the flag %s of another tool, given to partner %s, suggests %s', (flag, command, meant) =>
    expect(meantBy(flag, command)).toBe(meant),
  )
})

describe('misspelt flags', () => {
  test.each([
    ['--updated_from', 'bookings list', '--updated-from'],
    ['--updatedFrom', 'bookings list', '--updated-from'],
    ['--updatedfrom', 'bookings list', '--updated-from'],
    ['--UpdatedFrom', 'bookings list', '--updated-from'],
    ['-updated-from', 'bookings list', '--updated-from'],
    ['--firstName', 'reservations create', '--first-name'],
    ['--firstnam', 'reservations create', '--first-name'],
    ['--JSON', 'bookings list', '--json'],
    ['--jsn', 'bookings list', '--json'],
    ['--colums', 'bookings list', '--columns'],
    ['--noInput', 'bookings list', '--no-input'],
  ])('the misspelt flag %s, given to partner %s, suggests %s', (flag, command, meant) =>
    expect(meantBy(flag, command)).toBe(meant),
  )
})

test.each([
  ['--frobnicate', 'bookings list'],
  ['-x', 'bookings list'],
  ['--constructor', 'bookings list'],
  ['--__proto__', 'bookings list'],
  ['--from', 'giftcards redeem'],
  ['--fore', 'giftcards get'],
  ['--yest', 'giftcards get'],
])('the unknown flag %s, given to partner %s, is not mistaken for another flag', (flag, command) => {
  const meant = meantBy(flag, command)
  expect([null, '--yes']).toContain(meant)
  if (flag !== '--yest') expect(meant).toBeNull()
})

test.each([
  ['--key', 'webhooks create', '--security-key'],
  ['--token=x', 'webhooks update', '--security-token'],
  ['--key', 'profiles add', '--api-key'],
  ['--secret', 'profiles set', '--signing-secret'],
])('the secret flag %s, given to partner %s, suggests %s, which accepts references', (flag, command, meant) =>
  expect(meantBy(flag, command)).toBe(meant),
)

test('if an unknown flag contains an API key, the error hides the key and suggests an environment variable', async () => {
  for (const flag of ['--api-key', '--token', '--key', '--apiKey', '--secret']) {
    expectRefusal(await runPartner([...words('bookings statuses'), `${flag}=very-secret-4711`]), {
      code: 2,
      says: `unknown flag ${flag}`,
      next: /PARTNER_API_KEY/,
      secrets: ['very-secret-4711'],
    })
  }
})

test('the error message for a global flag that a command does not accept explains why', async () => {
  const run = await runPartner(words('sandbox reset --timeout 5s'))
  expectRefusal(run, { code: 2, says: 'unknown flag --timeout: partner sandbox reset does not call the service' })
})

test('the error message for doctor --har does not claim that doctor makes no requests', async () => {
  const run = await runPartner(words('doctor --har x.har'))
  expectRefusal(run, { code: 2, says: 'unknown flag --har: partner doctor does not accept this global flag' })
})

describe('hints about unknown flags', () => {
  test.each([
    ['sandbox snapshot list --data x', /see partner sandbox snapshot list --help/],
    ['bookings list --data x', /use --param k=v/],
    ['sign --secret x', /set PARTNER_SIGNING_SECRET/],
    ['inbound redeem --key x', /set PARTNER_SIGNING_SECRET/],
    ['giftcards get --key x', /set PARTNER_API_KEY/],
    ['operations list --key x', /see partner operations list --help/],
    ['sandbox start --token x', /see partner sandbox start --help/],
  ])('the hint for partner %s matches %s', async (line, next) => {
    expectRefusal(await runPartner(words(line)), { code: 2, says: 'unknown flag', next })
  })
})
