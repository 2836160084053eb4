import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { FaultEffect, Phase } from '../../../src/sandbox/faults/fault.ts'
import { type Chance, chance } from '../../money/chance.ts'
import type { Sandbox } from '../../support/sandbox-process.ts'
import type { Era, Message, RawClient } from './client.ts'
import { type AgentVenue, agentVenue, prepare, REDEEM } from './venue.ts'

/** How the order is approved: by a limit, in a form that the client shows, or at a terminal. */
export type Approval = 'limit' | 'form' | 'terminal'

export interface Retries {
  readonly era: Era
  readonly seed: number
  /** The number of times that the order is committed. */
  readonly commits: number
  readonly approval: Approval
}

const AMOUNT = '1.37'
const AMOUNT_CENTS = 137

/** The states and error codes that a commit or a status request may return. */
const HARMLESS: readonly string[] = ['done', 'needs-approval', 'prepared', 'pending', 'unknown', 'NETWORK_ERROR']

const MINUTE_MS = 60_000

/** Faults that may affect the response to a redemption or to a card read. */
const LOSSES: readonly (readonly [endpoint: string, effect: FaultEffect, phase?: Phase])[] = [
  [REDEEM, { kind: 'reset' }, 'after'],
  [REDEEM, { kind: 'reset' }, 'before'],
  [REDEEM, { kind: 'close' }, 'after'],
  [REDEEM, { kind: 'truncate', bytes: 20 }],
  [REDEEM, { kind: 'latency', ms: 150 }],
  [REDEEM, { kind: 'latency', ms: 150 }, 'after'],
  [REDEEM, { kind: 'status', status: 503 }, 'after'],
  ['GET /GiftCards/{cardNumber}', { kind: 'reset' }],
  ['GET /GiftCards/{cardNumber}', { kind: 'latency', ms: 100 }],
]

/** The moves that the client can make, each with its relative frequency. */
const MOVES = {
  'wait for the answer': 4,
  'commit on both servers': 3,
  'send the same ID twice': 2,
  cancel: 3,
  'give up waiting': 3,
  'kill the server': 3,
  'close standard input': 1,
  'lose a response': 4,
} as const
type Move = keyof typeof MOVES
const WEIGHED = Object.entries(MOVES).flatMap(([move, weight]) => Array<Move>(weight).fill(move as Move))

/** Moves that may leave the outcome unknown. */
const CRITICAL = [
  'cancel',
  'give up waiting',
  'kill the server',
  'kill the server',
  'lose a response',
  'lose a response',
] as const

/** A client that commits the same order repeatedly. */
class Fuzzer {
  readonly #chance: Chance
  readonly #venue: AgentVenue
  readonly #start: () => Promise<RawClient>
  readonly #servers: RawClient[]
  readonly #values: { readonly handle: string }
  /** The results of all commits and status requests. */
  readonly results: Message[] = []
  /** All moves so far, for failure messages. */
  readonly moves: string[] = []

  constructor(
    random: Chance,
    venue: AgentVenue,
    start: () => Promise<RawClient>,
    servers: RawClient[],
    handle: string,
  ) {
    this.#chance = random
    this.#venue = venue
    this.#start = start
    this.#servers = servers
    this.#values = { handle }
  }

  /** Makes a random move. Returns the number of commits that the move sent. */
  async move(): Promise<number> {
    // The order usually completes early, so start with moves that may leave its outcome unknown.
    const move = this.#chance.pick(this.moves.length < 5 ? CRITICAL : WEIGHED)
    this.moves.push(move)
    const at = this.#chance.integer(0, this.#servers.length - 1)
    const server = this.#servers[at] as RawClient
    switch (move) {
      case 'wait for the answer':
        await this.#keep(server.call('money_commit', this.#values))
        await this.#keep(server.call('money_status', this.#values))
        return 1
      case 'commit on both servers':
        await Promise.all(this.#servers.map((each) => this.#keep(each.call('money_commit', this.#values))))
        return this.#servers.length
      case 'send the same ID twice': {
        const id = server.nextId()
        for (let time = 0; time < 2; time++) this.#commit(server, id)
        // With the newer protocol, either response may be a request for approval, which the client ignores.
        for (const { result } of await server.responses(id, 2)) if (result.structuredContent) this.#keepResult(result)
        return 2
      }
      case 'cancel': {
        const id = this.#commit(server)
        await this.#pause()
        server.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } })
        return 1
      }
      case 'give up waiting':
        this.#commit(server)
        return 1
      case 'kill the server':
        this.#commit(server)
        await this.#pause()
        await server.kill()
        this.#servers[at] = await this.#start()
        return 1
      case 'close standard input':
        this.#commit(server)
        await this.#pause()
        expect(await server.end()).toBe(0)
        this.#servers[at] = await this.#start()
        return 1
      case 'lose a response':
        await this.loseResponse()
        return 0
    }
  }

  /** Adds a fault to the next redemption or card read. */
  async loseResponse(): Promise<void> {
    const [endpoint, effect, phase] = this.#chance.pick(LOSSES)
    await this.#venue.addFault({ endpoint, effect, next: 1, ...(phase ? { phase } : {}) })
  }

  /** Commits the order without faults until it is done. */
  async finish(): Promise<void> {
    await this.#venue.control.clearFaults()
    for (let time = 0; time < 10; time++) {
      const result = await (this.#servers[0] as RawClient).call('money_commit', this.#values)
      this.#keepResult(result)
      if (result.structuredContent.state === 'done') break
      // Pretend that two minutes have passed, because an unknown outcome can be resolved only a minute after the write.
      this.#venue.age(2 * MINUTE_MS)
    }
    for (const server of this.#servers) {
      await this.#keep(server.call('money_commit', this.#values))
      await this.#keep(server.call('money_status', this.#values))
    }
  }

  #commit(server: RawClient, id: number | string = server.nextId()): number | string {
    return server.request('tools/call', { name: 'money_commit', arguments: this.#values }, id)
  }

  async #keep(result: Promise<Message>): Promise<void> {
    this.#keepResult(await result)
  }

  #keepResult(result: Message): void {
    this.results.push(result)
  }

  /** Waits for a random time. The test must not depend on what the server does in the meantime. */
  #pause(): Promise<unknown> {
    return this.#chance.happens(0.2) ? Promise.resolve() : delay(this.#chance.integer(0, 60))
  }
}

/** Prepares an order and commits it many times despite faults, crashes and cancellations. Expects exactly one debit. */
export async function retryCommits(sandbox: Sandbox, { era, seed, commits, approval }: Retries): Promise<void> {
  const venue = await agentVenue(sandbox)
  const flags = ['--allow', 'money', ...(approval === 'limit' ? ['--approve-up-to', AMOUNT] : [])]
  const answer = { action: 'accept', content: { approve: true } }
  const start = () => venue.open({ era, flags, ...(approval === 'form' ? { answerForm: () => answer } : {}) })
  const servers = await Promise.all([start(), start()])
  const before = await venue.balance()
  const handle = await prepare(servers[0], AMOUNT)
  if (approval === 'terminal') await venue.approve(handle, '--yes')
  const fuzzer = new Fuzzer(chance(seed), venue, start, [...servers], handle)
  await fuzzer.loseResponse()
  for (let made = 0; made < commits; ) made += await fuzzer.move()
  await fuzzer.finish()

  const told = `seed ${seed}, ${era}, approved by ${approval}: ${fuzzer.moves.join(', ')}`
  const results = fuzzer.results.map(({ structuredContent }) => structuredContent)
  const done = results.filter(({ state }) => state === 'done')
  expect(before - (await venue.balance()), told).toBe(AMOUNT_CENTS)
  expect(done.length, told).toBeGreaterThan(3)
  for (const { answer: is, operation, handle: of } of done)
    expect({ is, operation, of }, told).toEqual({ is: done[0].answer, operation: done[0].operation, of: handle })
  const others = new Set(results.map(({ state, error }) => error?.code ?? state))
  expect(
    [...others].filter((each) => !HARMLESS.includes(each)),
    told,
  ).toEqual([])
}
