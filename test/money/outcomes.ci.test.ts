import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../src/money/operations/operation.ts'
import { type Chance, chance, forEachConcurrently } from './chance.ts'
import { type CommitServer, type Fault, PHASES, startCommitServer } from './commit-server.ts'
import { LOSSES, REDEEM_LOSSES, SALE_LOSSES } from './losses.ts'
import { COMMANDS, type MoneyCommand, openTills, type Till, type Write } from './till.ts'

const SEED = 20261120
const RUNS = 400

const REDEEMS = ['giftcards redeem', 'inbound redeem'] as const

const numbered = (count: number) => Array.from({ length: count }, (_, at) => at)
const card = (number: number) => `RANDM-${String(number).padStart(8, '0')}-CARD`

describe('money writes whose responses are lost', () => {
  test(`each of ${RUNS} writes with lost responses moves money at most once and is reported correctly`, {
    timeout: 240_000,
  }, async () => {
    const server = await startCommitServer()
    const openTill = await openTills(server)
    const tally: Record<string, number> = {}
    await forEachConcurrently(numbered(RUNS), 8, async (at) => {
      const outcome = await oneRun(server, openTill(), chance(SEED + at), at)
      tally[outcome] = (tally[outcome] ?? 0) + 1
    })
    // Each outcome must occur often enough for this test to be meaningful.
    expect(Object.keys(tally).sort()).toEqual(['applied', 'not-applied', 'unknown'])
    for (const count of Object.values(tally)) expect(count).toBeGreaterThan(RUNS / 20)
  })

  test('the reported outcome of a redemption is never wrong, even if another till redeems the same card', {
    timeout: 240_000,
  }, async () => {
    const takes = new Map<string, bigint>()
    const server = await startCommitServer((target) => {
      const card = server.cards.get(target)
      if (card) card.cents -= takes.get(target) ?? 0n
      takes.delete(target)
    })
    const openTill = await openTills(server)
    await forEachConcurrently(numbered(60), 8, async (at) => {
      const random = chance(SEED + at)
      const target = card(at)
      server.cards.set(target, { cents: 100_000n, status: 'Active' })
      takes.set(target, BigInt(random.integer(1, 999)))
      server.setFaults('write', target, random.happens(0.2) ? [] : [lost(random, 'giftcards redeem')])
      const till = openTill()
      const said = await till.write({ command: 'giftcards redeem', target, cents: 1000n })
      await server.settled()
      expect(said.outcome).not.toBe('not-applied')
      if (said.outcome === 'applied') expect(server.commitsOn(target)).toBe(1)
      till.passed = 61_000
      for (const operation of openOn(till, target)) expect(await till.resolve(operation)).toBe('unknown')
    })
  })

  test('each of several simultaneous redemptions of one card takes effect at most once and is reported correctly', {
    timeout: 240_000,
  }, async () => {
    const server = await startCommitServer()
    const openTill = await openTills(server)
    const tally = { settled: 0, unknown: 0 }
    await forEachConcurrently(numbered(100), 6, async (at) => {
      const random = chance(SEED + at)
      const target = card(at)
      server.cards.set(target, { cents: 100_000n, status: 'Active' })
      const count = random.integer(2, 4)
      const faults = numbered(count).flatMap(() => (random.happens(0.7) ? [lost(random, 'giftcards redeem')] : []))
      server.setFaults('write', target, faults)
      // Some of the redemptions have the same amount but use different commands or --force.
      const writes = numbered(count).map(
        (index): Write => ({
          command: random.pick(REDEEMS),
          target,
          cents: random.pick([1000n, 1000n, 2500n, 3500n]),
          notes: `write ${index}`,
        }),
      )
      const till = openTill()
      const outcomes = await Promise.all(
        writes.map(async (write): Promise<[Operation['id'] | null, string]> => {
          await delay(random.integer(0, 30))
          const { outcome, error } = await till.write(write, { force: true })
          const { operation } = (error?.details ?? {}) as { operation?: string }
          return [outcome === 'unknown' ? (operation ?? null) : null, outcome]
        }),
      )
      await server.settled()
      till.passed = 61_000
      // Resolve the redemptions in either order, as a user might.
      for (const at of random.happens(0.5) ? numbered(count) : numbered(count).reverse()) {
        const [id = null] = outcomes[at] ?? []
        if (id === null) continue
        const verdict = await till.resolve(till.store.get(id))
        outcomes[at] = [id, verdict]
        tally[verdict === 'unknown' ? 'unknown' : 'settled']++
      }
      for (const [index, [, outcome]] of outcomes.entries()) {
        const done = server.commits.filter(
          (commit) => commit.target === target && commit.notes === `write ${index}`,
        ).length
        const context = `round ${at}, write ${index}: ${outcome}`
        expect(done, context).toBeLessThanOrEqual(1)
        if (outcome === 'applied') expect(done, context).toBe(1)
        if (outcome === 'not-applied') expect(done, context).toBe(0)
      }
    })
    expect(tally.settled).toBeGreaterThan(tally.unknown)
  })
})

/**
 * Performs a write whose response is lost, and then determines its outcome. Returns the outcome that was first
 * reported.
 */
async function oneRun(server: CommitServer, till: Till, random: Chance, at: number): Promise<string> {
  const command = random.pick(COMMANDS)
  const cents = command === 'giftcards cancel' ? null : BigInt(random.integer(1, 20_000))
  const target = command === 'sales create' ? `S-${at}` : card(at)
  const write: Write = { command, target, cents }
  const start = BigInt(random.integer(20_001, 100_000))
  if (command !== 'sales create') server.cards.set(target, { cents: start, status: 'Active' })
  server.setFaults('write', target, faultsOf(command, random))
  // Sometimes the response to the balance request after the write is lost as well.
  if (random.happens(0.15))
    server.setFaults('read', target, [
      { kind: 'refused', status: 200, body: server.cards.has(target) ? cardBody(server, target) : {} },
      lost(random, command),
    ])
  const said = await till.write(write, { retries: random.integer(0, 1) })
  const context = `run ${at}: ${command} ${target}, ${said.outcome}: ${said.error?.message}`

  if (said.outcome === 'applied') expect(server.commitsOn(target), context).toBe(1)
  await server.settled()
  if (said.outcome === 'not-applied') expect(server.commitsOn(target), context).toBe(0)
  const open = openOn(till, target)
  expect(open, context).toHaveLength(said.outcome === 'unknown' ? 1 : 0)
  expect(server.commitsOn(target), context).toBeLessThanOrEqual(1)
  if (said.outcome !== 'unknown') return said.outcome

  const sent = server.writesOn(target)
  server.setFaults('write', target, [])
  // Clear the faults for read requests, because a hanging read request would leave little time for this write.
  if (command === 'sales create') server.setFaults('read', target, [])
  const again = await till.write(write)
  if (command === 'sales create') {
    // Resending a sale determines its outcome, because a 409 proves that the sale arrived.
    expect(again.outcome, context).toBe('applied')
    expect(server.commitsOn(target), context).toBe(1)
    return said.outcome
  }
  expect(again.error?.code, context).toBe('OUTCOME_UNKNOWN')
  expect(server.writesOn(target), context).toBe(sent)
  const [operation] = open
  if (!operation) return said.outcome
  server.setFaults('read', target, [])
  const early = await till.resolve(operation)
  if (early !== 'unknown') expect(early, context).toBe('applied')
  till.passed = 61_000
  const late = early === 'unknown' ? await till.resolve(operation) : early
  // On a slow machine, the balance before the write might not be read in time. The outcome then cannot be determined.
  const isBlind = command !== 'giftcards cancel' && operation.before === null
  const truth = server.commitsOn(target) === 1 ? 'applied' : 'not-applied'
  expect(late, context).toBe(isBlind ? 'unknown' : truth)
  expect(till.store.get(operation.id).state, context).toBe(late)
  return said.outcome
}

function openOn(till: Till, target: string): Operation[] {
  return till.store
    .list()
    .filter((operation) => operation.target === target && operation.state === 'open')
    .toArray()
}

function cardBody(server: CommitServer, target: string): unknown {
  const { cents = 0n, status = '' } = server.cards.get(target) ?? {}
  return { cardNumber: target, remainingAmount: Number(cents) / 100, status }
}

function lost(random: Chance, command: MoneyCommand): Fault {
  const losses = command === 'sales create' ? SALE_LOSSES : command.endsWith('redeem') ? REDEEM_LOSSES : LOSSES
  return { kind: 'lost', loss: random.pick(losses), phase: random.pick(PHASES) }
}

function faultsOf(command: MoneyCommand, random: Chance): Fault[] {
  const kind = random.next()
  if (kind < 0.1) return []
  if (kind < 0.75)
    return command === 'sales create' && random.happens(0.5)
      ? [lost(random, command), lost(random, command)]
      : [lost(random, command)]
  if (kind < 0.8)
    return [
      { kind: 'refused', status: 429, body: { message: 'slow down' }, headers: { 'retry-after': '0' } },
      lost(random, command),
    ]
  return [random.pick(REFUSALS)]
}

const REFUSALS: readonly Fault[] = [
  { kind: 'refused', status: 400, body: { message: 'Invalid redeem amount.' } },
  { kind: 'refused', status: 401, body: { message: 'Unauthorized' } },
  { kind: 'refused', status: 404, body: { message: 'not found' } },
  { kind: 'refused', status: 429, body: '', headers: { 'retry-after': '3600' } },
  { kind: 'refused', status: 200, body: { isSuccess: false, errorMessage: 'The card has expired.' } },
]
