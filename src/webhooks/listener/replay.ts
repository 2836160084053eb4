import { pause, pickBackoffMs } from '../../http/client/retry.ts'
import type { StoredDelivery } from '../events/journal/read-journal.ts'
import { readEvent } from '../events/read-event.ts'
import { Mark } from './mark.ts'
import { type Sent, storedForwardableHeaders, type Target } from './target.ts'

/** Selects the deliveries to replay. */
export interface ReplayFilter {
  /** The names of the events to replay. If empty, all events are replayed. */
  readonly events: readonly string[]
  /** The booking IDs and card numbers to replay, in upper case. If empty, all are replayed. */
  readonly subjects: readonly string[]
  /** The earliest time of arrival, in epoch milliseconds, or `null` for no limit. */
  readonly sinceMs: number | null
  /** The latest time of arrival, in epoch milliseconds, or `null` for no limit. */
  readonly untilMs: number | null
}

export function matchesFilter({ timeMs, body }: StoredDelivery, choice: ReplayFilter): boolean {
  const { events, subjects, sinceMs, untilMs } = choice
  if (timeMs < (sinceMs ?? timeMs) || timeMs > (untilMs ?? timeMs)) return false
  if (events.length === 0 && subjects.length === 0) return true
  const read = readEvent(body)
  if (events.length > 0 && !events.includes(read?.event ?? '')) return false
  return subjects.length === 0 || subjects.includes(read?.subject?.toUpperCase() ?? '')
}

export interface ReplayOptions {
  /** The speed relative to the original deliveries, or `null` to send them without waiting. */
  readonly speed: number | null
  readonly limitMs: number
  /** Headers that replace stored headers with the same names. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The lower-case names of the headers that are sent although they may contain credentials. */
  readonly keptHeaders: readonly string[]
  readonly signal: AbortSignal
}

const ATTEMPTS = 4

/** Opens a replay that sends unchanged deliveries to one receiver, one after the other. */
export function openReplayer(target: Target, replaying: ReplayOptions) {
  const { speed, signal, headers, keptHeaders, limitMs } = replaying
  const mark = new Mark()
  const hooks = { signal, now: Date.now }
  let lastMs: number | null = null
  return {
    /**
     * Returns whether this replay has already sent the given delivery. That can happen if the receiver writes to the
     * same journal.
     */
    hasSent: (delivery: StoredDelivery) => mark.isOn(delivery.headers),
    /**
     * Sends a delivery. If it is certain that the delivery did not reach the receiver, retries it with increasing
     * delays. Throws the signal's reason if the signal is aborted.
     */
    send: async (delivery: StoredDelivery): Promise<Sent> => {
      const sinceLastMs = delivery.timeMs - (lastMs ?? delivery.timeMs)
      lastMs = delivery.timeMs
      if (speed !== null && sinceLastMs > 0) await pause(sinceLastMs / speed, hooks)
      const passed = mark.replaceOn({ ...storedForwardableHeaders(delivery.headers, keptHeaders), ...headers })
      for (let attempt = 1; ; attempt++) {
        signal.throwIfAborted()
        const sent = await target.post(passed, delivery.body, limitMs, signal)
        if (sent.status !== null || sent.maybeSent || attempt === ATTEMPTS) return sent
        await pause(pickBackoffMs(attempt), hooks)
      }
    },
  }
}
