import type { JsonObject } from '../../../base/json/exact.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { ListView } from '../../../terminal/render/view.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { textAt } from '../../shared/views/wording.ts'
import { EVENT_WIDTH, SUBJECT_WIDTH } from './columns.ts'

/** Deliveries of a journal that are sent again: `{line, time, event, subject, status, error, ms}`. Times are UTC. */
export const replayedList: ListView = {
  isLive: true,
  columns: [
    { path: 'line', header: 'LINE', align: 'right', room: 4, rank: 1 },
    { path: 'time', header: 'CAME AT (UTC)', cell: (one) => utcSeconds(textAt(one, 'time')), rank: 4 },
    { path: 'event', header: 'EVENT', room: EVENT_WIDTH, rank: 3 },
    { path: 'subject', header: 'SUBJECT', room: SUBJECT_WIDTH, rank: 2 },
    { path: 'status', header: 'ANSWER', cell: answerCell, rank: 2 },
    { path: 'ms', header: 'MS', align: 'right', room: 4, rank: 5 },
  ],
  csvPaths: ['line', 'time', 'event', 'subject', 'status', 'error', 'ms'],
  empty: 'No delivery of the journal was chosen.',
  one: 'delivery',
  many: 'deliveries',
}

function answerCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  const text = status || textAt(one, 'error')
  return text === '' ? '' : { text, tone: /^2/.test(status) ? 'good' : 'bad' }
}
