import { type CommandEnd, type HandlerCommands, variablesOf } from '../handling/handler-commands.ts'
import type { Mark } from '../listener/mark.ts'
import { isAccepted, storedForwardableHeaders, type Target } from '../listener/target.ts'
import type { LeasedEvent } from './queue.ts'

/** Handles an event. Stops soon after the signal is aborted, because another worker may take over. Never throws. */
export type Handle = (leased: LeasedEvent, signal: AbortSignal) => Promise<CommandEnd>

/**
 * Returns a handler that runs a command for each event. An event counts as handled if its command exits with code 0.
 */
export function handleByCommand(commands: HandlerCommands): Handle {
  return async (leased, signal) => {
    const { id, attempt, times, body } = leased
    const env = {
      ...variablesOf(leased),
      PARTNER_WEBHOOK_ID: id,
      PARTNER_WEBHOOK_ATTEMPT: String(attempt),
      PARTNER_WEBHOOK_TIMES: String(times),
    }
    const end = await commands.run({ input: body, env, signal }, () => !signal.aborted)
    return end ?? { isDone: false, words: 'it was not run' }
  }
}

export interface ForwardOptions {
  /** Headers that replace stored headers with the same names. Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The mark that identifies forwarded events, so that a listener with the same inbox can recognize them. */
  readonly mark: Mark
  /** The lower-case names of the headers that are sent although they may contain credentials. */
  readonly keptHeaders: readonly string[]
  readonly limitMs: number
}

/**
 * Returns a handler that forwards each event unchanged, but without stored credentials. An event counts as
 * handled if the response is 2xx.
 */
export function handleByForwarding(target: Target, { headers, mark, keptHeaders, limitMs }: ForwardOptions): Handle {
  return async (leased, signal) => {
    try {
      const { status, error } = await target.post(
        mark.addTo({ ...storedForwardableHeaders(leased.headers, keptHeaders), ...headers }),
        leased.body,
        limitMs,
        signal,
      )
      return {
        isDone: isAccepted(status),
        words: status === null ? (error ?? 'there was no answer') : describeStatus(status),
      }
    } catch {
      return { isDone: false, words: 'it was interrupted' }
    }
  }
}

function describeStatus(status: number): string {
  return `it answered ${status}${status === 508 ? ': it had already forwarded this delivery, so --forward-to leads back to the inbox' : ''}`
}
