import { formatDuration } from '../../base/time/duration.ts'
import type { Destination } from '../../monitor/alerts/destination.ts'
import type { Finding } from '../../monitor/state/machine.ts'
import type { Backlog } from '../../monitor/state/state-store.ts'
import { waitingLine } from './words.ts'

/** How long, in milliseconds, an alert may wait for delivery before the monitor reports a problem. */
const LONGEST_WAIT_MS = 300_000

/**
 * Checks the monitor itself: whether alerts have waited for too long, and whether the .prom file can be written. `next`
 * is a command that investigates the problem.
 */
export function findOwnTrouble(
  {
    destinations,
    backlog,
    nowMs,
    next,
  }: {
    readonly destinations: readonly Destination[]
    readonly backlog: readonly Backlog[]
    readonly nowMs: number
    readonly next: string
  },
  promProblem: string | null,
): Finding {
  const late = backlog.filter(({ sinceMs, problem }) => problem !== null && nowMs - sinceMs > LONGEST_WAIT_MS)
  const troubles = late.flatMap((one) => {
    const destination = destinations.find(({ key }) => key === one.destination)
    return destination ? [`${waitingLine(destination, one)} (for ${formatDuration(nowMs - one.sinceMs)})`] : []
  })
  if (promProblem !== null) troubles.push(promProblem)
  if (troubles.length === 0) return { verdict: 'ok', message: 'all alerts are delivered', next: null }
  return { verdict: 'wrong', message: troubles.join('; '), next }
}
