import type { Layer, WireReply, WireRequest } from '../transport.ts'

/** What became of one attempt. */
export interface TracedAttempt {
  readonly request: WireRequest
  readonly attempt: number
  /** Null when no answer came. */
  readonly reply: WireReply | null
  readonly error: Error | null
  /** Until the headers of the answer, or the failure. Milliseconds. */
  readonly elapsedMs: number
}

/** Tells of each attempt when its headers, or its failure, are there. */
export const withTrace =
  (onAttempt: (attempt: TracedAttempt) => void): Layer =>
  (next) =>
  async (request) => {
    const started = performance.now()
    const tell = (reply: WireReply | null, error: Error | null) =>
      onAttempt({ request, attempt: request.attempt ?? 1, reply, error, elapsedMs: performance.now() - started })
    try {
      const reply = await next(request)
      tell(reply, null)
      return reply
    } catch (error) {
      tell(null, error instanceof Error ? error : new Error(String(error)))
      throw error
    }
  }
