import { monotonicMs } from '../../base/stopwatch.ts'
import type { Layer, WireReply, WireRequest } from '../transport.ts'

export interface TracedAttempt {
  readonly request: WireRequest
  readonly attempt: number
  readonly reply: WireReply | null
  readonly error: Error | null
  /** The number of milliseconds until the response headers arrived or the attempt failed. */
  readonly elapsedMs: number
}

/** Reports each attempt when its response headers arrive or when it fails. */
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
