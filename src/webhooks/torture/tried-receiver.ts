import { monotonicMs } from '../../base/stopwatch.ts'
import type { WebhookEvent } from '../../contract/events.ts'
import { sampleEvent } from '../events/sample.ts'
import type { Sent, Target } from '../listener/target.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'

/** How a receiver is tried. */
export interface Trial {
  readonly target: Target
  /** What goes with each delivery, names in lower case. */
  readonly credentials: Readonly<Record<string, string>>
  /** How long a receiver may take to answer. Milliseconds. */
  readonly answerWithinMs: number
  /** How long an answer is waited for all the same, so that a slow receiver fails one check and not all. Milliseconds. */
  readonly patienceMs: number
  /** When all checks must be over, by `monotonicMs`. */
  readonly endsAt: number
  readonly signal?: AbortSignal | undefined
}

/** The receiver while it is tried: what is sent to it, and how long its answers took. */
export class TriedReceiver {
  readonly trial: Trial
  /** Every answer so far, and the check in which it came; what was never answered is not among them. */
  readonly answers: { readonly during: string; readonly ms: number }[] = []
  during = ''
  /** Whether something was not answered since this was last set. */
  wasSilent = false
  /** The checks that were skipped because the time was over. */
  readonly untried: string[] = []
  /** Whether anything that was sent may have arrived. */
  wasReached = false

  constructor(trial: Trial) {
    this.trial = trial
  }

  /** Sends a sample of an event, as the service would. Fails: Interrupted. */
  sample(event: WebhookEvent, subject?: string, headers: Readonly<Record<string, string>> = {}): Promise<Sent> {
    return this.send(JSON.stringify(sampleEvent(event, subject)), headers)
  }

  /** Posts a body with the credentials and further `headers`; `null` takes one out. Fails: Interrupted. */
  async send(body: string, headers: Readonly<Record<string, string | null>> = {}): Promise<Sent> {
    const { target, signal } = this.trial
    const present = Object.entries({ ...this.headers, ...headers }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    )
    return this.note(await target.post(Object.fromEntries(present), Buffer.from(body), this.patienceMs, signal))
  }

  /** A connection on which anything can be sent, at any pace. Fails: NetworkError; Interrupted. */
  connect(): Promise<RawConnection> {
    const { target, signal } = this.trial
    return openRawConnection(target.url, this.patienceMs, signal)
  }

  /** How long the next answer is waited for. Milliseconds. */
  get patienceMs(): number {
    const { patienceMs, endsAt } = this.trial
    return Math.max(1, Math.min(patienceMs, Math.floor(endsAt - monotonicMs())))
  }

  get isOutOfTime(): boolean {
    return monotonicMs() >= this.trial.endsAt
  }

  /** The headers of a delivery, but for its length. */
  get headers(): Readonly<Record<string, string>> {
    return { 'content-type': 'application/json', ...this.trial.credentials }
  }

  /** Notes how long an answer took, or that none came. */
  note(sent: Sent): Sent {
    if (sent.maybeSent) this.wasReached = true
    if (sent.status === null) this.wasSilent = true
    else this.answers.push({ during: this.during, ms: sent.ms })
    return sent
  }
}
