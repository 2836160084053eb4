import type { TraceRequest } from '../../../client/calls/caller.ts'
import type { Output } from '../../output/output.ts'
import type { Pings } from './pings.ts'
import type { Tracer } from './tracer.ts'

/**
 * Pings a job monitor about each run and sends the run's trace. A process has one run or, with `--every`, several in
 * succession. The methods never fail, print anything or delay a run.
 */
export class Observer {
  readonly #pings: Pings | null
  readonly #tracer: Tracer | null
  /** Whether this observer is for one of several venues that share a ping URL. */
  readonly sharesPing: boolean

  constructor(pings: Pings | null, tracer: Tracer | null, sharesPing = false) {
    this.#pings = pings
    this.#tracer = tracer
    this.sharesPing = sharesPing
  }

  /** Traces a request to the service. Absent if requests are not traced. */
  get traceRequest(): TraceRequest | undefined {
    return this.#tracer?.traceRequest
  }

  /**
   * Begins a run, unless one is in progress. If `isRegular` is false, the run is reported only if its exit code differs
   * from the last reported one.
   */
  begin(isRegular = true): void {
    this.#pings?.begin(isRegular)
    this.#tracer?.begin()
  }

  /** Ends the run. If none has begun, only a failure is reported. `words` are appended to the reported stderr. */
  end(exitCode: number, words = ''): void {
    this.#pings?.end(exitCode, words)
    this.#tracer?.end(exitCode)
  }

  /** Returns the observer for one of several venues. If the venue has its own ping URL, a run begins. */
  forVenue(profile: string, stderr: Output): Observer {
    const pings = this.#pings?.forVenue(profile, stderr) ?? null
    pings?.begin(true)
    return new Observer(pings, this.#tracer?.forVenue() ?? null, this.#pings?.isShared)
  }

  /**
   * Waits until all pings and traces have been sent or have timed out, for at most `limitMs` milliseconds (`null` for
   * no limit).
   */
  async settle(limitMs: number | null): Promise<void> {
    await Promise.all([this.#pings?.settle(limitMs), this.#tracer?.settle(limitMs !== null)])
  }
}
