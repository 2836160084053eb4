import { monotonicMs } from '../../base/stopwatch.ts'
import { DeadlinePassed } from '../../http/client/errors.ts'
import type { Sent, Target } from '../listener/target.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'

/** The receiver to test and the limits of the test. */
export interface Trial {
  readonly target: Target
  /** The headers that are sent with each delivery. Names are in lower case. */
  readonly credentials: Readonly<Record<string, string>>
  readonly answerWithinMs: number
  /**
   * How long to wait for a response, in milliseconds. If longer than `answerWithinMs`, a slow receiver fails only one
   * check.
   */
  readonly patienceMs: number
  /** The deadline for all checks, on the `monotonicMs` clock. */
  readonly endsAt: number
  readonly signal?: AbortSignal | undefined
}

/** Sends deliveries to the receiver and records its responses. */
export class ReceiverUnderTest {
  readonly trial: Trial
  readonly answers: { readonly during: string; readonly ms: number }[] = []
  /** The name of the check that is running. */
  during = ''
  /** Whether a delivery got no response. The caller resets this before each check. */
  wasSilent = false
  /** The names of the checks that were skipped because time was up. */
  readonly skippedForTime: string[] = []
  wasReached = false
  #wasCutShort = false

  constructor(trial: Trial) {
    this.trial = trial
  }

  /**
   * Posts a body. `headers` replace default headers, and a value of `null` removes a header. Throws Interrupted if the
   * signal is aborted.
   */
  async send(body: string, headers: Readonly<Record<string, string | null>> = {}): Promise<Sent> {
    const { target, signal } = this.trial
    const all = Object.entries({ ...this.headers, ...headers })
    const present = Object.fromEntries(all.filter((header): header is [string, string] => header[1] !== null))
    return await this.within((limitMs) => target.post(present, Buffer.from(body), limitMs, signal))
  }

  /** Opens a raw connection to the receiver. Throws NetworkError, or Interrupted if the signal is aborted. */
  connect(): Promise<RawConnection> {
    const { target, signal } = this.trial
    return openRawConnection(target.url, this.#patienceMs, signal)
  }

  /**
   * Waits for a response until `patienceMs` milliseconds have passed, or until the deadline for all checks if that is
   * sooner. Throws Interrupted if the signal is aborted.
   */
  async within(wait: (limitMs: number) => Promise<Sent>): Promise<Sent> {
    const limitMs = this.#patienceMs
    const sent = await wait(limitMs)
    if (sent.maybeSent) this.wasReached = true
    if (sent.status === null) this.wasSilent = true
    else this.answers.push({ during: this.during, ms: sent.ms })
    // Check the error instead of the clock, because a timer may fire slightly early.
    if (limitMs < this.trial.patienceMs && sent.error === new DeadlinePassed(limitMs).message) this.#wasCutShort = true
    return sent
  }

  get #patienceMs(): number {
    const { patienceMs, endsAt } = this.trial
    return Math.max(1, Math.min(patienceMs, Math.floor(endsAt - monotonicMs())))
  }

  get isOutOfTime(): boolean {
    return this.#wasCutShort || monotonicMs() >= this.trial.endsAt
  }

  /** A delivery's default headers, without `content-length`. */
  get headers(): Readonly<Record<string, string>> {
    return { 'content-type': 'application/json', ...this.trial.credentials }
  }
}
