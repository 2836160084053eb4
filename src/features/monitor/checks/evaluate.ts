import { Failure, messageOf } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import { hideSecrets } from '../../../base/redaction/redaction.ts'
import { formatDuration } from '../../../base/time/duration.ts'
import type { CheckEntry } from '../../../monitor/file/monitor-file.ts'
import type { Finding } from '../../../monitor/state/machine.ts'
import { withoutSuspects } from '../../../terminal/render/text/safe-text.ts'
import { checkBooks, checkDrift, checkGaps } from './comparisons.ts'
import { type CheckContext, unknown } from './context.ts'
import type { Doctors } from './doctor.ts'
import { checkCommand, checkDisk } from './machine.ts'
import { checkCopy, checkEvents, checkOperations } from './records.ts'
import { failureLine } from './run-command.ts'

const LONGEST_MESSAGE = 1000

/**
 * Evaluates a check for one venue, within the check's time limit. A check that cannot be evaluated is `unknown`. If the
 * context's signal aborts, throws its reason.
 */
export async function evaluate(check: CheckEntry, context: CheckContext, doctors: Doctors): Promise<Finding> {
  const { timeoutMs } = check
  // Use a separate controller, because listeners on a combined signal would stay in memory as long as the monitor runs.
  const ending = new AbortController()
  const stop = () => ending.abort(context.signal.reason)
  if (context.signal.aborted) stop()
  context.signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => ending.abort(new Interrupted('its time limit')), timeoutMs)
  const { signal } = ending
  try {
    const work = lookAt(check, { ...context, signal }, doctors)
    // An evaluation that ignores the signal must not block the monitor.
    work.catch(() => {})
    return clean(await Promise.race([work, aborted(signal)]), context)
  } catch (error) {
    context.signal.throwIfAborted()
    if (signal.aborted) return unknown(`it did not finish within ${formatDuration(timeoutMs)}`, null)
    return clean(unknown(error instanceof Failure ? failureLine(error) : messageOf(error), null), context)
  } finally {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', stop)
  }
}

async function lookAt(check: CheckEntry, context: CheckContext, doctors: Doctors): Promise<Finding> {
  const { what } = check
  switch (what.kind) {
    case 'doctor':
      return doctors.check(what, context)
    case 'copy':
      return checkCopy(what, context)
    case 'operations':
      return checkOperations(what, context)
    case 'events':
      return checkEvents(what, context)
    case 'gaps':
      return checkGaps(what, context)
    case 'drift':
      return checkDrift(what, context)
    case 'books':
      return checkBooks(what, context)
    case 'disk':
      return checkDisk(what, context)
    case 'command':
      return checkCommand(what, context)
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/** Hides secrets in a finding, makes it one line of plain text, and limits its length. */
function clean({ verdict, message, next }: Finding, { host }: CheckContext): Finding {
  const cleanText = (text: string) => hideSecrets(withoutSuspects(text.replace(/\s+/g, ' ')), host.stderr.hidden)
  const text = cleanText(message)
  const short = text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE)}…`
  return { verdict, message: short, next: next === null ? null : cleanText(next) }
}
