import type { JsonObject } from '../../json/exact.ts'
import type { Cell, Tone } from '../../render/text/tone.ts'
import type { ListView } from '../../render/view.ts'
import { textAt } from '../wording.ts'

const TONES: Readonly<Record<string, Tone>> = { done: 'dim', leased: 'good', dead: 'bad' }

/**
 * Rows of an inbox: `{id, state, event, subject, locationId, receivedAt, lastReceivedAt, times, verdict, attempts, lastError, nextAt,
 * worker, leaseUntil, doneAt}`. Times are UTC.
 */
export const inboxList: ListView = {
  columns: [
    { path: 'id', header: 'ID', align: 'right', rank: 1 },
    { path: 'state', header: 'STATE', cell: stateCell, rank: 2 },
    { path: 'event', header: 'EVENT', rank: 4 },
    { path: 'subject', header: 'SUBJECT', rank: 3 },
    { path: 'receivedAt', header: 'RECEIVED (UTC)', cell: (one) => secondsOf(textAt(one, 'receivedAt')), rank: 6 },
    { path: 'times', header: 'TIMES', align: 'right', rank: 9 },
    { path: 'attempts', header: 'ATTEMPTS', align: 'right', rank: 7 },
    { path: 'nextAt', header: 'NEXT (UTC)', cell: nextCell, rank: 10, optional: true },
    { path: 'worker', header: 'WORKER', flex: 12, rank: 11, optional: true },
    { path: 'lastError', header: 'LAST ERROR', flex: 'LAST ERROR'.length, rank: 5, optional: true },
  ],
  csvPaths: [
    ...[
      'id',
      'state',
      'event',
      'subject',
      'locationId',
      'receivedAt',
      'lastReceivedAt',
      'times',
      'verdict',
      'attempts',
    ],
    ...['lastError', 'nextAt', 'worker', 'leaseUntil', 'doneAt'],
  ],
  empty: 'The inbox has no such event.',
  one: 'event',
  many: 'events',
}

function stateCell(one: JsonObject): Cell {
  const state = textAt(one, 'state')
  const tone = TONES[state]
  return tone ? { text: state, tone } : state
}

/** When the next attempt is; the first comes as soon as a worker has time. */
function nextCell(one: JsonObject): string {
  return textAt(one, 'attempts') === '0' ? '' : secondsOf(textAt(one, 'nextAt'))
}

/** A time in UTC as `2026-11-20 13:22:27`. */
function secondsOf(time: string): string {
  return time.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ')
}
