import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { getLiveness, type Owner } from '../../src/base/storage/owner.ts'
import { rewriteRows } from '../money/rows.ts'
import { words } from '../support/words.ts'
import { freshHome, type RunOptions, runPartner, runPartnerCold } from './partner.ts'
import { answers, resets, startRawServer } from './raw-server.ts'

/**
 * Command lines that cover everything that a run could leave behind for the next run. None of them prints the current
 * time.
 */
const LINES: [what: string, line: string, options?: RunOptions][] = [
  ['a help page that is read from a file', 'bookings --help'],
  ['the version', '--version'],
  ['a misspelled flag', 'bookings list --form today'],
  ['a read', 'bookings get BK-1001 --columns bookingId,people,tables --json'],
  ['a read without colours', '--no-color bookings statuses'],
  ['a read with colours, due to a variable', 'bookings statuses', { env: { FORCE_COLOR: '1' } }],
  ['a record that does not exist', 'bookings get BK-9'],
  ['a command that reads standard input', 'customers unsubscribe -', { input: 'C-1001\nC-9\n' }],
  ['a command that does not read standard input', 'bookings statuses --json', { input: 'something' }],
  ['no configured service', 'bookings statuses', { env: { PARTNER_PROFILE: undefined } }],
]

describe('warm processes', () => {
  test.each(LINES)(
    'a run in a used warm process behaves like a run in a new process: %s',
    async (_what, line, options = {}) => {
      const args = words(line)
      const homes = [freshHome(), freshHome()] as const
      const inHome = (home: (typeof homes)[number]) => ({
        ...options,
        env: { ...home, PARTNER_PROFILE: 'sandbox', ...options.env },
      })
      const cold = await runPartnerCold(args, inHome(homes[0]))
      await runPartner('bookings list --from today', inHome(homes[1]))
      expect(await runPartner(args, inHome(homes[1]))).toEqual(cold)
    },
  )
})

test('with isMerged, a run returns stdout and stderr together, in the order in which they were written', async () => {
  const options = { env: { ...freshHome(), PARTNER_PROFILE: 'sandbox' }, isMerged: true }
  const { code, stdout, stderr } = await runPartner('bookings list --from -30d --to -1d --limit 1 -v', options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^window: .*\nGET .*\nTIME .*\n.* BK-\d+\n.*--limit 1.*\n$/)
})

test('concurrent runs use separate warm processes', async () => {
  const arrived: (() => void)[] = []
  const server = await startRawServer(() => (socket, request) => {
    // The service responds to neither run until both have sent their requests.
    arrived.push(() => answers(200, [])(socket, request))
    if (arrived.length === 2) for (const answer of arrived) answer()
  })
  const env = { ...freshHome(), ...server.env }
  const runs = await Promise.all([1, 2].map(() => runPartner('bookings statuses --json', { env })))
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
})

test('after a run ends, the process recorded as the owner of its open operation is no longer running', async () => {
  const card = { cardNumber: 'GIFT2-00005025-AAAA', remainingAmount: 50, status: 'Active' }
  const server = await startRawServer(({ method }) => (method === 'GET' ? answers(200, card) : resets))
  const home = freshHome()
  const redeem = ['giftcards', 'redeem', card.cardNumber, '--amount', '5']
  expect((await runPartner(redeem, { env: { ...home, ...server.env } })).code).toBe(9)
  const owners: Owner[] = []
  rewriteRows(join(home.PARTNER_DATA_DIR, 'operations.db'), (row) => {
    owners.push(row.owner)
    return row
  })
  expect(owners.map(getLiveness)).toEqual(['gone'])
})
