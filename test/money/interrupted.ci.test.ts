import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { Run, Running } from '../support/partner.ts'
import { RAW_KEY } from '../support/raw-server.ts'
import { expectClean, operationOf, reportedError } from '../support/refusal.ts'
import { sendSignalsTogether, startPartner } from '../support/running.ts'
import { until } from '../support/until.ts'
import { ownPid } from '../support/windows.ts'
import { CARD, COMMAND_LINES, openShop, type Shop, targetOf, test } from './cashier.ts'
import { chance } from './chance.ts'
import type { Fault } from './commit-server.ts'
import { COMMANDS } from './till.ts'

const SEED = 20261121
const MOMENTS = ['start', 'read', 'read', 'write', 'write'] as const
const REDEEM = COMMAND_LINES['giftcards redeem']

const HANGS_BEFORE: Fault = { kind: 'lost', loss: 'hang', phase: 'before' }
const HANGS_AFTER: Fault = { kind: 'lost', loss: 'hang', phase: 'after' }

function start({ env }: Shop, args: readonly string[]): Running {
  return startPartner(args, { env })
}

/** Expects a run to report an unknown outcome and to leave its operation open. */
async function expectKept(shop: Shop, run: Run) {
  const error = reportedError(run)
  expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', exitCode: 9, outcome: 'unknown' })
  const [operation] = await shop.operations()
  expect(operation).toMatchObject({ state: 'open' })
  expect(error.hint).toContain(`partner operations resolve ${operation?.id}`)
  expectClean(run, [RAW_KEY])
}

describe('partner survives kill -9 at a random moment', () => {
  test('a write whose process is killed is performed at most once and resolves to its real outcome', {
    timeout: 240_000,
  }, async () => {
    const outcomes = { neverSent: 0, refused: 0 }
    for (let round = 0; round < 28; round++) {
      const random = chance(SEED + round)
      const command = COMMANDS[round % COMMANDS.length] ?? 'giftcards redeem'
      const target = targetOf(command)
      const shop = await openShop()
      const late = random.happens(0.5)
      if (random.happens(0.7)) {
        const phase = late ? 'late' : random.pick(['before', 'after'] as const)
        shop.server.setFaults('write', target, [{ kind: 'lost', loss: 'hang', phase }])
      }
      const victim = start(shop, COMMAND_LINES[command])
      // Wait for a known point before the random delay, because partner starts at different speeds on different
      // machines.
      const point = MOMENTS[round % MOMENTS.length]
      await until(
        () =>
          point === 'start' ||
          (point === 'read' ? shop.server.requests.length : shop.server.writesOn(target)) > 0 ||
          victim.process.exitCode !== null,
      )
      await delay(point === 'start' ? random.integer(20, 90) : random.next() * 8)
      victim.process.kill('SIGKILL')
      await victim.ended
      await shop.server.drained()
      const sent = shop.server.writesOn(target)
      const context = `round ${round}: ${command}, ${sent} sent`
      await shop.server.settled()
      shop.server.setFaults('write', target, [])
      const again = await shop.run(...COMMAND_LINES[command])
      expect([0, command === 'sales create' ? 6 : 9], `${context}: ${again.stderr}`).toContain(again.code)
      if (again.code === 9) {
        outcomes.refused++
        expect(shop.server.writesOn(target), context).toBe(sent)
        const operation = operationOf(again)
        // The first check finds that the process has exited. From then on, the service has one minute to finish the
        // write.
        await shop.run('operations', 'resolve', operation)
        shop.age(61_000)
        const resolved = await shop.run('operations', 'resolve', operation, '--json')
        expect(resolved.code, `${context}: ${resolved.stderr}`).toBe(0)
        const done = shop.server.commitsOn(target) === 1
        expect(JSON.parse(resolved.stdout), context).toMatchObject({ state: done ? 'applied' : 'not-applied' })
        if (!done) expect((await shop.run(...COMMAND_LINES[command])).code, context).toBe(0)
      } else outcomes.neverSent++
      // If the process ended before it could be killed, the second run correctly performed the write again.
      expect(shop.server.commitsOn(target), context).toBeLessThanOrEqual(await allowedOn(victim))
      expect(shop.server.commitsOn(target), context).toBeGreaterThanOrEqual(1)
    }
    // Do not check how often each outcome occurs, because that depends on the machine.
    expect(outcomes.refused).toBeGreaterThan(0)
    expect(outcomes.neverSent).toBeGreaterThan(0)
  })
})

async function allowedOn({ ended }: Running): Promise<number> {
  const { code, stdout } = await ended
  return code === 0 || stdout !== '' ? 2 : 1
}

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('redemptions interrupted by %s', (signal) => {
  test(`a redemption exits with code 130 and leaves no operation if ${signal} arrives while it reads the balance`, async ({
    shop,
  }) => {
    shop.server.setFaults('read', CARD, [HANGS_BEFORE])
    const redeem = start(shop, REDEEM)
    await until(() => shop.server.requests.length === 1)
    redeem.process.kill(signal)
    expect(reportedError(await redeem.ended)).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(shop.server.writesOn(CARD)).toBe(0)
    expect(await shop.operations()).toEqual([])
  })

  test(`a redemption exits with code 9 and leaves its operation open if ${signal} arrives while the write is in flight`, async ({
    shop,
  }) => {
    shop.server.setFaults('write', CARD, [HANGS_AFTER])
    const redeem = start(shop, REDEEM)
    await until(() => shop.server.writesOn(CARD) === 1)
    redeem.process.kill(signal)
    const run = await redeem.ended
    await expectKept(shop, run)
    expect(reportedError(run).message).toContain(`stopped by ${signal}`)
    expect((await shop.resolve()).code).toBe(0)
    expect(await shop.operations()).toMatchObject([{ state: 'applied' }])
  })

  test(`a redemption exits with code 130 and leaves no operation if ${signal} arrives while it waits after a 429`, async ({
    shop,
  }) => {
    const busy = { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '20' } } as const
    shop.server.setFaults('write', CARD, [busy])
    const redeem = start(shop, [...REDEEM, '-v'])
    await until(() => / 429 \d+ ms/.test(redeem.said.stderr))
    redeem.process.kill(signal)
    expect(reportedError(await redeem.ended)).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
    expect(await shop.operations()).toEqual([])
  })
})

// Use two different signals, because the operating system may merge two identical signals.
describe.each([
  ['SIGINT', 'SIGTERM'],
  ['SIGTERM', 'SIGINT'],
  ['SIGHUP', 'SIGTERM'],
] as const)('%s and then %s', (first, second) => {
  test.each(COMMANDS)(
    `%s exits with code 9 and its operation stays open if ${first} and ${second} arrive during the write`,
    async (command) => {
      const shop = await openShop()
      shop.server.setFaults('write', targetOf(command), [HANGS_AFTER])
      const write = start(shop, COMMAND_LINES[command])
      await until(() => shop.server.writesOn(targetOf(command)) === 1)
      sendSignalsTogether(write, first, second)
      await expectKept(shop, await write.ended)
    },
  )
})

test('operations resolve reports that a process has been working on the write for two minutes', async ({ shop }) => {
  shop.server.setFaults('write', CARD, [HANGS_BEFORE])
  const redeem = start(shop, REDEEM)
  await until(() => shop.server.writesOn(CARD) === 1)
  shop.age(120_000)
  const resolved = await shop.resolve('--json')
  expect(reportedError(resolved)).toMatchObject({ exitCode: 9 })
  expect(resolved.stderr).toContain(`process ${await ownPid(redeem.process)} is still working on it`)
  redeem.process.kill('SIGKILL')
  await redeem.ended
  expect((await shop.resolve()).code).toBe(0)
})

describe('identical simultaneous writes by several processes', () => {
  test.each(COMMANDS)(
    'a %s process does not send its write while another one is sending the same write',
    async (command) => {
      for (let round = 0; round < 3; round++) {
        const shop = await openShop()
        const runs = await Promise.all([1, 2].map(() => start(shop, COMMAND_LINES[command]).ended))
        // The second process is either refused while the first is working or runs after the first has finished.
        const [first, second] = runs.map(({ code }) => code).sort()
        expect(first, runs.map(({ stderr }) => stderr).join('\n')).toBe(0)
        if (second === 9) expect(shop.server.writesOn(targetOf(command))).toBe(1)
        if (command === 'sales create' || command === 'giftcards cancel')
          expect(shop.server.commitsOn(targetOf(command))).toBe(1)
        else expect(shop.server.commitsOn(CARD)).toBe(second === 0 ? 2 : 1)
      }
    },
  )

  test('of twelve simultaneous identical redemptions, exactly those that report success are performed', async ({
    shop,
  }) => {
    const runs = await Promise.all(Array.from({ length: 12 }, () => start(shop, REDEEM).ended))
    const ended = (code: number) => runs.filter((run) => run.code === code).length
    // On a slow machine, the processes run one after another, and the later ones exceed the balance.
    const [done, refused] = [ended(0), ended(10)]
    expect(ended(9)).toBe(12 - done - refused)
    expect([shop.server.writesOn(CARD), shop.server.commitsOn(CARD)]).toEqual([done + refused, done])
    expect(done).toBeGreaterThan(0)
  })

  test('a refused redemption reports which process is performing an identical redemption', async ({ shop }) => {
    shop.server.setFaults('write', CARD, [HANGS_BEFORE])
    const first = start(shop, REDEEM)
    await until(() => shop.server.writesOn(CARD) === 1)
    const second = await shop.run(...REDEEM)
    expect(second.code).toBe(9)
    expect(second.stderr).toContain(`the same write is in progress in process ${await ownPid(first.process)}`)
    expect(shop.server.writesOn(CARD)).toBe(1)
    first.process.kill('SIGKILL')
    await first.ended
  })
})
