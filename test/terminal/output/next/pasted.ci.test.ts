import { describe, expect, test } from 'vitest'
import { findSuggestedCommands } from '../../../../src/base/failure/suggested.ts'
import { type Environment, freshDirectory, freshHome, type Run, runPartner } from '../../../support/partner.ts'
import {
  type Act,
  answers,
  RAW_KEY,
  type RawServer,
  redirectsTo,
  resets,
  startRawServer,
} from '../../../support/raw-server.ts'
import { startSandboxProcess } from '../../../support/sandbox-process.ts'
import { words } from '../../../support/words.ts'

const CARD = 'GIFT2-00005025-AAAA'
const STATUSES = [{ statusType: 'standard', code: 'SEATED', name: 'Seated' }]
const card = answers(200, { cardNumber: CARD, remainingAmount: 50.25, amount: 50.25, status: 'Active' })
const refused = answers(401, { message: 'Unauthorized' })
const notFound = answers(404, { message: "Booking 'BK-1' not found." })

interface Failing {
  readonly line: string
  /** The service's response, or separate responses to GET requests and to all other requests. */
  readonly act: Act | { readonly read: Act; readonly write: Act }
  /** The first words of the command that the hint suggests. */
  readonly suggests: string
  /** Whether the suggested command sends a request to the service. The default is `true`. */
  readonly asks?: boolean
}

const RESERVATION =
  'reservations create --people 4 --service svc-dinner --section sec-main --time-utc 2030-06-01T18:00:00Z --first-name Ann --last-name Lee --phone 0411'

const FAILURES: readonly Failing[] = [
  { line: 'bookings statuses', act: refused, suggests: 'profiles check' },
  { line: 'bookings statuses', act: refused, suggests: 'doctor' },
  { line: 'bookings get BK-1', act: notFound, suggests: 'bookings list' },
  { line: 'bookings statuses', act: redirectsTo('https://other.example/'), suggests: 'config', asks: false },
  { line: 'customers get C-1', act: answers(200, []), suggests: 'customers list' },
  {
    line: 'webhooks get BOOKING_CREATED',
    act: answers(404, { message: "Webhook Subscription for event 'BOOKING_CREATED' was not found" }),
    suggests: 'webhooks list',
  },
  { line: 'bookings update-status BK-1 SEETED', act: answers(200, STATUSES), suggests: 'bookings statuses' },
  { line: 'bookings update-pax BK-1 4', act: resets, suggests: 'bookings get' },
  { line: `giftcards redeem ${CARD} --amount 5`, act: { read: card, write: resets }, suggests: 'operations resolve' },
  { line: RESERVATION, act: answers(400, { message: 'Invalid Service' }), suggests: 'reservations explain' },
  { line: 'giftcards statement --copy cards.db --source city', act: refused, suggests: 'giftcards sync' },
]

/** The ways to choose a service on a command line. */
const WAYS = ['-p venue', '--profile=venue', '--base-url'] as const

describe('suggested commands that are run as printed', () => {
  test.each(FAILURES)(
    'partner $suggests uses the same service as partner $line, which suggests it',
    async ({ line, act, suggests, asks = true }) => {
      const { venue, other, run } = await twoServices(act)
      for (const way of WAYS) {
        const given = way === '--base-url' ? ['--base-url', venue.baseUrl] : way.split(' ')
        const failed = await run([...words(line), '--retries', '0', ...given].filter(fits(line)), way)
        const pasted = suggestionOf(failed, suggests)
        const before = venue.requests.length
        const again = await run(pasted, way)
        expect(again.code, `partner ${pasted.join(' ')}\n${again.stderr}`).not.toBe(2)
        if (asks) expect(venue.requests.length, again.stderr).toBeGreaterThan(before)
        else expect(again.stdout).toContain(venue.baseUrl)
        expect(other.requests).toEqual([])
      }
    },
  )

  test('commands suggested by a sandbox command keep its --data flag', async () => {
    const data = `${freshDirectory()}/a venue`
    const env = freshHome()
    const missing = await runPartner(['sandbox', 'faults', 'list', '--data', data], { env })
    expect(suggestionOf(missing, 'sandbox start')).toEqual(['sandbox', 'start', '--data', data])
    await startSandboxProcess(['--data', data], env).then((sandbox) => sandbox.stop())
    const failed = await runPartner(['sandbox', 'faults', 'clear', '99', '--data', data], { env })
    const pasted = suggestionOf(failed, 'sandbox faults list')
    expect(pasted).toEqual(['sandbox', 'faults', 'list', '--data', data])
    expect((await runPartner(pasted, { env })).code).toBe(0)
  })

  test('a suggested command does not contain the password of a database URL', async () => {
    const failed = await runPartner(
      ['bookings', 'sync', 'status', '--to', 'postgres://till:hunter22@127.0.0.1:1/venue', '--profile', 'nope'],
      { env: freshHome() },
    )
    expect(failed.code).not.toBe(0)
    expect(failed.stderr).not.toContain('hunter22')
  })
})

/** Removes `--retries 0` for `giftcards statement`, which has no such flag because it only reads a local copy. */
function fits(line: string): (word: string, at: number, all: readonly string[]) => boolean {
  const readsCopy = /^giftcards statement/.test(line)
  return (word, at, all) => !readsCopy || (word !== '--retries' && all[at - 1] !== '--retries')
}

/** Starts two services and creates a profile for each. The current profile is the second one. */
async function twoServices(act: Failing['act']): Promise<{
  readonly venue: RawServer
  readonly other: RawServer
  readonly run: (args: readonly string[], way: (typeof WAYS)[number]) => Promise<Run>
}> {
  const venue = await startRawServer(({ method }) => ('read' in act ? act[method === 'GET' ? 'read' : 'write'] : act))
  const other = await startRawServer([answers(500)])
  const cwd = freshDirectory()
  const env: Environment = { ...freshHome(), KEY: RAW_KEY, PARTNER_TIMEOUT: '5s' }
  for (const [name, { baseUrl }] of Object.entries({ venue, other }))
    await runPartner(['profiles', 'add', name, '--base-url', baseUrl, '--api-key', 'env:KEY'], { env })
  await runPartner(['profiles', 'use', 'other'], { env })
  const key = (way: string) => (way === '--base-url' ? { PARTNER_API_KEY: RAW_KEY } : {})
  return { venue, other, run: (args, way) => runPartner(args, { env: { ...env, ...key(way) }, cwd }) }
}

/** Returns the words of the command that a failed command's hint suggests. */
function suggestionOf(failed: Run, suggests: string): readonly string[] {
  expect(failed.code, failed.stdout).not.toBe(0)
  const [, hint = ''] = /^next: (.*)$/m.exec(failed.stderr) ?? []
  const found = findSuggestedCommands(hint).find(({ words }) => words.join(' ').startsWith(suggests))
  expect(found, failed.stderr).toBeDefined()
  return found?.words ?? []
}
