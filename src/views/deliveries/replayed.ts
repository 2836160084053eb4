import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import type { JsonObject } from '../../json/exact.ts'
import type { Cell } from '../../render/text/tone.ts'
import type { ListView } from '../../render/view.ts'
import { textAt } from '../wording.ts'

/** Deliveries of a journal that are sent again: `{line, time, event, subject, status, error, ms}`. Times are UTC. */
export const replayedList: ListView = {
  isLive: true,
  columns: [
    { path: 'line', header: 'LINE', align: 'right', room: 5, rank: 1 },
    { path: 'time', header: 'CAME AT (UTC)', cell: (one) => secondsOf(textAt(one, 'time')), rank: 4 },
    { path: 'event', header: 'EVENT', room: Math.max(...WEBHOOK_EVENTS.map((event) => event.length)), rank: 3 },
    { path: 'subject', header: 'SUBJECT', room: 'GIFT1-00000100-AAAA'.length, rank: 2 },
    { path: 'status', header: 'ANSWER', cell: answerCell, rank: 2 },
    { path: 'ms', header: 'MS', align: 'right', room: 4, rank: 5 },
  ],
  csvPaths: ['line', 'time', 'event', 'subject', 'status', 'error', 'ms'],
  empty: 'No delivery of the journal was chosen.',
  one: 'delivery',
  many: 'deliveries',
}

/** A time in UTC as `2026-11-20 13:22:27`. */
function secondsOf(time: string): string {
  return time.slice(0, 'yyyy-mm-ddThh:mm:ss'.length).replace('T', ' ')
}

function answerCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  const text = status || textAt(one, 'error')
  return text === '' ? '' : { text, tone: /^2/.test(status) ? 'good' : 'bad' }
}
