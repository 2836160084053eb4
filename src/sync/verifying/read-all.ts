import { DAY_MS } from '../../base/time/units.ts'
import type { TimeRange } from '../../base/time/window.ts'
import { type Reading, readWindow } from '../reading/read-window.ts'
import type { SyncRecord } from '../record.ts'
import { FIRST_WINDOW_MS, nextWindowMs } from '../running/windows.ts'

/** Reads all that the service has by one of its times, window by window. */
export interface WholeReading {
  readonly reading: Reading
  readonly fromMs: number
  /** Null: up to the service's present. */
  readonly toMs: number | null
  readonly signal: AbortSignal
}

/**
 * Yields batches, and returns how many requests it took. The windows go forward, so that a record that changes meanwhile comes with a
 * later one; the last of an open end reaches a day into the future. A record may come more than once.
 * Fails: as `readWindow`; Interrupted.
 */
export async function* readAll({ reading, fromMs, toMs, signal }: WholeReading) {
  let lengthMs = FIRST_WINDOW_MS
  let requests = 0
  for (let startMs = fromMs; ; ) {
    const range = { fromMs: startMs, toMs: endOf(startMs, lengthMs, toMs, reading.clock.nowMs) }
    const batches = readWindow(reading, range)
    let records = 0
    try {
      for (;;) {
        signal.throwIfAborted()
        const step = await batches.next()
        if (step.done) {
          requests += step.value.requests
          if (range.toMs >= (toMs ?? step.value.askedAt.latestMs)) return requests
          break
        }
        records += step.value.length
        yield step.value satisfies readonly SyncRecord[]
      }
    } finally {
      // An answer that nobody reads to the end would keep the process alive.
      await batches.return({ askedAt: { earliestMs: 0, latestMs: 0 }, requests: 0 })
    }
    lengthMs = nextWindowMs(lengthMs, records)
    startMs = range.toMs
  }
}

function endOf(startMs: number, lengthMs: number, toMs: number | null, nowMs: number): TimeRange['toMs'] {
  const endMs = startMs + lengthMs
  if (toMs !== null) return Math.min(endMs, toMs)
  return endMs >= nowMs ? Math.max(Math.ceil(nowMs), startMs) + DAY_MS : endMs
}
