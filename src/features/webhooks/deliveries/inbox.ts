import type { JsonObject } from '../../../base/json/exact.ts'
import { type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ListView } from '../../../terminal/render/view.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { textAt } from '../../shared/views/wording.ts'

const TONES: Readonly<Record<string, Tone>> = { done: 'dim', leased: 'good', dead: 'bad' }

/**
 * Rows of an inbox: `{id, state, event, subject, locationId, receivedAt, lastReceivedAt, times, verdict, attempts, lastError, nextAt,
 * worker, leaseUntil, doneAt}`. Times are UTC.
 */
export const inboxList: ListView = {
  columns: [
    { path: 'id', header: 'ID', align: 'right', rank: 1 },
    { path: 'state', header: 'STATE', cell: (one) => toned(textAt(one, 'state'), TONES), rank: 2 },
    { path: 'event', header: 'EVENT', rank: 4 },
    { path: 'subject', header: 'SUBJECT', rank: 3 },
    { path: 'receivedAt', header: 'RECEIVED (UTC)', cell: (one) => utcSeconds(textAt(one, 'receivedAt')), rank: 6 },
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
  empty: 'No events in the inbox.',
  one: 'event',
  many: 'events',
}

/** When the next attempt is; the first comes as soon as a worker has time. */
function nextCell(one: JsonObject): string {
  return textAt(one, 'attempts') === '0' ? '' : utcSeconds(textAt(one, 'nextAt'))
}
