import { type CommandEnd, type HandlerCommands, variablesOf } from '../handling/handler-commands.ts'
import type { Mark } from '../listener/mark.ts'
import { isTaken, storedHeadersToPassOn, type Target } from '../listener/target.ts'
import type { Leased } from './queue.ts'

/** Handles an event of an inbox. Ends soon once the signal is aborted, as another worker may then have it. Never fails. */
export type Handle = (leased: Leased, signal: AbortSignal) => Promise<CommandEnd>

/** Runs a command for each event; exit code 0 is done. */
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

/** How events are passed on. */
export interface PassingOn {
  /** Headers that go with each, over those that it came with. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Goes with each, so that a listener of the same inbox recognises it. */
  readonly mark: Mark
  /** Headers to send although they may hold a credential. Names in lower case. */
  readonly keptHeaders: readonly string[]
  /** How long the receiver has for each answer. Milliseconds. */
  readonly limitMs: number
}

/** Passes each event on, byte for byte, with the headers that it came with but for credentials; 2xx is done. */
export function handleByForwarding(target: Target, { headers, mark, keptHeaders, limitMs }: PassingOn): Handle {
  return async (leased, signal) => {
    try {
      const { status, error } = await target.post(
        mark.addTo({ ...storedHeadersToPassOn(leased.headers, keptHeaders), ...headers }),
        leased.body,
        limitMs,
        signal,
      )
      return { isDone: isTaken(status), words: status === null ? (error ?? 'no answer came') : wordsOf(status) }
    } catch {
      return { isDone: false, words: 'it was broken off' }
    }
  }
}

function wordsOf(status: number): string {
  return `it answered ${status}${status === 508 ? ': it had passed this delivery on before, so --forward-to leads back to the inbox' : ''}`
}
