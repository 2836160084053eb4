import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { SandboxControl } from '../../src/sandbox/control/control.ts'
import { runningSandbox } from '../sandbox/fresh-sandbox.ts'
import type { Run } from '../support/partner.ts'
import { reportedError } from '../support/refusal.ts'
import { countKills, HOWS, NO_BLOW, runUntilStep } from '../support/step-killer.ts'
import { until } from '../support/until.ts'
import { type Chance, chance } from './chance.ts'
import { ageRows, openHost, type TestHost } from './hosts.ts'
import { addCards } from './once/kill-shop.ts'
import { SEED } from './seeds.ts'

const KILLS = Number(process.env['PARTNER_KILLS'] ?? 6)
const MINUTE_MS = 60_000
const ENDPOINT = 'POST /GiftCards/redeem'

const LOSSES = ['reset', 'close', 'hang'] as const
const PHASES = ['before', 'after'] as const

/**
 * The number of steps in a redemption whose response never arrives, keyed by whether the fault occurs before or after
 * the sandbox performs the redemption.
 */
type Steps = Readonly<Record<(typeof PHASES)[number], number>>

/** A sandbox and a host. Each redemption is from a different card, which has a balance of 100.00. */
interface RedeemShop {
  readonly control: SandboxControl
  readonly host: TestHost
  /** Returns how many times a card has been redeemed, according to its balance. */
  timesRedeemed(card: string): Promise<number>
}

const cardOf = (number: number) => `KILLS-${String(number).padStart(8, '0')}-CARD`

async function openRedeemShop(): Promise<RedeemShop> {
  const { sandbox, control, send } = await runningSandbox()
  const cards = Array.from({ length: 2 * KILLS + 10 }, (_, number) => cardOf(number))
  await addCards(control, cards)
  const host = openHost({ PARTNER_BASE_URL: sandbox.baseUrl, PARTNER_API_KEY: sandbox.apiKey })
  const timesRedeemed = async (card: string) => {
    const { body } = await send('GET', `/GiftCards/${card}`)
    return (100 - body.remainingAmount) / 25
  }
  return { control, host, timesRedeemed }
}

function redeem(card: string, isOnce: boolean): string[] {
  const line = ['giftcards', 'redeem', card, '--amount', '25.00', '--json', '--retries', '0', '--timeout', '1s']
  return isOnce ? [...line, '--once', `till-1:${card}`] : line
}

/**
 * Runs a redemption whose response the sandbox loses, and kills its process at a random step or while it waits for the
 * response. Some processes exit before they reach their step.
 */
async function killRedeem({ control, host }: RedeemShop, args: readonly string[], random: Chance, steps: Steps) {
  const [kind, phase] = [random.pick(LOSSES), random.pick(PHASES)]
  const { id } = await control.addFault({ endpoint: ENDPOINT, effect: { kind }, phase, next: 1 })
  const wasLost = async () => (await control.listFaults()).some((fault) => fault.id === id && fault.fired > 0)
  const kill = async () => {
    const running = host.start(...args)
    await until(wasLost)
    await delay(random.integer(0, 300))
    running.process.kill('SIGKILL')
    return { ...(await running.ended), hasSent: true }
  }
  const isStep = kind !== 'hang' || random.happens(0.3)
  const blow = { at: random.integer(1, steps[phase]), how: random.pick(HOWS) }
  const run = await (isStep ? runUntilStep(args, host.env, blow) : kill())
  const end = {
    run,
    isLost: await wasLost(),
    fault: `${kind} ${phase}${isStep ? `, ${blow.how} step ${blow.at}` : ''}`,
  }
  await control.clearFaults(id)
  return end
}

/** Returns whether a run has printed the result of a successful payment. */
function isPrinted({ stdout }: Run): boolean {
  return stdout.includes('}')
}

/** Expects a run's exit code and output to agree with what the sandbox did. */
function expectTruth(run: Run, times: number): void {
  const { code, stderr } = run
  expect(times, stderr).toBeLessThanOrEqual(1)
  if (code === 0 || isPrinted(run)) expect(times, stderr).toBe(1)
  if (code !== null && code !== 0) expect([8, 9], stderr).toContain(code)
}

/** Returns the ID of a card's open operation. */
async function openOperation({ host }: RedeemShop, card: string): Promise<string | undefined> {
  return (await host.operations()).find(({ target, state }) => target === card && state === 'open')?.id
}

describe.each([
  ['giftcards redeem', false],
  ['giftcards redeem --once', true],
] as const)('%s runs against a sandbox that loses responses', (what, isOnce) => {
  test(`each payment is made exactly once even if ${KILLS} processes are killed`, {
    timeout: 120_000 + KILLS * 20_000,
  }, async ({ annotate }) => {
    const shop = await openRedeemShop()
    const steps = { before: 0, after: 0 }
    for (const [at, phase] of PHASES.entries()) {
      await shop.control.addFault({ endpoint: ENDPOINT, effect: { kind: 'reset' }, phase, next: 1 })
      const whole = await runUntilStep(redeem(cardOf(at), isOnce), shop.host.env, NO_BLOW)
      expect(whole.code, whole.stderr).toBe(phase === 'after' ? 0 : 9)
      steps[phase] = whole.steps
    }
    const count = countKills()
    let lost = 0
    for (let round = 2; count.kills < KILLS; round++) {
      const card = cardOf(round)
      const { run, isLost, fault } = await killRedeem(shop, redeem(card, isOnce), chance(SEED + round), steps)
      count.add(run)
      if (run.code === null && isLost) lost++
      const context = `round ${round} with ${fault}: ${run.code} ${run.stderr}`
      await (isOnce ? repeat(shop, card, run, context) : resolve(shop, card, run, context))
      expect(await shop.timesRedeemed(card), context).toBe(1)
      expect(await openOperation(shop, card), context).toBeUndefined()
    }
    await annotate(`${count.expectMost(what)}; ${lost} after the response was lost`)
  })
})

/** Determines the outcome of a payment without a key. Makes the payment if it was not made. */
async function resolve(shop: RedeemShop, card: string, killed: Run, context: string): Promise<void> {
  const { host } = shop
  expectTruth(killed, await shop.timesRedeemed(card))
  const open = await openOperation(shop, card)
  if (open === undefined) {
    expect([0, null], context).toContain(killed.code)
    if (!isPrinted(killed)) expect(await host.run(...redeem(card, false)), context).toMatchObject({ code: 0 })
    return
  }
  const refused = await host.run(...redeem(card, false))
  expect(refused.code, `${context}: ${refused.stderr}`).toBe(9)
  expect(reportedError(refused)).toMatchObject({ details: { operation: open } })
  // The first check detects that the process has exited. The service then has one minute to finish the write.
  await host.run('operations', 'resolve', open)
  ageRows(host.operationsFile, 2 * MINUTE_MS)
  const resolved = await host.run('operations', 'resolve', open, '--json')
  expect(resolved.code, `${context}: ${resolved.stderr}`).toBe(0)
  const times = await shop.timesRedeemed(card)
  expect(JSON.parse(resolved.stdout), context).toMatchObject({ state: times === 1 ? 'applied' : 'not-applied' })
  if (times === 0) expect(await host.run(...redeem(card, false)), context).toMatchObject({ code: 0 })
}

/** Repeats a payment with the same key until it succeeds, and then once more. */
async function repeat(shop: RedeemShop, card: string, killed: Run, context: string): Promise<void> {
  const { host } = shop
  expectTruth(killed, await shop.timesRedeemed(card))
  const again = await host.run(...redeem(card, true))
  expectTruth(again, await shop.timesRedeemed(card))
  if (again.code !== 0) ageRows(host.operationsFile, 2 * MINUTE_MS)
  const made = await host.run(...redeem(card, true))
  expect(made.code, `${context}: ${again.stderr}: ${made.stderr}`).toBe(0)
  for (const { code, stdout } of [killed, again])
    if (code === 0) expect(stdout, context).toBe(made.stdout)
    else expect(made.stdout.startsWith(stdout), `${context}: ${stdout}`).toBe(true)
  expect(await host.run(...redeem(card, true)), context).toMatchObject({ code: 0, stdout: made.stdout })
}
