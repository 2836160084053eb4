import type { JsonObject } from '../../../base/json/exact.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { CardView, ListView } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'

/** A delivery that was made by hand, and its answer: `{event, subject, url, status, ms}`. */
export const triggeredCard: CardView = {
  title: (one) => [{ text: textAt(one, 'event'), tone: 'strong' }, textAt(one, 'subject'), statusCell(one)],
  sections: [
    {
      heading: null,
      fields: [
        { label: 'Sent to', paths: ['url', 'event', 'subject'] },
        { label: 'Answered', paths: ['status', 'ms'], cell: answeredText },
      ],
    },
  ],
}

/** The same, as a row. */
export const triggeredList: ListView = {
  columns: [
    { path: 'event', header: 'EVENT', rank: 2 },
    { path: 'subject', header: 'SUBJECT', rank: 3 },
    { path: 'url', header: 'URL', flex: 24, rank: 5 },
    { path: 'status', header: 'STATUS', align: 'right', cell: statusCell, rank: 1 },
    { path: 'ms', header: 'MS', align: 'right', rank: 4 },
  ],
  csvPaths: ['event', 'subject', 'url', 'status', 'ms'],
  empty: 'Nothing was sent.',
  one: 'delivery',
  many: 'deliveries',
}

function statusCell(one: JsonObject): Cell {
  const status = textAt(one, 'status')
  return { text: status, tone: /^2\d\d$/.test(status) ? 'good' : 'bad' }
}

function answeredText(one: JsonObject): string {
  return `${textAt(one, 'status')} in ${textAt(one, 'ms')} ms`
}
