import { join } from 'node:path'
import { Failure } from '../../src/base/failure/failure.ts'
import { Interrupted } from '../../src/base/failure/interrupted.ts'
import { Pace } from '../../src/client/calls/pace.ts'
import { makeMoneyWrite } from '../../src/features/shared/money-write.ts'
import { DeadlinePassed } from '../../src/http/client/errors.ts'
import { openTransport } from '../../src/http/client/undici.ts'
import type { Layer } from '../../src/http/transport.ts'
import type { MoneyDesk } from '../../src/money/desk.ts'
import type { Ledger } from '../../src/money/ledger/ledger.ts'
import { formatReceipt, type Receipt } from '../../src/money/once/receipt.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { judgeUntil, recordOutcome } from '../../src/money/resolve.ts'
import type { Opened } from '../../src/terminal/runtime/run.ts'
import type { CommitServer, Meanwhile } from './commit-server.ts'
import { keyedCommand } from './once/keyed-command.ts'
import { authenticate, makeWrite, type Write } from './till.ts'
import type { TillClock, Timeline } from './timeline.ts'

export interface Place {
  readonly server: CommitServer
  readonly directory: string
  readonly timeline: Timeline
  readonly clock: TillClock
  /** Opens the ledger for a run. Omitted if the till has no ledger. */
  readonly openLedger?: (store: OperationStore, run: TillRun) => Ledger
}

export interface RunOptions {
  readonly retries: number
  readonly attemptMs: number
}

/** How a run ended. An interrupted run reported that the write did not take effect. A killed run reported nothing. */
export interface Ending {
  readonly said: 'applied' | 'not-applied' | 'unknown' | 'interrupted' | 'killed'
  /** The exit code, or `null` if the run was killed. */
  readonly exitCode: number | null
  readonly how: string
  /** Why the run could not update the ledger, or `null` if it could. */
  readonly trouble?: string | null
}

/** The maximum number of times that a run is allowed to prepare a write. A correct run does so two or three times. */
const MOST_DESKS = 10

let runs = 0

/** Simulates one run of partner as a separate process that opens the database, performs one action and exits. */
export class TillRun {
  /** Callbacks that run during the waits before retries, one for each wait, in order. */
  readonly whileWaiting: Meanwhile[] = []
  /** A callback that runs whenever the run is about to claim a payment with a key. */
  beforeItClaims: Meanwhile = () => {}
  /** A callback that runs when the run has its result but has not reported it yet. */
  beforeItEnds: Meanwhile = () => {}
  /** A callback that runs when the run is about to print its result. */
  beforeItPrints: Meanwhile = () => {}
  /** A callback that runs before each request to the service is sent. */
  beforeItSends: (method: string) => void | Promise<void> = () => {}
  /** The receipt that the run printed for a payment with a key, or `null` if it printed none. */
  printed: string | null = null
  readonly name = `run-${++runs}`
  readonly #place: Place
  readonly #options: RunOptions
  readonly #stop = new AbortController()
  readonly #ledgerStop = new AbortController()
  readonly #death = Promise.withResolvers<Ending>()
  #isDead = false

  constructor(place: Place, options: RunOptions) {
    this.#place = place
    this.#options = options
  }

  interrupt(): void {
    this.#stop.abort(new Interrupted('SIGINT'))
    this.#ledgerStop.abort(new Interrupted('SIGINT'))
  }

  /** The signal for the run's connections to the ledger. It aborts when the run is interrupted or killed. */
  get ledgerSignal(): AbortSignal {
    return this.#ledgerStop.signal
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** Kills the run without cleaning up. Everything that it awaits stays pending forever. */
  kill(): void {
    this.#isDead = true
    this.#ledgerStop.abort(new Interrupted('SIGTERM'))
    this.#death.resolve({ said: 'killed', exitCode: null, how: '' })
  }

  /** Performs a write as its command does without `--once`. */
  write(write: Write): Promise<Ending> {
    return this.#run(async (store, desk) => {
      await makeWrite(desk(write.command), write)
      await this.#alive(this.beforeItEnds())
      store.conclude()
      if (store.trouble !== null) throw new Error(`the record is in trouble: ${store.trouble}`)
      return { said: 'applied', exitCode: 0, how: 'it was done' }
    })
  }

  /** Makes a payment with a key as its command does with `--once`. */
  pay(write: Write, key: string, force = false): Promise<Ending> {
    return this.#run(async (store, desk) => {
      const own = { ...desk(write.command), force }
      let desks = 0
      const print = async (receipt: Receipt) => {
        await this.#alive(this.beforeItPrints())
        this.printed = formatReceipt(receipt, (text) => text)
      }
      const opened = {
        flags: { once: key },
        service: {
          moneyDesk: async () => {
            // The run uses its first desk only to look up the key. It claims the payment with a later desk.
            if (desks > 0) await this.#alive(this.beforeItClaims())
            if (++desks > MOST_DESKS) this.#death.reject(new Error('broken: a run does not repeat itself without end'))
            return this.#alive(desks > MOST_DESKS ? new Promise<never>(() => {}) : own)
          },
        },
        ask: { needsConsent: false },
        host: {},
        say: async () => {},
        show: {
          hiddenSecrets: [],
          context: async () => ({ timezone: null, now: own.clock().wallMs }),
          answer: (_answer: unknown, receipt: Receipt) => print(receipt),
          one: (_own: unknown, receipt: Receipt) => print(receipt),
        },
      } as unknown as Opened<{ readonly once?: string }, object>
      await makeMoneyWrite(keyedCommand(own, write), opened)
      await this.#alive(this.beforeItEnds())
      store.conclude()
      if (store.trouble !== null) throw new Error(`the record is in trouble: ${store.trouble}`)
      return { said: 'applied', exitCode: 0, how: 'it was done' }
    })
  }

  /** Reads the ledger as `operations list --once` does. */
  list(key: string): Promise<Ending> {
    return this.#run(async (_, desk) => {
      await desk('').ledger?.refreshAll(key)
      return { said: 'applied', exitCode: 0, how: 'it was listed' }
    })
  }

  /** Resolves an operation as `operations resolve` does. */
  resolve(id: string): Promise<Ending> {
    return this.#run(async (store, desk) => {
      await desk('').ledger?.refreshOperation(id)
      const operation = store.get(id)
      if (operation.state !== 'open') return { said: operation.state, exitCode: 0, how: operation.how ?? '' }
      const { state, how } = await judgeUntil(desk(operation.command), operation, 0)
      if (state === 'unknown') return { said: state, exitCode: 9, how }
      const ended = await recordOutcome(desk(operation.command), operation, state, how)
      return { said: ended.state as typeof state, exitCode: 0, how: ended.how ?? how }
    })
  }

  async #run(work: (store: OperationStore, desk: (command: string) => MoneyDesk) => Promise<Ending>): Promise<Ending> {
    const { server, directory } = this.#place
    const store = OperationStore.open(OperationStore.pathIn(directory))
    const open = await openTransport(new URL(server.baseUrl), {})
    const transport = this.#mortal(this.#timed(open.transport))
    const real = this.#place.openLedger?.(store, this)
    const ledger = real && this.#mortalLedger(real)
    const desk = (command: string): MoneyDesk => ({
      store,
      ledger,
      clock: () => this.#place.clock.moment,
      force: false,
      service: server.baseUrl,
      ...this.#caller(command, transport),
    })
    try {
      const done = work(store, desk).catch(endingOf)
      if (ledger === undefined) return await Promise.race([this.#death.promise, done])
      const ended = done.then(async (ending) => {
        await ledger.endAll()
        return { ...ending, trouble: ledger.trouble }
      })
      return await Promise.race([this.#death.promise, ended])
    } finally {
      if (!this.#isDead) await real?.close()
      store.close()
      await open.close()
    }
  }

  #caller(command: string, reached: ReturnType<Layer>): Pick<MoneyDesk, 'caller' | 'inbound'> {
    const { server, directory, clock } = this.#place
    const baseUrl = new URL(server.baseUrl)
    const { inbound, transport } = authenticate(command, baseUrl, reached)
    const { retries, attemptMs } = this.#options
    return {
      inbound,
      caller: {
        baseUrl,
        transport,
        profile: null,
        retries,
        attemptMs,
        longestWaitMs: 60_000,
        hooks: { now: () => clock.wallMs, signal: this.#stop.signal, wait: (ms, signal) => this.#wait(ms, signal) },
        pace: new Pace(join(directory, 'pace.db'), 'till'),
      },
    }
  }

  async #wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    await this.#alive(this.whileWaiting.shift()?.())
    signal?.throwIfAborted()
    // Remove the random jitter from the backoff, so that the same seed always produces the same sequence of events.
    this.#place.timeline.pass(Number.isInteger(ms) ? ms : Math.floor(ms / 500) * 500)
  }

  /** Enforces an attempt's time limit in simulated time. */
  readonly #timed: Layer = (next) => async (request) => {
    const { attemptMs } = this.#options
    const controller = new AbortController()
    const outer = request.signal
    const passOn = () => controller.abort(outer?.reason)
    if (outer?.aborted) passOn()
    outer?.addEventListener('abort', passOn, { once: true })
    const cancel = this.#place.timeline.later(attemptMs, () => controller.abort(new DeadlinePassed(attemptMs)))
    const finish = () => {
      cancel()
      outer?.removeEventListener('abort', passOn)
    }
    try {
      const reply = await next({ ...request, signal: controller.signal })
      return { ...reply, body: ending(reply.body, finish) }
    } catch (error) {
      finish()
      throw error
    }
  }

  readonly #mortal: Layer = (next) => async (request) => {
    await this.#alive(this.beforeItSends(request.method))
    const reply = await this.#alive(next(request))
    return { ...reply, body: this.#mortalBody(reply.body) }
  }

  async *#mortalBody(body: AsyncIterable<Uint8Array>) {
    const chunks = body[Symbol.asyncIterator]()
    for (let step = await this.#alive(chunks.next()); !step.done; step = await this.#alive(chunks.next()))
      yield step.value
  }

  /** Returns a ledger whose calls stay pending forever once the run is killed. */
  #mortalLedger(ledger: Ledger): Ledger {
    return new Proxy(ledger, {
      get: (_, name) => {
        const member: unknown = Reflect.get(ledger, name, ledger)
        if (typeof member !== 'function') return member
        return (...values: unknown[]) => {
          const result: unknown = member.apply(ledger, values)
          return result instanceof Promise ? this.#alive(result) : result
        }
      },
    })
  }

  /** Waits for a value. If the run is killed first, the returned promise stays pending forever. */
  async #alive<T>(awaited: T | Promise<T>): Promise<T> {
    const never = new Promise<never>(() => {})
    if (this.#isDead) return never
    try {
      const value = await awaited
      return this.#isDead ? await never : value
    } catch (error) {
      if (this.#isDead) await never
      throw error
    }
  }
}

function endingOf(error: unknown): Ending {
  if (error instanceof Interrupted) return { said: 'interrupted', exitCode: 130, how: error.message }
  if (!(error instanceof Failure)) throw error
  const { outcome, exitCode, message } = error
  return { said: outcome === 'unknown' ? 'unknown' : 'not-applied', exitCode, how: message }
}

async function* ending(body: AsyncIterable<Uint8Array>, finish: () => void) {
  try {
    yield* body
  } finally {
    finish()
  }
}
