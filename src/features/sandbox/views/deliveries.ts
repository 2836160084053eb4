import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { utcSeconds } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { textAt } from '../../shared/views/wording.ts'
import { momentAt, SANDBOX_TIMES } from './row.ts'

const STATE_TONES: Readonly<Record<string, Tone>> = {
  pending: 'warn',
  delivered: 'good',
  failed: 'bad',
  dropped: 'dim',
}

const stateCell = (one: JsonObject): Cell => toned(textAt(one, 'state'), STATE_TONES)
const NO_DELIVERIES = 'No deliveries: there have been no webhook subscriptions yet.'

export const deliveryViews: Views = {
  card: {
    title: (one) => [{ text: `Delivery ${textAt(one, 'id')}`, tone: 'strong' }, textAt(one, 'event'), stateCell(one)],
    sections: [
      ...onlyFields([
        { label: 'Subject', paths: ['subject', 'id', 'event', 'state'] },
        { label: 'Created', paths: ['created'], cell: (one) => momentAt(one, 'created') },
        { label: 'Next attempt', paths: ['due'], cell: (one) => momentAt(one, 'due') },
        { label: 'Attempts', paths: [], cell: (one) => (attemptsOf(one).length === 0 ? 'none yet' : '') },
      ]),
      {
        heading: 'Attempts',
        path: 'attempts',
        covers: ['delivered', 'status', 'error'],
        columns: [
          { path: 'at', header: 'AT (UTC)', cell: (attempt) => utcSeconds(textAt(attempt, 'at')) },
          { path: 'status', header: 'RESPONSE', cell: answerCell },
          { path: 'ms', header: 'MS', align: 'right' },
        ],
      },
    ],
  },
  list: listOf('delivery', 'deliveries', NO_DELIVERIES, {
    columns: [
      { path: 'id', header: 'ID', align: 'right', rank: 1 },
      { path: 'event', header: 'EVENT', rank: 3 },
      { path: 'subject', header: 'SUBJECT', rank: 5 },
      { path: 'state', header: 'STATE', cell: stateCell, rank: 2 },
      { path: 'attempts', header: 'RESPONSES', cell: answersText, flex: 12, rank: 4 },
      { path: 'due', header: 'NEXT ATTEMPT', cell: (one) => utcSeconds(textAt(one, 'due')), rank: 6, optional: true },
      { path: 'created', header: 'CREATED', cell: (one) => utcSeconds(textAt(one, 'created')), rank: 7 },
    ],
    csvPaths: pathsIn('id event subject state created due attempts'),
    footnote: () => SANDBOX_TIMES,
  }),
}

function attemptsOf(one: JsonObject): readonly JsonObject[] {
  const { attempts } = one
  return Array.isArray(attempts) ? attempts.filter(isJsonObject) : []
}

function answersText(one: JsonObject): string {
  return attemptsOf(one).map(answerText).join(', ')
}

function answerText(attempt: JsonObject): string {
  return textAt(attempt, 'status') || textAt(attempt, 'error')
}

function answerCell(attempt: JsonObject): Cell {
  return { text: answerText(attempt), tone: attempt['delivered'] === true ? 'good' : 'bad' }
}
