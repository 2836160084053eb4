import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { isJsonObject, type JsonObject } from '../../json/exact.ts'
import type { Cell, Tone } from '../../render/text/tone.ts'
import type { ListView } from '../../render/view.ts'
import { counted, joined, money, textAt } from '../wording.ts'

const VERDICT_TONES: Readonly<Record<string, Tone>> = { duplicate: 'dim', stale: 'warn' }

/** As wide as any card number. */
const SUBJECT_WIDTH = 'GIFT1-00000100-AAAA'.length

/**
 * Deliveries as they come: `{time, verdict, status, ms, event, subject, locationId, delivery, fetched}`. Times are UTC; `fetched` is
 * the booking or card as it is now.
 */
export const receivedList: ListView = {
  isLive: true,
  columns: [
    { path: 'time', header: 'TIME (UTC)', cell: (one) => clockOf(textAt(one, 'time')), rank: 3 },
    { path: 'event', header: 'EVENT', room: Math.max(...WEBHOOK_EVENTS.map((event) => event.length)), rank: 2 },
    { path: 'subject', header: 'SUBJECT', room: SUBJECT_WIDTH, rank: 1 },
    { path: 'verdict', header: 'VERDICT', room: 'duplicate'.length, cell: verdictCell, rank: 4 },
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

function verdictCell(one: JsonObject): Cell {
  const verdict = textAt(one, 'verdict')
  const tone = VERDICT_TONES[verdict]
  return tone ? { text: verdict, tone } : verdict
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
