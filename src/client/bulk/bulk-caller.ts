import { pause } from '../../http/client/retry.ts'
import type { Caller } from '../calls/caller.ts'
import { SendGate } from '../send-gate.ts'

/**
 * Creates the caller for one line. `onSend` runs right before each attempt of a write and can cancel the attempt by
 * throwing.
 */
export type CallerFor = (onSend: () => void | Promise<void>) => Caller

/**
 * Makes all lines of a run share the rate limits of one service. When `stop` aborts, lines stop waiting for these
 * limits, but requests that were already sent continue.
 */
export function openBulkCalls(caller: Caller, stop: AbortSignal): CallerFor {
  const sendGate = new SendGate()
  // Omit the hooks that report waiting requests, because the progress display covers the whole run.
  const { waitsFor, onWait, onWrite, signal, ...hooks } = caller.hooks
  const isOver = signal ? AbortSignal.any([stop, signal]) : stop
  return (onSend) => ({
    ...caller,
    sendGate,
    hooks: {
      ...hooks,
      signal,
      wait: (ms) => pause(ms, { now: hooks.now, signal: isOver }),
      onWait: (waitMs, attempt, why) => {
        sendGate.pauseFor(waitMs)
        onWait?.(waitMs, attempt, why)
      },
      onWrite: async () => {
        await onSend()
        await onWrite?.()
      },
    },
  })
}
