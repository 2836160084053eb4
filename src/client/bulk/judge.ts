import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import type { WriteOutcome } from './journal/entry.ts'

/** How a write ended. */
export interface Ended {
  readonly outcome: WriteOutcome
  readonly status: number | null
  readonly message: string | null
}

/** What an error of one write means. */
export interface Judgement {
  /** Null: nothing was done, for a reason that is not in its line. */
  readonly ended: Ended | null
  /** What ends the whole run, as every other write would fail with it; null: the others go on. */
  readonly cause: unknown
}

/** What became of a write that failed with this error. */
export function judge(error: unknown): Judgement {
  if (error instanceof Interrupted) return { ended: null, cause: null }
  // A fault of our own, wherever it struck: the write may have left.
  if (!(error instanceof Failure))
    return { ended: { outcome: 'unknown', status: null, message: String(error) }, cause: error }
  const { code, outcome, request } = error
  const status = request?.status ?? null
  const ended = (kind: WriteOutcome): Ended => ({ outcome: kind, status, message: inOneLine(error) })
  if (outcome === 'unknown') {
    const beneath = error.cause instanceof Failure && isEveryones(error.cause) ? error.cause : null
    return { ended: ended('unknown'), cause: code === 'REJECTED' ? error : beneath }
  }
  if (isEveryones(error)) return { ended: null, cause: error }
  return { ended: ended(code === 'CONFLICT' ? 'already-there' : 'rejected'), cause: null }
}

const EVERYONES = new Set(['RATE_LIMITED', 'NETWORK_ERROR', 'TIMEOUT', 'INTERNAL', 'USAGE'])

/** Whether an error is about the service or this machine, and not about the line. */
function isEveryones({ code, exitCode }: Failure): boolean {
  return exitCode === 4 || EVERYONES.has(code)
}

function inOneLine({ message, details }: Failure): string {
  const { operation } = (details ?? {}) as { readonly operation?: unknown }
  const name = typeof operation === 'string' ? ` (${operation})` : ''
  return message.replace(/\s*\n\s*/g, '; ') + name
}
