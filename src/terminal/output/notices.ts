import { describeLimit } from '../../client/calls/pace.ts'
import type { Notice } from '../../client/surroundings.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { TracedAttempt } from '../../http/client/trace.ts'

/** The line for a notice; null when only `--verbose` shows it. `now` in epoch milliseconds. */
export function noticeLine(notice: Notice, isVerbose: boolean, now: number): string | null {
  switch (notice.kind) {
    case 'warning':
      return `warning: ${notice.text}`
    case 'pace': {
      const { limit, endpoint, path } = notice
      const seconds = Math.ceil(limit.waitMs / 1000)
      return `waiting ${seconds} s: ${describeLimit(limit, endpoint, now)} (to try at once, stop this and remove ${path})`
    }
    case 'remark':
      return isVerbose ? notice.text : null
    case 'attempt':
      return isVerbose ? traceLine(notice.attempt) : null
    case 'retry':
      return isVerbose
        ? `attempt ${notice.attempt} failed (${notice.why}); trying again in ${Math.round(notice.waitMs)} ms`
        : null
  }
}

function traceLine({ request, attempt, reply, error, elapsedMs }: TracedAttempt): string {
  const outcome = reply ? String(reply.status) : error instanceof NetworkError ? error.kind : 'failed'
  return `${request.method} ${request.url.href} ${outcome} ${Math.round(elapsedMs)} ms, attempt ${attempt}`
}
