import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { ListView } from '../../../terminal/render/view.ts'
import { counted, joined, money, textAt } from '../../shared/views/wording.ts'
import { EVENT_WIDTH, SUBJECT_WIDTH } from './columns.ts'

const VERDICT_TONES: Readonly<Record<string, Tone>> = { duplicate: 'dim', stale: 'warn' }

/**
 * Deliveries as they come: `{time, verdict, status, ms, event, subject, locationId, delivery, fetched}`. Times are UTC; `fetched` is
 * the booking or card as it is now.
 */
export const receivedList: ListView = {
  isLive: true,
  columns: [
    { path: 'time', header: 'TIME (UTC)', cell: (one) => clockOf(textAt(one, 'time')), rank: 3 },
    { path: 'event', header: 'EVENT', room: EVENT_WIDTH, rank: 2 },
    { path: 'subject', header: 'SUBJECT', room: SUBJECT_WIDTH, rank: 1 },
    {
      path: 'verdict',
      header: 'VERDICT',
      room: 'duplicate'.length,
      cell: (one) => toned(textAt(one, 'verdict'), VERDICT_TONES),
      rank: 4,
    },
    { path: 'status', header: 'ANSWER', cell: statusCell, rank: 5 },
    { path: 'ms', header: 'MS', align: 'right', room: 4, rank: 6 },
    { path: 'fetched', header: 'NOW', cell: fetchedText, flex: 20, rank: 7, optional: true },
  ],
  csvPaths: ['time', 'event', 'subject', 'locationId', 'verdict', 'status', 'ms'],
  empty: 'No delivery came.',
  one: 'delivery',
  many: 'deliveries',
}

function clockOf(time: string): string {
  return time.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)
}

function statusCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  return { text: status, tone: /^2/.test(status) ? 'good' : 'bad' }
}

/** What a booking or a card is now, in a few words. */
function fetchedText({ fetched }: JsonObject): string {
  if (!isJsonObject(fetched)) return ''
  const left = money(fetched['remainingAmount'])
  if (left !== '') return joined([textAt(fetched, 'status'), `${left} left`], ', ')
  const when = textAt(fetched, 'bookingTime').replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm'.length)
  return joined([textAt(fetched, 'status.name'), when, counted(fetched['people'], 'guest', 'guests')], ', ')
}
