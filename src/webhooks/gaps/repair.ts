import { ANSWER_WITHIN_MS, eventBody } from '../../contract/events.ts'
import { isTaken, type Sent, type Target } from '../listener/target.ts'
import { REPAIR_HEADER } from './arrivals.ts'
import type { Gap } from './compare.ts'

/** What became of a repair. `stopped`: it was not sent, as the receiver gave no answer to those before. */
export type Repaired = Sent | 'stopped'

/** How many in a row may go without an answer until no more are sent. */
const MOST_UNANSWERED = 3

/** The body of the delivery that never came. */
export function repairBody({ event, subject, locationId }: Gap): Uint8Array {
  return Buffer.from(JSON.stringify(eventBody(event, subject, locationId)))
}

/** The headers of a repair, with the credentials that the receiver asks for. */
export function repairHeaders(credentials: Readonly<Record<string, string>>): Record<string, string> {
  return { 'content-type': 'application/json', [REPAIR_HEADER]: '1', ...credentials }
}

/** Sends what is missing, each once. A receiver that does not answer three times in a row gets no more. */
export class Repairer {
  readonly became: Repaired[] = []
  readonly #target: Target
  readonly #headers: Readonly<Record<string, string>>
  readonly #signal: AbortSignal
  #unanswered = 0

  constructor(target: Target, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
    this.#target = target
    this.#headers = headers
    this.#signal = signal
  }

  /** Sends one. Fails: the signal's reason; never because of the receiver. */
  async send(gap: Gap): Promise<Repaired> {
    this.#signal.throwIfAborted()
    const became = this.#unanswered < MOST_UNANSWERED ? await this.#post(gap) : 'stopped'
    this.became.push(became)
    return became
  }

  async #post(gap: Gap): Promise<Sent> {
    const sent = await this.#target.post(this.#headers, repairBody(gap), ANSWER_WITHIN_MS, this.#signal)
    this.#unanswered = sent.status === null ? this.#unanswered + 1 : 0
    return sent
  }
}

/** Whether a repair has arrived. */
export function isRepaired(became: Repaired): boolean {
  return became !== 'stopped' && isTaken(became.status)
}
