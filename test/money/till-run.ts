import { join } from 'node:path'
import { Failure } from '../../src/base/failure/failure.ts'
import { Interrupted } from '../../src/base/failure/interrupted.ts'
import { Pace } from '../../src/client/calls/pace.ts'
import { DeadlinePassed } from '../../src/http/client/errors.ts'
import { openTransport } from '../../src/http/client/undici.ts'
import type { Layer } from '../../src/http/transport.ts'
import type { MoneyDesk } from '../../src/money/desk.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { judgeOperation } from '../../src/money/resolve.ts'
import type { CommitServer, Meanwhile } from './commit-server.ts'
import { authenticate, makeWrite, type Write } from './till.ts'
import type { TillClock, Timeline } from './timeline.ts'

export interface Place {
  readonly server: CommitServer
  readonly directory: string
  readonly timeline: Timeline
  readonly clock: TillClock
}

export interface RunOptions {
  readonly retries: number
  readonly attemptMs: number
}

/**
 * How a run ended. `interrupted` means that the run reported that nothing was done. `killed` means that it reported
 * nothing.
 */
export interface Ending {
  readonly said: 'applied' | 'not-applied' | 'unknown' | 'interrupted' | 'killed'
  /** The exit code, or `null` if the run was killed. */
  readonly exitCode: number | null
  readonly how: string
}

/** Simulates one run of partner as a separate process that opens the database, does one thing and ends. */
export class TillRun {
  /** Callbacks for the next times that the run waits before a retry, one for each time. */
  readonly whileWaiting: Meanwhile[] = []
  /** A callback that runs when the run has its result but has not reported it yet. */
  beforeItEnds: Meanwhile = () => {}
  readonly #place: Place
  readonly #options: RunOptions
  readonly #stop = new AbortController()
  readonly #death = Promise.withResolvers<Ending>()
  #isDead = false

  constructor(place: Place, options: RunOptions) {
    this.#place = place
    this.#options = options
  }

  interrupt(): void {
    this.#stop.abort(new Interrupted('SIGINT'))
  }

  /** Kills the run without cleaning up. Everything that it awaits stays pending forever. */
  kill(): void {
    this.#isDead = true
    this.#death.resolve({ said: 'killed', exitCode: null, how: '' })
  }

  /** Performs a write in the same way as its command does. */
  write(write: Write): Promise<Ending> {
    return this.#run(async (store, desk) => {
      await makeWrite(desk(write.command), write)
      await this.#alive(this.beforeItEnds())
      store.conclude()
      if (store.trouble !== null) throw new Error(`the record is in trouble: ${store.trouble}`)
      return { said: 'applied', exitCode: 0, how: 'it was done' }
    })
  }

  /** Resolves an operation in the same way as `operations resolve` does. */
  resolve(id: string): Promise<Ending> {
    return this.#run(async (store, desk) => {
      const operation = store.get(id)
      const { state, how } = await judgeOperation(desk(operation.command), operation)
      if (state === 'unknown') return { said: state, exitCode: 9, how }
      store.settle(id, state, how, this.#place.clock.moment)
      return { said: state, exitCode: 0, how }
    })
  }

  async #run(work: (store: OperationStore, desk: (command: string) => MoneyDesk) => Promise<Ending>): Promise<Ending> {
    const { server, directory } = this.#place
    const store = OperationStore.open(OperationStore.pathIn(directory))
    const open = await openTransport(new URL(server.baseUrl), {})
    const transport = this.#mortal(this.#timed(open.transport))
    const desk = (command: string): MoneyDesk => ({
      store,
      clock: () => this.#place.clock.moment,
      force: false,
      service: server.baseUrl,
      ...this.#caller(command, transport),
    })
    try {
      return await Promise.race([this.#death.promise, work(store, desk).catch(endingOf)])
    } finally {
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
    const reply = await this.#alive(next(request))
    return { ...reply, body: this.#mortalBody(reply.body) }
  }

  async *#mortalBody(body: AsyncIterable<Uint8Array>) {
    const chunks = body[Symbol.asyncIterator]()
    for (let step = await this.#alive(chunks.next()); !step.done; step = await this.#alive(chunks.next()))
      yield step.value
  }

  /** Waits for a value. If the run is killed in the meantime, the returned promise stays pending forever. */
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
