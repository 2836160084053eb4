import { pause } from '../../http/client/retry.ts'
import type { Caller } from '../calls/caller.ts'
import { Turnstile } from '../turnstile.ts'

/** The caller of one line. `onSend` runs right before each attempt of a write, and keeps it from leaving when it throws. */
export type CallerFor = (onSend: () => void) => Caller

/**
 * Lets the writes of many lines share one service: they leave one after the other, and wait together when it has enough of them.
 * Waits end when `stop` aborts, while what has left is waited for until the command itself is told to stop.
 */
export function openBulkCalls(caller: Caller, stop: AbortSignal): CallerFor {
  const turnstile = new Turnstile()
  // What each line waits for is of no interest: the progress of all of them is shown.
  const { waitsFor, onWait, onWrite, signal, ...hooks } = caller.hooks
  const isOver = signal ? AbortSignal.any([stop, signal]) : stop
  return (onSend) => ({
    ...caller,
    turnstile,
    hooks: {
      ...hooks,
      signal,
      wait: (ms) => pause(ms, { now: hooks.now, signal: isOver }),
      onWait: (waitMs, attempt, why) => {
        turnstile.closeFor(waitMs)
        onWait?.(waitMs, attempt, why)
      },
      onWrite: () => {
        onSend()
        onWrite?.()
      },
    },
  })
}
