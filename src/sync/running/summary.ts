import { toWireTime } from '../../time/instant.ts'
import type { Resource } from '../resources.ts'
import type { RunResult } from './run.ts'

/** What a run did, in a line: `bookings: 3 new, 1 changed, 0 unchanged; window … to …; 1 request`. */
export function summaryLine(
  { name }: Resource,
  { added, changed, unchanged, notStored, range, requests }: RunResult,
): string {
  const left = notStored.length === 0 ? '' : `, ${notStored.length} not stored`
  const counts = `${added} new, ${changed} changed, ${unchanged} unchanged${left}`
  const window = range ? `window ${toWireTime(range.fromMs)} to ${toWireTime(range.toMs)}` : 'everything read'
  return `${name}: ${counts}; ${window}; ${requests} ${requests === 1 ? 'request' : 'requests'}`
}
