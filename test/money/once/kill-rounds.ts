import { expect } from 'vitest'
import type { Run } from '../../support/partner.ts'
import { reportedError } from '../../support/refusal.ts'
import { words } from '../../support/words.ts'
import { type Chance, chance } from '../chance.ts'
import { SEED } from '../seeds.ts'
import { type Blow, describeBlow, pickBlow } from './blows.ts'
import { KillRun } from './kill-run.ts'
import type { KillShop, Order } from './kill-shop.ts'

export interface RoundOptions {
  readonly seed: number
  /** The number of runs that may fail. After them, one run on each host must succeed. */
  readonly runs: number
  /**
   * The faults to inject into the first runs, which alternate between the hosts. Pauses let each of these runs send the
   * write again, unless an earlier write is still on its way to the service.
   */
  readonly opening?: readonly (Blow | null)[] | undefined
  /** The number of initial runs whose writes never reach the service. */
  readonly undone?: number | undefined
}

/** The exit codes of a run that does not report success. */
const NOT_KNOWN = [8, 9]
/** A pause longer than any `--timeout` plus the settling time, in milliseconds. */
const SETTLED_MS = 90_000
/** The possible pauses between runs, in milliseconds. */
const PAUSES_MS = [0, 0, 0, 25_000, SETTLED_MS, SETTLED_MS]

const HOSTS = [0, 1] as const
/** The hosts of the runs that start at the same time. Half of the groups have only one run. */
const GROUPS: readonly (readonly (0 | 1)[])[] = [[0], [1], [0, 1], [0, 1, 0]]

interface GroupedRun {
  readonly host: 0 | 1
  readonly blow: Blow | null
}

function drawGroup(random: Chance, most: number): readonly GroupedRun[] {
  const hosts = random.pick(GROUPS).slice(0, most)
  return hosts.map((host) => ({ host, blow: random.happens(0.7) ? pickBlow(random) : null }))
}

/** Repeats orders in many runs and injects faults into the runs. */
export class KillRounds {
  readonly #shop: KillShop
  readonly #runs = new Map<string, KillRun>()
  #count = 0
  #isReceiving = true
  /** Descriptions of the faults that have been injected into runs. */
  readonly struck = new Set<string>()

  constructor(shop: KillShop) {
    this.#shop = shop
    shop.ledger.onMessage = ({ run, number, when }) => this.#runs.get(run)?.onLedger(number, when) ?? 'pass'
    shop.service.onMessage = (message) => this.#runs.get(message.run)?.onService(message, this.#isReceiving) ?? 'pass'
  }

  /** Repeats an order until the service must have performed it. Expects a single write and identical receipts. */
  async play(order: Order, { seed, runs, opening = [], undone = 0 }: RoundOptions): Promise<void> {
    const random = chance(seed)
    const round = new Round(this.#shop, order)
    try {
      for (let done = 0; done < runs; ) {
        this.#isReceiving = done >= undone
        const isOpening = done < opening.length
        const group = isOpening
          ? [{ host: HOSTS[done % 2] ?? 0, blow: opening[done] ?? null }]
          : drawGroup(random, runs - done)
        // The opening runs must reach their fault even on a slow machine. The other runs have short timeouts, so that
        // they do not wait long for each other's writes.
        const timeout = isOpening ? '20s' : group.length === 1 ? '1s' : '3s'
        const flags = ['--retries', '0', '--timeout', timeout]
        await round.play(group.map((one) => this.#start(order, seed, { ...one, flags })))
        done += group.length
        const openingMs = this.#shop.service.hasDelayed() ? 0 : SETTLED_MS
        await round.pass(done < opening.length ? openingMs : random.pick(PAUSES_MS))
      }
      this.#isReceiving = true
      await round.pass(2 * SETTLED_MS)
      for (const host of HOSTS)
        await round.play([this.#start(order, seed, { host, blow: null, flags: [] })], 'must succeed')
      await round.finish()
    } catch (error) {
      const told = `${order.command} ${order.target} with PARTNER_SEED=${SEED}\n${round.script.join('\n')}`
      if (error instanceof Error) error.message = `${error.message}\n${told}`
      throw error
    } finally {
      for (const { wasStruck, blow } of this.#runs.values()) if (wasStruck && blow) this.struck.add(describeBlow(blow))
      this.#runs.clear()
    }
  }

  #start(order: Order, seed: number, how: GroupedRun & { readonly flags: readonly string[] }): KillRun {
    this.#count += 1
    const args = [...commandLine(order), '--once', `till-${seed}-${order.target}`, ...how.flags]
    const run = new KillRun(this.#shop, `run-${this.#count}`, args, how)
    this.#runs.set(run.name, run)
    return run
  }
}

function commandLine({ command, target, bookingId }: Order): readonly string[] {
  if (command === 'giftcards cancel') return ['giftcards', 'cancel', target, '--yes', '--json']
  if (command !== 'sales create') return [...words(command), target, '--amount', '25.00', '--json']
  const booking = bookingId === undefined ? '' : ` --booking-id ${bookingId}`
  return words(
    `sales create --sale-id ${target} --staff-id anna --seats 2 --total-cents 2500 --currency AUD${booking} --json`,
  )
}

/** Runs one order repeatedly, and checks and logs the results. */
class Round {
  readonly #shop: KillShop
  readonly #order: Order
  /** A log of the runs and pauses. */
  readonly script: string[] = []
  readonly #answers = new Set<string>()
  /** The partial output of killed runs. */
  readonly #beginnings = new Set<string>()

  constructor(shop: KillShop, order: Order) {
    this.#shop = shop
    this.#order = order
  }

  /** Waits for runs that were started together and checks their reports against the service's journal. */
  async play(runs: readonly KillRun[], expected: 'may fail' | 'must succeed' = 'may fail'): Promise<void> {
    const hadDelayed = this.#shop.service.hasDelayed()
    const ends = await Promise.all(runs.map(async (run) => ({ run, end: await run.end() })))
    if (hadDelayed) await this.#shop.service.deliver()
    const times = await this.#timesDone()
    for (const { run, end } of ends) {
      const struck = run.blow !== null && !run.wasStruck ? ' (not injected)' : ''
      this.script.push(`${run.describe()}${struck}: exit ${end.code}; performed ${times} times; ${end.stderr.trim()}`)
    }
    expect(times).toBeLessThanOrEqual(1)
    for (const { run, end } of ends) this.#check(run, end, times)
    if (expected === 'must succeed') for (const { end } of ends) expect(end.code, end.stderr).toBe(0)
    // If several runs started together, the write of a killed run may have arrived.
    if (runs.length === 1 && ends[0]?.end.code === 8 && !this.#shop.service.hasDelayed()) expect(times).toBe(0)
  }

  #check(run: KillRun, end: Run, times: number): void {
    const { code, stdout } = end
    if (code === null) {
      expect(run.blow?.how, 'only kill -9 ends a run without an exit code').toBe('kill')
      this.#beginnings.add(stdout)
    } else if (code === 0) {
      this.#answers.add(stdout)
      expect([...this.#answers], 'all runs that exit with code 0 print the same receipt').toHaveLength(1)
      expect(times, 'a run exits with code 0 only if the write took effect').toBe(1)
    } else {
      expect(NOT_KNOWN, end.stderr).toContain(code)
      expect(stdout).toBe('')
      expect(reportedError(end).outcome).not.toBe('applied')
    }
  }

  /** Delivers delayed requests and lets time pass. */
  async pass(ms: number): Promise<void> {
    if (ms === 0) return
    await this.#shop.service.deliver()
    await this.#shop.age(ms)
    this.script.push(`(${ms} ms have passed; performed ${await this.#timesDone()} times)`)
  }

  async finish(): Promise<void> {
    await this.#shop.service.deliver()
    await this.#shop.expectDone(this.#order)
    const [answer = ''] = this.#answers
    expect(answer).toContain(this.#order.target)
    for (const text of this.#beginnings)
      expect(answer.startsWith(text), `a killed run printed a part of the receipt: ${text}`).toBe(true)
  }

  #timesDone(): Promise<number> {
    return this.#shop.timesDone(this.#order)
  }
}
