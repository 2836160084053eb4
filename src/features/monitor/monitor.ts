import { Failure, messageOf } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { pause } from '../../http/client/retry.ts'
import type { Courier } from '../../monitor/alerts/courier.ts'
import type { Destination } from '../../monitor/alerts/destination.ts'
import type { CheckEntry } from '../../monitor/file/monitor-file.ts'
import { OWN_NAME } from '../../monitor/file/read-checks.ts'
import type { CheckState, Finding, Rule } from '../../monitor/state/machine.ts'
import type { CheckKey, StateStore } from '../../monitor/state/state-store.ts'
import type { Turns } from '../../terminal/runtime/many/turns.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import type { CheckContext, WatchedVenue } from './checks/context.ts'
import { Doctors } from './checks/doctor.ts'
import { evaluate } from './checks/evaluate.ts'
import { findOwnTrouble } from './own-trouble.ts'
import { writePromFile } from './prom-file.ts'
import { changeLine, waitingLine } from './words.ts'

export interface MonitorParts extends Pick<RunParts, 'host' | 'say'> {
  readonly store: StateStore
  readonly checks: readonly CheckEntry[]
  readonly venues: readonly WatchedVenue[]
  readonly destinations: readonly Destination[]
  readonly courier: Courier
  readonly turns: Turns
  readonly promFile: string | undefined
  readonly context: Pick<CheckContext, 'directory' | 'commandEnv'>
  /** The command that shows the state of all checks. */
  readonly statusCommand: string
}

type Task = { readonly check: CheckEntry; readonly venue: WatchedVenue }

/** How often the monitor checks itself, in milliseconds. */
const OWN_EVERY_MS = 60_000
const OWN_RULE: Rule = { forMs: 0, repeatMs: null }
/** How long a single run continues to start deliveries after its checks, in milliseconds. */
const ONCE_LIMIT_MS = 10_000
/** The minimum time between two writes of the .prom file, in milliseconds. */
const PROM_EVERY_MS = 1000

/** Evaluates the checks of all venues, records the findings, and queues alerts about changes. */
export class Monitor {
  readonly #parts: MonitorParts
  readonly #tasks: readonly Task[]
  readonly #keys: readonly string[]
  readonly #doctors = new Doctors()
  #promProblem: string | null = null
  #promTimer: NodeJS.Timeout | null = null
  #lastTrouble: string | null = null

  constructor(parts: MonitorParts) {
    this.#parts = parts
    this.#keys = parts.destinations.map(({ key }) => key)
    this.#tasks = parts.venues.flatMap((venue) => parts.checks.map((check) => ({ check, venue })))
  }

  /**
   * Evaluates every check once. Delivers due alerts during the evaluation and for a limited time afterwards. Returns
   * the checks whose state is not `ok`. Throws INTERNAL if the state cannot be recorded. Also throws Interrupted.
   */
  async runOnce(): Promise<readonly (CheckKey & { readonly state: CheckState })[]> {
    const { host, courier, destinations, say, store } = this.#parts
    const evaluated = new AbortController()
    const delivering = courier.deliverUntil(evaluated.signal, ONCE_LIMIT_MS, host.signal)
    try {
      await Promise.all(this.#tasks.map((task) => this.#inTurn(task, host.signal)))
      await this.#checkItself()
    } finally {
      evaluated.abort()
      await delivering
    }
    host.signal.throwIfAborted()
    for (const backlog of store.backlog()) {
      const destination = destinations.find(({ key }) => key === backlog.destination)
      if (destination) await say(`warning: ${waitingLine(destination, backlog)}; the next run tries again`)
    }
    this.#writeProm()
    if (this.#promProblem !== null) throw new Failure('INTERNAL', this.#promProblem)
    return this.#ownStates().filter(({ name, state }) => name !== OWN_NAME && state.state !== 'ok')
  }

  /** Evaluates the checks at their intervals until the signal aborts. Continues if the state cannot be recorded. */
  async runUntil(stop: AbortSignal): Promise<void> {
    const failed = new AbortController()
    const signal = AbortSignal.any([stop, failed.signal])
    const repeat = async (everyMs: number, work: () => Promise<void>) => {
      while (!signal.aborted) {
        const beganMs = monotonicMs()
        await work()
        await pause(Math.max(0, beganMs + everyMs - monotonicMs()), { signal, now: this.#parts.host.now }).catch(
          () => {},
        )
      }
    }
    const loops = [
      ...this.#tasks.map((task) =>
        repeat(task.check.everyMs, () => this.#survive(() => this.#inTurn(task, signal), signal)),
      ),
      repeat(OWN_EVERY_MS, () => this.#survive(() => this.#checkItself(), signal)),
      this.#parts.courier.deliverUntil(signal),
    ]
    try {
      await Promise.all(loops)
    } finally {
      failed.abort()
      await Promise.allSettled(loops)
      this.#writeProm()
    }
  }

  async #inTurn({ check, venue }: Task, signal: AbortSignal): Promise<void> {
    const { host, turns, context } = this.#parts
    const finding = await turns.run(() => evaluate(check, { ...context, host, venue, signal }, this.#doctors), signal)
    await this.#record({ name: check.name, profile: venue.profile }, finding, check)
    this.#scheduleProm()
  }

  /** Runs a task. Reports a `Failure` instead of throwing it, so that the monitor continues. Throws any other error. */
  async #survive(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    try {
      await work()
      this.#lastTrouble = null
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof Failure)) throw error
      await this.reportTrouble(error)
    }
  }

  /** Reports an error, unless it is the same as the last one. */
  async reportTrouble(error: unknown): Promise<void> {
    const words = messageOf(error)
    if (words === this.#lastTrouble) return
    this.#lastTrouble = words
    await this.#parts.host.stderr.writeEvenIfQuiet(`${words}; trying again\n`)
  }

  async #record(key: CheckKey, finding: Finding, rule: Rule): Promise<void> {
    const { host, store, courier } = this.#parts
    const { alert } = store.record(key, finding, { rule, nowMs: host.now(), destinations: this.#keys })
    if (alert === null) return
    courier.wake()
    await this.#parts.say(changeLine(alert, this.#parts.venues.length > 1))
  }

  async #checkItself(): Promise<void> {
    const { host, store, destinations, statusCommand: next } = this.#parts
    const given = { destinations, backlog: store.backlog(), nowMs: host.now(), next }
    await this.#record({ name: OWN_NAME, profile: null }, findOwnTrouble(given, this.#promProblem), OWN_RULE)
  }

  /** Returns the states of this run's checks. Includes the monitor itself only if it has a problem. */
  #ownStates() {
    const isOwn = ({ name, profile }: CheckKey) =>
      this.#tasks.some(({ check, venue }) => check.name === name && venue.profile === profile)
    const all = this.#parts.store.checks()
    return all.filter((one) => (one.name === OWN_NAME ? one.state.state !== 'ok' : isOwn(one)))
  }

  #scheduleProm(): void {
    if (this.#parts.promFile === undefined) return
    this.#promTimer ??= setTimeout(() => this.#writeProm(), PROM_EVERY_MS)
  }

  #writeProm(): void {
    clearTimeout(this.#promTimer ?? undefined)
    this.#promTimer = null
    const { promFile } = this.#parts
    if (promFile === undefined) return
    try {
      writePromFile(promFile, this.#ownStates())
      this.#promProblem = null
    } catch (error) {
      this.#promProblem = `--prom ${promFile}: ${messageOf(error)}`
    }
  }
}
