import { formatCount } from '../../base/counted.ts'
import { toWireTime } from '../../base/time/instant.ts'
import type { Resource } from '../resources.ts'
import type { RunResult } from './run.ts'
import type { Cause } from './wakes.ts'
import { FIRST_CHANGE_MS } from './windows.ts'

/**
 * Returns a run's summary, such as `bookings: 3 new, 1 changed, 0 unchanged; window … to …; 1 request; woken by 1
 * event`.
 */
export function summaryLine({ name }: Resource, result: RunResult, cause: Cause | null) {
  const { added, changed, unchanged, notStored, range, requests } = result
  const left = notStored.length === 0 ? '' : `, ${notStored.length} not stored`
  const counts = `${added} new, ${changed} changed, ${unchanged} unchanged${left}`
  return `${name}: ${counts}; ${windowText(range)}; ${formatCount(requests, 'request')}${causeText(cause)}`
}

function causeText(cause: Cause | null): string {
  if (cause === null || cause.why === 'time') return ''
  return `; ${cause.why === 'again' ? 'checked again after' : 'woken by'} ${formatCount(cause.events, 'event')}`
}

function windowText(range: RunResult['range']): string {
  if (range === null) return 'everything read'
  // Omit the default start, which means nothing to the user.
  if (range.fromMs === FIRST_CHANGE_MS) return `everything until ${toWireTime(range.toMs)}`
  return `window ${toWireTime(range.fromMs)} to ${toWireTime(range.toMs)}`
}

/** Returns a run's counts. The caller adds up the counts of all venues. */
export function summaryCounts({ added, changed, unchanged, notStored, requests }: RunResult): Record<string, number> {
  const left = notStored.length === 0 ? {} : { 'not stored': notStored.length }
  return { new: added, changed, unchanged, ...left, requests }
}
