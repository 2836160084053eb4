import { pause, pickBackoffMs } from '../../http/client/retry.ts'
import type { KeptDelivery } from '../events/journal/read-journal.ts'
import { readEvent } from '../events/read-event.ts'
import { Mark } from './mark.ts'
import { type Sent, storedHeadersToPassOn, type Target } from './target.ts'

export interface Choice {
  /** Empty: all. */
  readonly events: readonly string[]
  /** Booking IDs and card numbers, in upper case; empty: all. */
  readonly subjects: readonly string[]
  /** Epoch milliseconds, inclusive; null: no limit. */
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

export function isChosen({ timeMs, body }: KeptDelivery, choice: Choice): boolean {
  const { events, subjects, sinceMs, untilMs } = choice
  if (timeMs < (sinceMs ?? timeMs) || timeMs > (untilMs ?? timeMs)) return false
  if (events.length === 0 && subjects.length === 0) return true
  const read = readEvent(body)
  if (events.length > 0 && !events.includes(read?.event ?? '')) return false
  return subjects.length === 0 || subjects.includes(read?.subject?.toUpperCase() ?? '')
}

export interface Replaying {
  /** A factor of the original speed; null: as fast as possible. */
  readonly speed: number | null
  readonly limitMs: number
  /** Override the stored headers. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Sent although they may contain credentials. Names in lower case. */
  readonly keptHeaders: readonly string[]
  readonly signal: AbortSignal
}

const ATTEMPTS = 4

/** Opens a replay to one receiver, which sends deliveries one by one, unchanged. */
export function openReplayer(target: Target, replaying: Replaying) {
  const { speed, signal, headers, keptHeaders, limitMs } = replaying
  const mark = new Mark()
  const hooks = { signal, now: Date.now }
  let lastMs: number | null = null
  return {
    /** Whether this replay sent it: the receiver may write to the same journal. */
    hasSent: (delivery: KeptDelivery) => mark.isOn(delivery.headers),
    /** Retries with growing waits only what certainly never reached the receiver. Fails: the signal's reason. */
    send: async (delivery: KeptDelivery): Promise<Sent> => {
      const sinceLastMs = delivery.timeMs - (lastMs ?? delivery.timeMs)
      lastMs = delivery.timeMs
      if (speed !== null && sinceLastMs > 0) await pause(sinceLastMs / speed, hooks)
      const passed = mark.putOn({ ...storedHeadersToPassOn(delivery.headers, keptHeaders), ...headers })
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        const sent = await target.post(passed, delivery.body, limitMs, signal)
        if (sent.status !== null || sent.maybeSent || attempt === ATTEMPTS) return sent
        await pause(pickBackoffMs(attempt), hooks)
      }
    },
  }
}
