import { formatDuration } from '../../base/time/duration.ts'
import type { Alert } from '../../monitor/alerts/alert.ts'
import type { DeliveryNews } from '../../monitor/alerts/courier.ts'
import type { Destination } from '../../monitor/alerts/destination.ts'
import type { CheckKey } from '../../monitor/state/state-store.ts'
import { counted } from '../shared/views/wording.ts'

/** Formats a change as a line for stderr. `isOneOfMany` means that the line names the venue. */
export function changeLine(alert: Alert, isOneOfMany: boolean): string {
  const { at, since, change, message, next } = alert
  const time = `${at.slice(0, 'yyyy-MM-ddTHH:mm:ss'.length)}Z`
  const name = checkName({ name: alert.check, profile: alert.profile }, isOneOfMany)
  const lasted = formatDuration(Math.max(0, Date.parse(at) - Date.parse(since)))
  const step = next === null ? '' : `; next: ${next}`
  if (change === 'ended') return `${time} ${name} recovered after ${lasted}: ${message}`
  const state = message.startsWith('cannot be checked') ? '' : change === 'reminder' ? ' is still wrong' : ' is wrong'
  return `${time} ${name}${state}${change === 'reminder' ? ` after ${lasted}` : ''}: ${message}${step}`
}

/** Returns the name of a check for messages, with its venue if there are several. */
export function checkName({ name, profile }: CheckKey, isOneOfMany: boolean): string {
  return isOneOfMany && profile !== null ? `${profile}: ${name}` : name
}

/** Describes the failure of an alert's first delivery attempt, or the success of a later one. */
export function deliveryLine({ destination, alert, problem, attempts }: DeliveryNews): string {
  const what = `the alert about ${alert.check}`
  if (problem === null) return `${destination.name} accepted ${what} on attempt ${attempts}`
  return `warning: ${destination.name} did not accept ${what}: ${problem}; retrying`
}

/** Describes the alerts that are queued for a destination. */
export function waitingLine(
  { name }: Pick<Destination, 'name'>,
  { count, problem }: { readonly count: number; readonly problem: string | null },
): string {
  const why = problem === null ? '' : `: ${problem}`
  return `${counted(count, 'alert waits', 'alerts wait')} for ${name}${why}`
}
