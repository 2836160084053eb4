import { type CommandEnd, type HandlerCommands, variablesOf } from '../handling/handler-commands.ts'
import type { Mark } from '../listener/mark.ts'
import { isTaken, storedHeadersToPassOn, type Target } from '../listener/target.ts'
import type { Leased } from './queue.ts'

/** Handles an event. Ends soon after the signal is aborted, because another worker may take over. Never fails. */
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

export interface PassingOn {
  /** Override the stored headers. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Lets a listener of the same inbox recognize forwarded events. */
  readonly mark: Mark
  /** Sent although they may contain credentials. Names in lower case. */
  readonly keptHeaders: readonly string[]
  readonly limitMs: number
}

/** Forwards each event unchanged, without credentials in headers; 2xx is done. */
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
