import type { TraceRequest } from '../../../client/calls/caller.ts'
import type { Output } from '../../output/output.ts'
import type { Pings } from './pings.ts'
import type { Tracer } from './tracer.ts'

/**
 * Pings a job monitor about each run, and sends its trace. A process has one run, or one after another with `--every`.
 * Nothing here fails, prints anything or delays a run.
 */
export class Observer {
  readonly #pings: Pings | null
  readonly #tracer: Tracer | null
  /** Whether this is the observer of one venue, and the URL to ping is the same for all venues. */
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

  /** Begins a run, unless one has begun. A run that is not regular is pinged only if it ends with another exit code. */
  begin(isRegular = true): void {
    this.#pings?.begin(isRegular)
    this.#tracer?.begin()
  }

  /** Ends the run. If none has begun, only a failure is reported. `words` are added to what stderr shows. */
  end(exitCode: number, words = ''): void {
    this.#pings?.end(exitCode, words)
    this.#tracer?.end(exitCode)
  }

  /** Returns the observer of the runs for one of several venues. If the venue has its own ping, a run begins. */
  forVenue(profile: string, stderr: Output): Observer {
    const pings = this.#pings?.forVenue(profile, stderr) ?? null
    pings?.begin(true)
    return new Observer(pings, this.#tracer?.forVenue() ?? null, this.#pings?.isShared)
  }

  /** Waits until everything has been sent or has timed out, but at most `limitMs` unless that is `null`. */
  async settle(limitMs: number | null): Promise<void> {
    await Promise.all([this.#pings?.settle(limitMs), this.#tracer?.settle(limitMs !== null)])
  }
}
