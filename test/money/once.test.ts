import { describe, expect } from 'vitest'
import type { Run } from '../support/partner.ts'
import { reportedError } from '../support/refusal.ts'
import { startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { CARD, COMMAND_LINES, SALE, type Shop, targetOf, test } from './cashier.ts'
import type { Fault } from './commit-server.ts'
import { COMMANDS, type MoneyCommand } from './till.ts'

const KEY = 'till1-20261123:0042'
const MINUTE_MS = 60_000
const LOST_AFTER: Fault = { kind: 'lost', loss: 'reset', phase: 'after' }
const LOST_BEFORE: Fault = { kind: 'lost', loss: 'reset', phase: 'before' }
const HANGS_AFTER: Fault = { kind: 'lost', loss: 'hang', phase: 'after' }
const HANGS_BEFORE: Fault = { kind: 'lost', loss: 'hang', phase: 'before' }
/** Commands whose outcome a read can always determine. The service does not list sales without a booking. */
const READABLE = COMMANDS.filter((command) => command !== 'sales create')

const once = (shop: Shop, command: MoneyCommand, ...more: readonly string[]) =>
  shop.run(...COMMAND_LINES[command], '--once', KEY, ...more)

/** Expects a repeat to have printed the result of an earlier run without sending anything. */
function expectRepeat(repeat: Run, first: Pick<Run, 'stdout'>) {
  expect(repeat).toMatchObject({ code: 0, stdout: first.stdout })
  expect(repeat.stderr).toMatch(/^already done on \w{3} \d{4}-\d\d-\d\d \d\d:\d\d .*\(op_\w{10}\); nothing was sent\n$/)
}

describe.each(COMMANDS)('%s --once', (command) => {
  const target = targetOf(command)

  test('a repeat makes no requests and prints the same output', async ({ shop }) => {
    const first = await once(shop, command)
    expect(first.code, first.stderr).toBe(0)
    const requests = shop.server.requests.length
    for (let again = 0; again < 3; again++) expectRepeat(await once(shop, command), first)
    expectRepeat(await once(shop, command, '--force'), first)
    expect(shop.server.requests).toHaveLength(requests)
    expect(shop.server.commitsOn(target)).toBe(1)
  })

  test.for(['table', 'csv', 'tsv', 'ndjson'])(
    'a repeat prints the same output with -o %s',
    async (format, { shop }) => {
      const line = COMMAND_LINES[command].filter((word) => word !== '--json')
      const run = (...more: readonly string[]) => shop.run(...line, '--once', KEY, ...more)
      const first = await run('-o', format)
      expect(first.stdout).toContain(target)
      expectRepeat(await run('-o', format), first)
      const json = await run('--json')
      expect(json.stdout).toContain('{')
      expectRepeat(await run('--json'), json)
      expectRepeat(await run('-o', format), first)
    },
  )

  test("a repeat prints the same output even if the write's response was lost", async ({ shop }) => {
    shop.server.setFaults('write', target, [LOST_AFTER])
    const first = await once(shop, command)
    expect(first.code, first.stderr).toBe(0)
    expect(first.stderr).toContain('the response was lost')
    expectRepeat(await once(shop, command), first)
    expect(shop.server.commitsOn(target)).toBe(1)
  })

  test('a key that was used for a different order is rejected and nothing is sent', async ({ shop }) => {
    expect((await once(shop, command)).code).toBe(0)
    const requests = shop.server.requests.length
    const others = COMMANDS.filter((other) => other !== command).map((other) => once(shop, other))
    for (const run of await Promise.all([...others, once(shop, command, '--set', 'reference=other')])) {
      const { code, exitCode, message } = reportedError(run)
      expect({ code, exitCode }).toEqual({ code: 'USAGE', exitCode: 2 })
      expect(message).toContain(`--once ${KEY} was used for another order`)
      expect(message).toContain(command === 'sales create' ? SALE : CARD)
      if (command.endsWith('redeem')) expect(message).toContain('25.00')
      expect(run.stdout).toBe('')
    }
    expect(shop.server.requests).toHaveLength(requests)
  })

  test('an order that the service rejected can be sent again with the same key', async ({ shop }) => {
    const refused: Fault = { kind: 'refused', status: 400, body: { message: 'Not now.' } }
    shop.server.setFaults('write', target, [refused])
    expect((await once(shop, command)).code).toBe(5)
    expect(await listed(shop)).toMatchObject([{ state: 'not-applied', once: KEY }])
    const done = await once(shop, command)
    expect(done.code, done.stderr).toBe(0)
    expectRepeat(await once(shop, command), done)
    expect(shop.server.commitsOn(target)).toBe(1)
  })

  test('if several processes start at the same time, one sends the write and all print the same result', async ({
    shop,
  }) => {
    const runs = await Promise.all(
      Array.from(
        { length: 6 },
        () => startPartner([...COMMAND_LINES[command], '--once', KEY], { env: shop.env }).ended,
      ),
    )
    for (const run of runs) expect(run, run.stderr).toMatchObject({ code: 0, stdout: runs[0]?.stdout })
    expect(runs.filter(({ stderr }) => !stderr.includes('already done'))).toHaveLength(1)
    expect(shop.server.writesOn(target)).toBe(1)
  })

  test('a run waits for the process that is working on the order and gives up after --timeout', async ({ shop }) => {
    shop.server.setFaults('write', target, [HANGS_BEFORE])
    const slow = startPartner([...COMMAND_LINES[command], '--once', KEY], { env: shop.env })
    await until(() => shop.server.writesOn(target) === 1)
    const second = await once(shop, command, '--timeout', '300ms')
    expect(second.code).toBe(9)
    const { message, hint } = reportedError(second)
    expect(message).toContain('is still working on this order; nothing was sent')
    expect(hint).toMatch(/partner operations resolve op_\w+ --wait/)
    expect(shop.server.writesOn(target)).toBe(1)
    slow.process.kill('SIGKILL')
    await slow.ended
  })

  test('a dry run neither uses nor needs the key', async ({ shop }) => {
    expect((await once(shop, command, '--dry-run')).code).toBe(0)
    expect(await listed(shop)).toEqual([])
    expect((await once(shop, command)).code).toBe(0)
    expect((await once(shop, command, '--dry-run')).stderr).not.toContain('already done')
  })

  test.for([
    ['no characters', ''],
    ['a space', 'till 1'],
    ['a slash', 'till/1'],
    ['129 characters', 'x'.repeat(129)],
  ])('a key with %s is rejected before anything is sent', async ([, key = ''], { shop }) => {
    const run = await shop.run(...COMMAND_LINES[command], '--once', key)
    expect(reportedError(run)).toMatchObject({ code: 'USAGE', exitCode: 2 })
    expect(reportedError(run).message).toContain('--once must be 1 to 128')
    expect(shop.server.requests).toEqual([])
  })

  test("a key that looks like the handle of an agent's order is rejected for money writes, but accepted by operations list", async ({
    shop,
  }) => {
    const run = await shop.run(...COMMAND_LINES[command], '--once', 'mcp_0042')
    expect(reportedError(run)).toMatchObject({ code: 'USAGE', exitCode: 2 })
    expect(reportedError(run).message).toContain('must not start with mcp_')
    expect(shop.server.requests).toEqual([])
    expect((await shop.run('operations', 'list', '--once', 'mcp_0042', '--json')).stdout).toBe('[]\n')
  })
})

describe.each(READABLE)('repeating %s --once determines an unknown outcome', (command) => {
  const target = targetOf(command)

  test('a repeat determines that the write took effect, and does not send it again', async ({ shop }) => {
    shop.server.setFaults('write', target, [HANGS_AFTER])
    const victim = startPartner([...COMMAND_LINES[command], '--once', KEY], { env: shop.env })
    await until(() => shop.server.commitsOn(target) === 1)
    victim.process.kill('SIGKILL')
    await victim.ended
    const again = await once(shop, command)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('already done')
    expectRepeat(await once(shop, command), again)
    expect(shop.server.writesOn(target)).toBe(1)
    expect(await listed(shop)).toMatchObject([{ state: 'applied', once: KEY }])
  })

  test('a repeat exits with code 9 while the outcome is uncertain, and later resends a write that did not take effect', async ({
    shop,
  }) => {
    shop.server.setFaults('write', target, [LOST_BEFORE])
    expect((await once(shop, command)).code).toBe(9)
    const early = await once(shop, command)
    expect(reportedError(early)).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(shop.server.writesOn(target)).toBe(1)
    shop.age(2 * MINUTE_MS)
    const sent = await once(shop, command)
    expect(sent.code, sent.stderr).toBe(0)
    expect(sent.stderr).not.toContain('already done')
    expectRepeat(await once(shop, command), sent)
    expect(shop.server.commitsOn(target)).toBe(1)
  })

  test('a repeat exits with code 9 while the card cannot be read, because an earlier run may have paid', async ({
    shop,
  }) => {
    shop.server.setFaults('write', target, [LOST_AFTER])
    const unavailable: Fault = { kind: 'refused', status: 503, body: { message: 'Down for maintenance.' } }
    shop.server.setFaults('read', target, [null, unavailable, unavailable])
    expect((await once(shop, command, '--retries', '0')).code).toBe(9)
    const again = reportedError(await once(shop, command, '--retries', '0'))
    expect(again).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
    expect(again.message).toContain('the outcome could not be checked')
    const done = await once(shop, command)
    expect(done.code, done.stderr).toBe(0)
    expect(shop.server.writesOn(target)).toBe(1)
  })

  test('a repeat uses the outcome that operations resolve determined', async ({ shop }) => {
    shop.server.setFaults('write', target, [LOST_AFTER])
    shop.server.setFaults('read', target, [null, { kind: 'lost', loss: 'reset', phase: 'before' }])
    expect((await once(shop, command, '--retries', '0')).code).toBe(9)
    expect((await shop.resolve()).code).toBe(0)
    const again = await once(shop, command)
    expect(again.code, again.stderr).toBe(0)
    expect(again.stderr).toContain('already done')
    expectRepeat(await once(shop, command), again)
    expect(shop.server.writesOn(target)).toBe(1)
  })
})

test('a repeated order is recognized even if its amount, card number and fields are written differently', async ({
  shop,
}) => {
  const redeem = (card: string, amount: string, ...more: readonly string[]) =>
    shop.run('giftcards', 'redeem', card, '--amount', amount, '--once', KEY, '--json', ...more)
  const first = await redeem(CARD, '25', '--set', 'a=1', '--set', 'b=2.50')
  expect(first.code, first.stderr).toBe(0)
  expectRepeat(await redeem(` ${CARD.toLowerCase()} `, '25.00', '--data', '{"b":2.5,"a":1.0}'), first)
  expect(shop.server.commitsOn(CARD)).toBe(1)
})

test('card numbers that differ only in a look-alike letter belong to different orders', async ({ shop }) => {
  const redeem = (card: string) =>
    shop.run('giftcards', 'redeem', card, '--amount', '25', '--once', KEY, '--json', '--no-validate')
  const first = await redeem(CARD)
  expect(first.code, first.stderr).toBe(0)
  const other = reportedError(await redeem(CARD.replace('S', 'ſ')))
  expect(other).toMatchObject({ code: 'USAGE', message: expect.stringContaining('was used for another order') })
})

test('a repeated sale is recognized even if its --opened and --closed times differ', async ({ shop }) => {
  const first = await shop.run(...COMMAND_LINES['sales create'], '--once', KEY, '--closed', 'now')
  expect(first.code, first.stderr).toBe(0)
  expectRepeat(await shop.run(...COMMAND_LINES['sales create'], '--once', KEY, '--closed', 'now'), first)
})

test('identical orders with different keys are separate payments', async ({ shop }) => {
  for (const key of ['payment-1', 'payment-2', 'payment-1'])
    expect((await shop.run(...COMMAND_LINES['giftcards redeem'], '--once', key)).code).toBe(0)
  expect(shop.server.commitsOn(CARD)).toBe(2)
})

test('a repeat sends nothing after operations resolve --as applied', async ({ shop }) => {
  shop.server.setFaults('write', CARD, [LOST_BEFORE])
  expect((await once(shop, 'giftcards redeem')).code).toBe(9)
  expect((await shop.resolve('--as', 'applied', '--yes')).code).toBe(0)
  expect((await once(shop, 'giftcards redeem')).stderr).toContain('already done')
  expect(shop.server.commitsOn(CARD)).toBe(0)
})

test('the key is stored on disk before the write is sent', async ({ shop }) => {
  const stored: unknown[] = []
  shop.server.setCallbacks('write', CARD, [async () => void stored.push(...(await listed(shop)))])
  expect((await once(shop, 'giftcards redeem')).code).toBe(0)
  expect(stored).toMatchObject([{ state: 'open', once: KEY, target: CARD }])
})

test('operations list and operations show print the key and the host', async ({ shop }) => {
  shop.server.setFaults('write', CARD, [LOST_BEFORE])
  await once(shop, 'giftcards redeem')
  const [open] = await listed(shop)
  expect(open).toMatchObject({ once: KEY, host: expect.stringMatching(/./) })
  expect(JSON.parse((await shop.run('operations', 'list', '--json')).stdout)).toEqual([open])
  expect(JSON.parse((await shop.run('operations', 'show', open?.id ?? '', '--json')).stdout)).toEqual(open)
  expect((await shop.run('operations', 'show', open?.id ?? '')).stdout).toContain(KEY)
})

async function listed({ run }: Shop): Promise<{ readonly id: string; readonly once: string }[]> {
  return JSON.parse((await run('operations', 'list', '--once', KEY, '--json')).stdout)
}
