import { monotonicMs } from '../../base/stopwatch.ts'
import type { Layer, WireReply, WireRequest } from '../transport.ts'

/** One attempt, and the reply or error that it got. */
export interface TracedAttempt {
  readonly request: WireRequest
  readonly attempt: number
  /** Null when no reply came. */
  readonly reply: WireReply | null
  /** Null when a reply came. */
  readonly error: Error | null
  /** How long the headers of the reply, or the error, took to come. Milliseconds. */
  readonly elapsedMs: number
}

/** Reports each attempt as soon as the headers of its reply, or its error, have come. */
export const withTrace =
  (onAttempt: (attempt: TracedAttempt) => void): Layer =>
  (next) =>
  async (request) => {
    const started = monotonicMs()
    const report = (reply: WireReply | null, error: Error | null) =>
      onAttempt({ request, attempt: request.attempt ?? 1, reply, error, elapsedMs: monotonicMs() - started })
    try {
      const reply = await next(request)
      report(reply, null)
      return reply
    } catch (error) {
      report(null, error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
