import { NetworkError } from '../../http/client/errors.ts'
import type { TracedAttempt } from '../../http/client/trace.ts'

/** One attempt as a line for `--verbose`. Headers are not shown, so no key can be. */
export function traceLine({ request, attempt, reply, error, elapsedMs }: TracedAttempt): string {
  const outcome = reply ? String(reply.status) : error instanceof NetworkError ? error.kind : 'failed'
  return `${request.method} ${request.url.href} ${outcome} ${Math.round(elapsedMs)} ms, attempt ${attempt}`
}
