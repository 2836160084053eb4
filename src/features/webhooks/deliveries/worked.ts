import { type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ListView } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'
import { EVENT_WIDTH, SUBJECT_WIDTH } from './columns.ts'

const TONES: Readonly<Record<string, Tone>> = { done: 'good', again: 'good', retry: 'warn', dead: 'bad', lost: 'bad' }

/**
 * Events of an inbox as they are handled: `{id, event, subject, locationId, receivedAt, times, attempt, outcome, ms, error, nextAt}`.
 * Times are UTC.
 */
export const workedList: ListView = {
  isLive: true,
  columns: [
    { path: 'id', header: 'ID', align: 'right', room: 6, rank: 3 },
    { path: 'event', header: 'EVENT', room: EVENT_WIDTH, rank: 2 },
    { path: 'subject', header: 'SUBJECT', room: SUBJECT_WIDTH, rank: 1 },
    {
      path: 'outcome',
      header: 'OUTCOME',
      room: 'OUTCOME'.length,
      cell: (one) => toned(textAt(one, 'outcome'), TONES),
      rank: 2,
    },
    { path: 'attempt', header: 'ATTEMPT', align: 'right', rank: 5 },
    { path: 'ms', header: 'MS', align: 'right', room: 6, rank: 6 },
    { path: 'error', header: 'ERROR', room: 'exit code 127'.length, flex: 20, rank: 7 },
  ],
  csvPaths: [
    'id',
    'event',
    'subject',
    'locationId',
    'receivedAt',
    'times',
    'attempt',
    'outcome',
    'ms',
    'error',
    'nextAt',
  ],
  empty: 'No event was due.',
  one: 'event',
  many: 'events',
}
