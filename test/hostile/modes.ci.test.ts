import { describe, expect, test } from 'vitest'
import { CARD } from '../money/cashier.ts'
import { startCommitServer } from '../money/commit-server.ts'
import { skipWithout } from '../support/needs.ts'
import { type Environment, freshHome, runPartner } from '../support/partner.ts'
import { type Act, answers, RAW_KEY, type RawRequest, type RawServer, startRawServer } from '../support/raw-server.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runInTerminal, TERMINAL } from '../support/terminal.ts'
import { words } from '../support/words.ts'
import { everyCommand } from './every-command.ts'

const REDEEM = ['giftcards', 'redeem', CARD, '--amount', '5']
const PAX = ['bookings', 'update-pax', 'BK-1', '3']

/** Creates a home directory whose current profile is for this server. */
async function createHome(server: RawServer, ...settings: readonly string[]): Promise<Environment> {
  const hook = { HOOK_KEY: 'hook-key-in-the-env', HOOK_TOKEN: 'hook-token-in-the-env' }
  const env = { ...freshHome(), ...hook, SIGN: 'signing-secret-in-the-env' }
  const signed = words('--partner-name pos --signature-header X-Sign --location-id loc-1 --signing-secret env:SIGN')
  const add = ['profiles', 'add', 'shop', '--base-url', server.baseUrl, ...signed, ...settings, '--api-key-stdin']
  expect(await runPartner(add, { env, input: RAW_KEY })).toMatchObject({ code: 0 })
  expect(await runPartner(['profiles', 'use', 'shop'], { env })).toMatchObject({ code: 0 })
  return env
}

/** Returns all requests except reads, which are GETs and signed balance queries. */
function writesSentTo(server: RawServer) {
  return server.requests.filter(({ method, target }) => method !== 'GET' && !target.endsWith('/balance'))
}

/** Responds to the reads that commands make before a write. */
function answerRead({ target }: RawRequest): Act {
  const booking = { bookingId: 'BK-1', bookingTime: '2026-12-01T18:00:00', remainingAmount: 100, status: 'Active' }
  return answers(200, /statuses/.test(target) ? [{ code: 'SEATED' }] : booking)
}

async function shop(...settings: readonly string[]) {
  const server = await startCommitServer()
  server.cards.set(CARD, { cents: 10_000n, status: 'Active' })
  return { server, env: await createHome(server, ...settings) }
}

/** Commands that send a single write. */
const WRITES = everyCommand().filter(({ id }) =>
  /^(api|bookings (create|update.*)|customers unsubscribe|giftcards (cancel|redeem)|inbound (event|redeem|send)|reservations create|sales create|webhooks (create|update|delete))$/.test(
    id,
  ),
)

describe('read-only profiles', () => {
  test('a read-only profile refuses every write without sending anything, even with --yes and --force', {
    timeout: 240_000,
  }, async () => {
    const server = await startRawServer(answerRead)
    const env = await createHome(server, '--mode', 'read-only')
    expect(WRITES.length).toBeGreaterThan(14)
    for (const { id, args, flags } of WRITES) {
      const run = await runPartner([...args, '--yes', ...(flags.has('force') ? ['--force'] : [])], { env })
      expect([id, run.code, run.stderr]).toEqual([id, 2, expect.stringContaining('is read-only')])
    }
    expect(writesSentTo(server)).toEqual([])
  })

  test('a read-only profile rejects writes, says how to allow them, and still allows reads', async () => {
    const { server, env } = await shop('--mode', 'read-only')
    const says = 'the profile shop is read-only: nothing was sent'
    expectRefusal(await runPartner(REDEEM, { env }), { code: 2, says, next: /profiles set shop --mode full/ })
    expect(await runPartner(['giftcards', 'get', CARD], { env })).toMatchObject({ code: 0 })
    expect(writesSentTo(server)).toEqual([])
  })

  test('a read-only profile allows a write with --dry-run, because nothing is sent', async () => {
    const { server, env } = await shop('--mode', 'read-only')
    expect((await runPartner([...REDEEM, '--dry-run'], { env })).code).toBe(0)
    expect(writesSentTo(server)).toEqual([])
  })

  test('a read-only profile allows operations resolve, because that command only reads', async () => {
    const { server, env } = await shop()
    server.setFaults('write', CARD, [{ kind: 'lost', loss: 'reset', phase: 'before' }])
    expect((await runPartner(REDEEM, { env })).code).toBe(9)
    // Lower the balance, as if the redemption had taken effect.
    server.cards.set(CARD, { cents: 9_500n, status: 'Active' })
    await runPartner(['profiles', 'set', 'shop', '--mode', 'read-only'], { env })
    const [{ id }] = JSON.parse((await runPartner(['operations', 'list', '--json'], { env })).stdout)
    expect((await runPartner(['operations', 'resolve', id], { env })).code).toBe(0)
  })
})

describe('profiles with --mode confirm', () => {
  test('without a terminal, a profile with --mode confirm refuses every unconfirmed write', {
    timeout: 240_000,
  }, async () => {
    const server = await startRawServer(answerRead)
    const env = await createHome(server, '--mode', 'confirm')
    for (const { id, args } of WRITES) {
      const unconfirmed = args.filter((word) => word !== '--yes')
      const run = await runPartner(unconfirmed, { env })
      expect([id, run.code, run.stderr]).toEqual([id, 2, expect.stringContaining('add --yes')])
    }
    expect(writesSentTo(server)).toEqual([])
  })

  test('a profile with --mode confirm accepts --yes as confirmation', async () => {
    const { server, env } = await shop('--mode', 'confirm')
    expect((await runPartner([...REDEEM, '--yes'], { env })).code).toBe(0)
    expect(server.commitsOn(CARD)).toBe(1)
  })

  test('at a terminal, a profile with --mode confirm asks for confirmation only once', async (context) => {
    skipWithout(context, TERMINAL)
    const { server, env } = await shop('--mode', 'confirm')
    const no = await runInTerminal(REDEEM, [[`Redeem 5.00 from ${CARD}?`, 'n\r']], env)
    expect([no.code, server.commitsOn(CARD)]).toEqual([130, 0])
    const yes = await runInTerminal(REDEEM, [[`Redeem 5.00 from ${CARD}?`, 'y\r']], env)
    expect([yes.code, server.commitsOn(CARD)], yes.screen).toEqual([0, 1])
    expect(yes.screen).not.toContain('Change data in')
  })
})

describe('production profiles', () => {
  test('without a terminal, a production profile works like any other profile', async () => {
    const { server, env } = await shop('--environment', 'production')
    expect((await runPartner(REDEEM, { env })).code).toBe(0)
    expect(server.commitsOn(CARD)).toBe(1)
  })

  test('at a terminal, every write with a production profile names the venue and asks for confirmation', async (context) => {
    skipWithout(context, TERMINAL)
    const { server, env } = await shop('--environment', 'production')
    const pax = await runInTerminal(PAX, [['Change data in production (profile shop', 'n\r']], env)
    expect([pax.code, writesSentTo(server)]).toEqual([130, []])
    const redeem = await runInTerminal(REDEEM, [[`Redeem 5.00 from ${CARD}?`, 'y\r']], env)
    expect(redeem.screen).toContain('production: profile shop, 127.0.0.1')
    expect([redeem.code, server.commitsOn(CARD)]).toEqual([0, 1])
  })

  test('a production profile does not ask for confirmation of a read, or of a write with --mode full or --yes', async (context) => {
    skipWithout(context, TERMINAL)
    const { env } = await shop('--environment', 'production', '--mode', 'full')
    expect((await runInTerminal(PAX, [], env)).screen).not.toContain('Change data in')
    const { env: production } = await shop('--environment', 'production')
    expect((await runInTerminal([...PAX, '--yes'], [], production)).screen).not.toContain('Change data in')
    expect((await runInTerminal(['giftcards', 'get', CARD], [], production)).code).toBe(0)
  })
})

test('Ctrl-C at a confirmation prompt exits with code 130 and sends nothing', async (context) => {
  skipWithout(context, TERMINAL)
  const { server, env } = await shop()
  const run = await runInTerminal(REDEEM, [[`Redeem 5.00 from ${CARD}?`, '\u0003']], env)
  expect([run.code, writesSentTo(server)], run.screen).toEqual([130, []])
})
