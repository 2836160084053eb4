import type { Failure } from '../../../../base/failure/failure.ts'
import { formatDuration } from '../../../../base/time/duration.ts'
import { learnedLimits } from '../../../../client/pace-file.ts'
import type { Session } from '../../../../client/session.ts'
import { parseRateLimit } from '../../../../contract/failures.ts'
import { command, type Examination } from '../examination.ts'
import { type Finding, fail, failureLine, ok, skipAfter } from '../finding.ts'
import type { Heard } from './heard.ts'

/** Headers in which services name their limit; ours documents none. */
const LIMIT_HEADER = /^(?:x-)?rate-?limit(?:-(?:limit|remaining|reset|policy))?$/

/** The newest of what it said before; more would hide what matters. */
const SHOWN_LIMITS = 1

interface Seen {
  readonly given: Examination
  readonly session: Session
  /** The row that failed, where there was no answer. */
  readonly cause: string | null
}

/** How long the limit lasts: as the service says, else as long as a command would wait. */
function waitSeconds(failure: Failure): number {
  const named = /come back in (\d+) seconds/.exec(failure.hint ?? '')?.[1]
  const windowMs = parseRateLimit(failure.message)?.windowMs
  return named === undefined ? Math.ceil((windowMs ?? 60_000) / 1000) : Number(named)
}

/** The limit that the service named: now, or to an earlier command of this user in the last day. */
export function rateLimitRow(name: string, { headers, failure }: Heard, { given, session, cause }: Seen): Finding {
  if (failure?.code === 'RATE_LIMITED')
    return fail(
      name,
      `${failureLine(failure)}; no more was asked`,
      `sleep ${waitSeconds(failure)} && ${command('doctor', given)}`,
    )
  if (cause !== null) return skipAfter(name, cause)
  const named = Object.entries(headers).filter(([header]) => LIMIT_HEADER.test(header))
  const { pace } = session.caller
  const now = given.around.now()
  const learned = learnedLimits(pace.path, now).filter(({ scope }) => scope === pace.scope)
  const texts = [
    ...named.map(([header, value]) => `${header}: ${value}`),
    ...learned.slice(0, SHOWN_LIMITS).map(({ endpoint, count, windowMs, learnedAt }) => {
      const ago = formatDuration(Math.max(0, now - learnedAt))
      return `${count} every ${formatDuration(windowMs)} to ${endpoint}, as it said ${ago} ago`
    }),
    ...(learned.length > SHOWN_LIMITS ? [`and of ${learned.length - SHOWN_LIMITS} more endpoints`] : []),
  ]
  return ok(name, texts.length > 0 ? texts.join('; ') : 'the service has named none in the last day')
}
