import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { livenessOf, type Owner } from '../../src/base/storage/owner.ts'
import { rewriteRows } from '../money/rows.ts'
import { words } from '../support/words.ts'
import { freshHome, type RunOptions, runPartner, runPartnerCold } from './partner.ts'
import { answers, resets, startRawServer } from './raw-server.ts'

/** Each with what it is about; what a run of the tool may leave to the next one is in here. */
const LINES: [what: string, line: string, options?: RunOptions][] = [
  ['a page that is printed from a file', 'bookings --help'],
  ['the version', '--version'],
  ['a mistake', 'bookings list --form today'],
  ['a read', 'bookings get BK-1001 --columns bookingId,people,tables --json'],
  ['a read without colour', '--no-color bookings get BK-1001'],
  ['a read with colour, by a variable', 'bookings get BK-1001', { env: { FORCE_COLOR: '1' } }],
  ['a record that does not exist', 'bookings get BK-9'],
  ['a read of standard input', 'customers unsubscribe -', { input: 'C-1001\nC-9\n' }],
  ['standard input that nobody reads', 'bookings statuses --json', { input: 'something' }],
  ['no service at all', 'bookings statuses', { env: { PARTNER_PROFILE: undefined } }],
]

describe('a run in a process that had others before it is as one in a process of its own:', () => {
  test.each(LINES)('%s', async (_what, line, options = {}) => {
    const args = words(line)
    const homes = [freshHome(), freshHome()] as const
    const inHome = (home: (typeof homes)[number]) => ({
      ...options,
      env: { ...home, PARTNER_PROFILE: 'sandbox', ...options.env },
    })
    const cold = await runPartnerCold(args, inHome(homes[0]))
    await runPartner('bookings list --from today', inHome(homes[1]))
    expect(await runPartner(args, inHome(homes[1]))).toEqual(cold)
  })
})

test('a merged run has stdout and stderr in the order in which they were written', async () => {
  const options = { env: { ...freshHome(), PARTNER_PROFILE: 'sandbox' }, isMerged: true }
  const { code, stdout, stderr } = await runPartner('bookings list --from -30d --limit 1 -v', options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^window: .*\nGET .*\nTIME .*\n.* BK-\d+\n.*--limit 1.*\n$/)
})

test('concurrent runs use separate processes', async () => {
  const arrived: (() => void)[] = []
  const server = await startRawServer(() => (socket, request) => {
    // Nobody is answered before both have asked.
    arrived.push(() => answers(200, [])(socket, request))
    if (arrived.length === 2) for (const answer of arrived) answer()
  })
  const env = { ...freshHome(), ...server.env }
  const runs = await Promise.all([1, 2].map(() => runPartner('bookings statuses --json', { env })))
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
})

test('a process that leaves an operation open is gone after it, as a user’s is', async () => {
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
  expect(owners.map(livenessOf)).toEqual(['gone'])
})
