import { toWireTime } from '../../time/instant.ts'
import type { Resource } from '../resources.ts'
import type { RunResult } from './run.ts'

/** What a run did, in a line: `bookings: 3 new, 1 changed, 0 unchanged; window … to …; 1 request`. */
export function summaryLine({ name }: Resource, { added, changed, unchanged, range, requests }: RunResult): string {
  const counts = `${added} new, ${changed} changed, ${unchanged} unchanged`
  const window = range ? `window ${toWireTime(range.fromMs)} to ${toWireTime(range.toMs)}` : 'everything read'
  return `${name}: ${counts}; ${window}; ${requests} ${requests === 1 ? 'request' : 'requests'}`
}
