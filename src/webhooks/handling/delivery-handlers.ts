import { setTimeout as delay } from 'node:timers/promises'
import { monotonicMs } from '../../base/stopwatch.ts'
import type { Mark } from '../listener/mark.ts'
import type { Accepted } from '../listener/receiver.ts'
import { forwardableHeaders, isAccepted, type Target } from '../listener/target.ts'
import { type HandlerCommands, variablesOf } from './handler-commands.ts'

/** Handles a delivery. Returns the status of the response to the service. Never throws. */
export type DeliveryHandler = (accepted: Accepted) => Promise<number>

type Report = (line: string) => void

export const acceptAll: DeliveryHandler = async () => 200

/** The first wait is short, because a restarting target is usually back soon. */
const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1000

/**
 * Returns a handler that marks each delivery, forwards it, and returns the target's status. A delivery that certainly
 * did not reach the target is retried with increasing delays while the service waits. The status is 502 if the target
 * is unreachable, and 504 if no response arrives in time.
 */
export function forwardTo(target: Target, mark: Mark, report: Report): DeliveryHandler {
  return async ({ headers, body, read, answerBy }) => {
    const passed = mark.addTo(forwardableHeaders(headers))
    for (let attempts = 1; ; attempts++) {
      const { status, error, maybeSent } = await target.post(passed, body, Math.max(1, answerBy - monotonicMs()))
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), LONGEST_WAIT_MS)
      if (status === null && !maybeSent && monotonicMs() + waitMs < answerBy) {
        await delay(waitMs)
        continue
      }
      const answer = status ?? (monotonicMs() < answerBy ? 502 : 504)
      const why = status === null ? `${error}${attempts > 1 ? ` (${attempts} attempts)` : ''}` : `it answered ${status}`
      if (!isAccepted(answer))
        report(
          `${nameOf(read)} was not forwarded: ${why}; the service received status ${answer} and will send the event again`,
        )
      return answer
    }
  }
}

/**
 * Returns a handler that runs a command for each delivery. The status is 500 if the command failed, and 503 if it did
 * not start in time. If the command is still running at the deadline, the status is 200, and the command continues.
 */
export function runCommand(commands: HandlerCommands, report: Report): DeliveryHandler {
  return async (accepted) => {
    const { body, read, answerBy } = accepted
    let isLate = false
    let isStarted = false
    const work = commands.run({ input: body, env: variablesOf(accepted) }, () => {
      isStarted = !isLate
      return isStarted
    })
    const waiting = new AbortController()
    const end = await Promise.race([
      work,
      delay(Math.max(0, answerBy - monotonicMs()), 'late' as const, { signal: waiting.signal }).catch(() => null),
    ])
    waiting.abort()
    isLate = true
    const fails = (words: string) => `the command for ${nameOf(read)} failed: ${words}`
    if (end === 'late' && isStarted) {
      void work.then((later) => {
        if (later !== null && !later.isDone)
          report(`${fails(later.words)}; by then, the service had already received status 200`)
      })
      return 200
    }
    if (end === 'late' || end === null) {
      report(
        `the command for ${nameOf(read)} was not run, because too many commands were running; the service received status 503`,
      )
      return 503
    }
    if (end.isDone) return 200
    report(`${fails(end.words)}; the service received status 500 and will send the event again`)
    return 500
  }
}

/**
 * The maximum length of an event name or subject in messages. Longer text is truncated, because the sender chooses it.
 */
const LONGEST_WORD = 100

function nameOf({ event, subject }: Accepted['read']): string {
  const words = [event ?? 'an event without a name', subject].filter((word) => word !== null)
  return words.map((word) => (word.length > LONGEST_WORD ? `${word.slice(0, LONGEST_WORD)}…` : word)).join(' ')
}
