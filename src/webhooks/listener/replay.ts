import { pause, pickBackoffMs } from '../../http/client/retry.ts'
import type { NumberedDelivery } from '../events/journal/read-journal.ts'
import { readEvent } from '../events/read-event.ts'
import { Mark } from './mark.ts'
import { type Sent, storedHeadersToPassOn, type Target } from './target.ts'

/** Which deliveries of a journal are meant. */
export interface Choice {
  /** Names of events; empty: all. */
  readonly events: readonly string[]
  /** Booking IDs and card numbers, in upper case; empty: all. */
  readonly subjects: readonly string[]
  /** Epoch milliseconds, both included; null: no limit. */
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

/** True for a delivery that is meant. */
export function isChosen({ timeMs, body }: NumberedDelivery, choice: Choice): boolean {
  const { events, subjects, sinceMs, untilMs } = choice
  if (timeMs < (sinceMs ?? timeMs) || timeMs > (untilMs ?? timeMs)) return false
  if (events.length === 0 && subjects.length === 0) return true
  const read = readEvent(body)
  if (events.length > 0 && !events.includes(read?.event ?? '')) return false
  return subjects.length === 0 || subjects.includes(read?.subject?.toUpperCase() ?? '')
}

/** How deliveries are sent again. */
export interface Replaying {
  /** How much faster than they came; null: as fast as possible. */
  readonly speed: number | null
  /** How long the receiver has for each answer. Milliseconds. */
  readonly limitMs: number
  /** Headers that go with each, over those that it came with. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers to send although they may hold a credential. Names in lower case. */
  readonly keptHeaders: readonly string[]
  readonly signal: AbortSignal
}

/** How often a receiver that cannot be reached is tried. */
const ATTEMPTS = 4

/** A delivery that was sent again, and what became of it. */
export interface Replayed extends Sent {
  readonly delivery: NumberedDelivery
}

/**
 * Sends deliveries again, one after the other, byte for byte. One that certainly never reached the receiver is tried again, with
 * growing waits. Fails: the signal's reason.
 */
export class Replayer {
  readonly #target: Target
  readonly #replaying: Replaying
  readonly #mark = new Mark()
  #lastMs: number | null = null

  constructor(target: Target, replaying: Replaying) {
    this.#target = target
    this.#replaying = replaying
  }

  /** True for a delivery that this replay has sent: its receiver writes to the journal that is read. */
  hasSent({ headers }: NumberedDelivery): boolean {
    return this.#mark.isOn(headers)
  }

  async send(delivery: NumberedDelivery): Promise<Replayed> {
    const { speed, signal, headers, keptHeaders, limitMs } = this.#replaying
    const sinceLastMs = delivery.timeMs - (this.#lastMs ?? delivery.timeMs)
    this.#lastMs = delivery.timeMs
    const hooks = { signal, now: Date.now }
    if (speed !== null && sinceLastMs > 0) await pause(sinceLastMs / speed, hooks)
    const passed = this.#mark.putOn({ ...storedHeadersToPassOn(delivery.headers, keptHeaders), ...headers })
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const sent = await this.#target.post(passed, delivery.body, limitMs, signal)
      if (sent.status !== null || sent.maybeSent || attempt === ATTEMPTS) return { ...sent, delivery }
      await pause(pickBackoffMs(attempt), hooks)
    }
  }
}
