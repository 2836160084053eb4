import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import type { WriteOutcome } from './journal/entry.ts'

export type Ended = { readonly outcome: WriteOutcome; readonly status: number | null; readonly message: string | null }

export interface Judgement {
  /** The outcome of the write. `null` if an interruption, or an error that affects every line, prevented the write. */
  readonly ended: Ended | null
  /** The error that ends the run, because it would affect every write. `null` if there is none. */
  readonly cause: unknown
}

/** Determines the outcome of a write that threw an error, and whether the error ends the run. */
export function judge(error: unknown): Judgement {
  if (error instanceof Interrupted) return { ended: null, cause: null }
  // Any other error is a bug in partner. It may have occurred after the write was sent, so the outcome is unknown.
  if (!(error instanceof Failure))
    return { ended: { outcome: 'unknown', status: null, message: String(error) }, cause: error }
  const { code, outcome, request } = error
  const status = request?.status ?? null
  const ended = (kind: WriteOutcome): Ended => ({ outcome: kind, status, message: inOneLine(error) })
  if (outcome === 'unknown') {
    const beneath = error.cause instanceof Failure && affectsAllLines(error.cause) ? error.cause : null
    return { ended: ended('unknown'), cause: code === 'REJECTED' ? error : beneath }
  }
  if (affectsAllLines(error)) return { ended: null, cause: error }
  return { ended: ended(code === 'CONFLICT' ? 'already-there' : 'rejected'), cause: null }
}

const CODES_FOR_ALL_LINES = new Set(['RATE_LIMITED', 'NETWORK_ERROR', 'TIMEOUT', 'INTERNAL', 'USAGE'])

function affectsAllLines({ code, exitCode }: Failure): boolean {
  return exitCode === 4 || CODES_FOR_ALL_LINES.has(code)
}

function inOneLine({ message, details }: Failure): string {
  const { operation } = (details ?? {}) as { readonly operation?: unknown }
  const name = typeof operation === 'string' ? ` (${operation})` : ''
  return message.replace(/\s*\n\s*/g, '; ') + name
}
