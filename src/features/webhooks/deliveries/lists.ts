import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { CardView, Column } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { counted, joined, money, textAt } from '../../shared/views/wording.ts'

/** The length, in characters, of the longest event name. */
export const EVENT_WIDTH = Math.max(...WEBHOOK_EVENTS.map((event) => event.length))

// Columns for lists that are printed row by row. The first rows determine the widths, so the columns reserve room for
// the longest event name and for a card number.
const EVENT: Column = { path: 'event', header: 'EVENT', minWidth: EVENT_WIDTH, rank: 2 }
const SUBJECT: Column = { path: 'subject', header: 'SUBJECT', minWidth: 'GIFT1-00000100-AAAA'.length, rank: 1 }

type Tones = Readonly<Record<string, Tone>>

function tonedAt(path: string, tones: Tones): (one: JsonObject) => Cell {
  return (one) => toned(textAt(one, path), tones)
}

const VERDICT_TONES: Tones = { duplicate: 'dim', stale: 'warn' }

export const receivedList = listOf('delivery', 'deliveries', 'No deliveries were received.', {
  isLive: true,
  columns: [
    { path: 'time', header: 'TIME (UTC)', cell: (one) => clockOf(textAt(one, 'time')), rank: 3 },
    EVENT,
    SUBJECT,
    {
      path: 'verdict',
      header: 'VERDICT',
      minWidth: 'duplicate'.length,
      cell: tonedAt('verdict', VERDICT_TONES),
      rank: 4,
    },
    { path: 'status', header: 'ANSWER', cell: statusCell, rank: 5 },
    { path: 'ms', header: 'MS', align: 'right', minWidth: 4, rank: 6 },
    { path: 'fetched', header: 'NOW', cell: fetchedText, flex: 20, rank: 7, optional: true },
  ],
  csvPaths: ['time', 'event', 'subject', 'locationId', 'verdict', 'status', 'ms'],
})

function clockOf(time: string): string {
  return time.slice('yyyy-mm-ddT'.length, 'yyyy-mm-ddThh:mm:ss'.length)
}

function statusCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  return { text: status, tone: /^2/.test(status) ? 'good' : 'bad' }
}

function fetchedText({ fetched }: JsonObject): string {
  if (!isJsonObject(fetched)) return ''
  const left = money(fetched['remainingAmount'])
  if (left !== '') return joined([textAt(fetched, 'status'), `${left} left`], ', ')
  const when = textAt(fetched, 'bookingTime').replace('T', ' ').slice(0, 'yyyy-mm-dd hh:mm'.length)
  return joined([textAt(fetched, 'status.name'), when, counted(fetched['people'], 'guest', 'guests')], ', ')
}

export const replayedList = listOf('delivery', 'deliveries', 'No delivery in the journal matches.', {
  isLive: true,
  columns: [
    { path: 'line', header: 'LINE', align: 'right', minWidth: 4, rank: 1 },
    { path: 'time', header: 'RECEIVED (UTC)', cell: (one) => utcSeconds(textAt(one, 'time')), rank: 4 },
    { ...EVENT, rank: 3 },
    { ...SUBJECT, rank: 2 },
    { path: 'status', header: 'ANSWER', cell: answerCell, rank: 2 },
    { path: 'ms', header: 'MS', align: 'right', minWidth: 4, rank: 5 },
  ],
  csvPaths: ['line', 'time', 'event', 'subject', 'status', 'error', 'ms'],
})

function answerCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  const text = status || textAt(one, 'error')
  return text === '' ? '' : { text, tone: /^2/.test(status) ? 'good' : 'bad' }
}

const OUTCOME_TONES: Tones = { done: 'good', again: 'good', retry: 'warn', dead: 'bad', lost: 'bad' }

export const workedList = listOf('event', 'events', 'No event was due.', {
  isLive: true,
  columns: [
    { path: 'id', header: 'ID', align: 'right', minWidth: 6, rank: 3 },
    EVENT,
    SUBJECT,
    {
      path: 'outcome',
      header: 'OUTCOME',
      minWidth: 'OUTCOME'.length,
      cell: tonedAt('outcome', OUTCOME_TONES),
      rank: 2,
    },
    { path: 'attempt', header: 'ATTEMPT', align: 'right', rank: 5 },
    { path: 'ms', header: 'MS', align: 'right', minWidth: 6, rank: 6 },
    { path: 'error', header: 'ERROR', minWidth: 'exit code 127'.length, flex: 20, rank: 7 },
  ],
  csvPaths: [
    ...['id', 'event', 'subject', 'locationId', 'receivedAt', 'times', 'attempt'],
    ...['outcome', 'ms', 'error', 'nextAt'],
  ],
})

const STATE_TONES: Tones = { done: 'dim', leased: 'good', dead: 'bad' }

export const inboxList = listOf('event', 'events', 'No events in the inbox.', {
  columns: [
    { path: 'id', header: 'ID', align: 'right', rank: 1 },
    { path: 'state', header: 'STATE', cell: tonedAt('state', STATE_TONES), rank: 2 },
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
    ...['id', 'state', 'event', 'subject', 'locationId', 'receivedAt', 'lastReceivedAt', 'times', 'verdict'],
    ...['attempts', 'lastError', 'nextAt', 'worker', 'leaseUntil', 'doneAt'],
  ],
})

/** Formats the time of an event's next attempt. Returns '' before the first attempt, which has no fixed time. */
function nextCell(one: JsonObject): string {
  return textAt(one, 'attempts') === '0' ? '' : utcSeconds(textAt(one, 'nextAt'))
}

export const triggeredCard: CardView = {
  title: (one) => [{ text: textAt(one, 'event'), tone: 'strong' }, textAt(one, 'subject'), statusCell(one)],
  sections: onlyFields([
    { label: 'Sent to', paths: ['url', 'event', 'subject'] },
    {
      label: 'Answered',
      paths: ['status', 'ms'],
      cell: (one) => `${textAt(one, 'status')} in ${textAt(one, 'ms')} ms`,
    },
  ]),
}

export const triggeredList = listOf('delivery', 'deliveries', 'Nothing was sent.', {
  columns: [
    { path: 'event', header: 'EVENT', rank: 2 },
    { path: 'subject', header: 'SUBJECT', rank: 3 },
    { path: 'url', header: 'URL', flex: 24, rank: 5 },
    { path: 'status', header: 'STATUS', align: 'right', cell: statusCell, rank: 1 },
    { path: 'ms', header: 'MS', align: 'right', rank: 4 },
  ],
})
