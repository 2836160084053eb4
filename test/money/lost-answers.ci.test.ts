import { describe, expect } from 'vitest'
import { RAW_KEY } from '../support/raw-server.ts'
import { expectClean, operationOf, reportedError } from '../support/refusal.ts'
import { words } from '../support/words.ts'
import { COMMAND_LINES, openShop, type Shop, SIGNING_SECRET, targetOf, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'
import type { Loss } from './losses.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

/** Returns flags with a short timeout if the response hangs. After a timeout, partner retries reads but not writes. */
const soon = (loss: Loss) => (loss === 'hang' ? words('--timeout 2s --retries 3') : [])
/** The losses to test with real processes. In-process tests cover the others. */
const SOME_LOSSES = ['reset', 'close', 'hang', 'truncate', 'html', '502', '503', '504'] as const
const CARD_COMMANDS = COMMANDS.filter((command) => command !== 'sales create')
const lost = (loss: Loss, phase: 'before' | 'after' | 'late'): Fault => ({ kind: 'lost', loss, phase })

describe.each(CARD_COMMANDS)('%s succeeds even if its response was lost', (command) => {
  test.each(SOME_LOSSES)(
    `${command} exits with code 0 if the write was performed but its response was lost (%s)`,
    async (loss) => {
      const shop = await openShop()
      shop.server.setFaults('write', targetOf(command), [lost(loss, 'after')])
      const run = await shop.run(...COMMAND_LINES[command], ...soon(loss))
      expect(run).toMatchObject({ stderr: expect.stringMatching(/^the response was lost, but /), code: 0 })
      expect(JSON.parse(run.stdout)).toMatchObject(DONE[command] ?? {})
      expect(shop.server.commitsOn(targetOf(command))).toBe(1)
      expectClean(run, [RAW_KEY, SIGNING_SECRET])
    },
  )
})

const DONE: Readonly<Partial<Record<MoneyCommand, object>>> = {
  'giftcards redeem': { isSuccess: true, amountRedeemed: 25 },
  'giftcards cancel': { status: 'Cancelled', changed: true },
  'inbound redeem': { isSuccess: true, amountRedeemed: 25 },
}

describe.each(CARD_COMMANDS)('%s leaves an operation with an unknown outcome', (command) => {
  test.each(SOME_LOSSES)(
    `${command} exits with code 9 and leaves an open operation if its outcome is unknown (%s)`,
    async (loss) => {
      const shop = await openShop()
      shop.server.setFaults('write', targetOf(command), [lost(loss, 'before')])
      const run = await shop.run(...COMMAND_LINES[command], ...soon(loss))
      const error = reportedError(run)
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
      const [operation] = await shop.operations()
      expect(operation).toMatchObject({ command, target: targetOf(command), state: 'open' })
      expect(error.details).toEqual({ operation: operation?.id })
      expect(error.hint).toContain(`partner operations resolve ${operation?.id}`)
      expect(run.stdout).toBe('')
      expectClean(run, [RAW_KEY, SIGNING_SECRET])
    },
  )

  test(`a second ${command} is refused until the first is resolved, which takes a minute`, async ({ shop }) => {
    const id = await loseOne(shop, command)
    const again = await shop.run(...COMMAND_LINES[command])
    expect(reportedError(again)).toMatchObject({ exitCode: 9, details: { operation: id } })
    expect(shop.server.requests).toHaveLength(3)
    expect((await shop.run('operations', 'resolve', id)).code).toBe(9)
    shop.age(60_000)
    const resolved = await shop.run('operations', 'resolve', id, '--json')
    expect(resolved.code).toBe(0)
    expect(JSON.parse(resolved.stdout)).toMatchObject({ id, state: 'not-applied' })
    expect(shop.server.writesOn(targetOf(command))).toBe(1)
    expect((await shop.run(...COMMAND_LINES[command])).code).toBe(0)
    expect(shop.server.commitsOn(targetOf(command))).toBe(1)
  })

  test(`operations resolve reports a ${command} as applied if the service performed it late`, async ({ shop }) => {
    const id = await loseOne(shop, command)
    performLate(shop, command)
    const resolved = await shop.run('operations', 'resolve', id, '--json')
    expect(resolved.code).toBe(0)
    expect(JSON.parse(resolved.stdout)).toMatchObject({ id, state: 'applied' })
    expect(shop.server.writesOn(targetOf(command))).toBe(1)
  })

  test(`${command} --force runs even if an identical write is open`, async ({ shop }) => {
    await loseOne(shop, command)
    expect((await shop.run(...COMMAND_LINES[command], '--force')).code).toBe(0)
    expect(shop.server.commitsOn(targetOf(command))).toBe(1)
  })

  test(`a different write to the same card runs with a warning while a ${command} is open`, async ({ shop }) => {
    await loseOne(shop, command)
    const other = await shop.run('giftcards', 'redeem', targetOf(command), '--amount', '24.99', '--json')
    expect(other.code).toBe(0)
    expect(other.stderr).toMatch(
      /^warning: it is not known whether this earlier write was done: .* at 20\S+ \d\d:\d\d UTC; .* operations resolve op_\w+$/m,
    )
  })
})

test('a repeated redemption is recognized even if its amount or card number is formatted differently', async ({
  shop,
}) => {
  await loseOne(shop, 'giftcards redeem')
  const card = ` ${targetOf('giftcards redeem').toLowerCase()} `
  expect((await shop.run('giftcards', 'redeem', card, '--amount', '25')).code).toBe(9)
  expect((await shop.run('giftcards', 'redeem', card.trim(), '--amount', '25', '--no-validate')).code).toBe(9)
  expect(shop.server.writesOn(targetOf('giftcards redeem'))).toBe(1)
})

describe('sales create', () => {
  const losses = ['reset', 'hang', 'truncate'] as const
  test.each(losses)(
    'sales create accepts a 409 as proof that an attempt whose response was lost has arrived (%s)',
    async (loss) => {
      const shop = await openShop()
      shop.server.setFaults('write', 'S-1001', [lost(loss, 'after')])
      const run = await shop.run(...COMMAND_LINES['sales create'], ...soon(loss))
      const stderr = expect.stringMatching(/^the response was lost, but the sale arrived: .*409/)
      expect(run).toMatchObject({ code: 0, stdout: '{"saleId":"S-1001"}\n', stderr })
      expect([shop.server.writesOn('S-1001'), shop.server.commitsOn('S-1001')]).toEqual([2, 1])
    },
  )

  test('sales create resends a sale until it receives a response', async ({ shop }) => {
    shop.server.setFaults('write', 'S-1001', [lost('reset', 'before'), lost('503', 'before')])
    expect(await shop.run(...COMMAND_LINES['sales create'])).toMatchObject({ code: 0, stderr: '' })
    expect([shop.server.writesOn('S-1001'), shop.server.commitsOn('S-1001')]).toEqual([3, 1])
  })

  test('a second sales create settles a sale whose responses were all lost in the first run', async ({ shop }) => {
    shop.server.setFaults('write', 'S-1001', [lost('reset', 'late'), lost('reset', 'before')])
    const run = await shop.run(...COMMAND_LINES['sales create'], '--retries', '0')
    expect(reportedError(run)).toMatchObject({ exitCode: 9, outcome: 'unknown' })
    await shop.server.settled()
    const again = await shop.run(...COMMAND_LINES['sales create'], '--retries', '1')
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(/^the response was lost, but the sale arrived/)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
    expect(shop.server.commitsOn('S-1001')).toBe(1)
  })

  test('sales create exits with code 6 (conflict) if the service already has the sale', async ({ shop }) => {
    expect((await shop.run(...COMMAND_LINES['sales create'])).code).toBe(0)
    const again = await shop.run(...COMMAND_LINES['sales create'])
    expect(reportedError(again)).toMatchObject({ exitCode: 6, outcome: 'not-applied' })
    expect(await shop.operations()).toEqual([])
  })
})

test('giftcards redeem sends no write and exits with code 8 if the balance cannot be read', async ({ shop }) => {
  shop.server.setFaults('read', targetOf('giftcards redeem'), [{ kind: 'refused', status: 503, body: '' }])
  const run = await shop.run(...COMMAND_LINES['giftcards redeem'], '--retries', '0')
  expect(reportedError(run)).toMatchObject({ exitCode: 8, outcome: 'not-applied' })
  expect(shop.server.writesOn(targetOf('giftcards redeem'))).toBe(0)
  expect(await shop.operations()).toEqual([])
})

test('giftcards redeem reports the outcome as unknown instead of following a redirect', async ({ shop }) => {
  const location = 'https://elsewhere.example/done'
  const redirect: Fault = { kind: 'refused', status: 303, body: '', headers: { location } }
  shop.server.setFaults('write', targetOf('giftcards redeem'), [redirect])
  const run = await shop.run(...COMMAND_LINES['giftcards redeem'])
  expect(reportedError(run)).toMatchObject({ exitCode: 5, outcome: 'unknown' })
  expect(run.stderr).toContain('https://elsewhere.example/done')
  expect(await shop.operations()).toMatchObject([{ state: 'open' }])
})

test('operations resolve --as sets the outcome of an operation manually', async ({ shop }) => {
  const id = await loseOne(shop, 'giftcards redeem')
  expect((await shop.run('operations', 'resolve', id, '--as', 'applied')).code).toBe(2)
  expect((await shop.run('operations', 'resolve', id, '--as', 'applied', '--yes')).code).toBe(0)
  expect(await shop.operations()).toMatchObject([{ id, state: 'applied' }])
})

/** Sends a write whose response is lost, and returns the operation ID. */
async function loseOne(shop: Shop, command: MoneyCommand): Promise<string> {
  shop.server.setFaults('write', targetOf(command), [lost('reset', 'before')])
  return operationOf(await shop.run(...COMMAND_LINES[command]))
}

/** Makes the service perform a write after partner has stopped waiting for the response. */
function performLate({ server }: Shop, command: MoneyCommand): void {
  const card = server.cards.get(targetOf(command))
  if (!card) throw new Error('there is no such card')
  if (command === 'giftcards cancel') card.status = 'Cancelled'
  else card.cents -= 2_500n
}
