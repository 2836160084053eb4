import type { JsonObject } from '../../../base/json/exact.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { Column, ListView } from '../../../terminal/render/view.ts'
import { textAt } from '../../shared/views/wording.ts'

const EVENT: Column = { path: 'event', header: 'EVENT', rank: 1 }
const ACTION: Column = { path: 'action', header: 'ACTION', cell: action, rank: 2 }

const SHARED = {
  csvPaths: ['event', 'action', 'presentUrl', 'webhookUrl', 'credentials', 'outcome', 'status', 'message', 'hint'],
  one: 'subscription',
  many: 'subscriptions',
} as const

/** What is to be done about each event: a row of a plan, with the outcome `planned`. */
export const plannedChangesList: ListView = {
  ...SHARED,
  columns: [
    EVENT,
    ACTION,
    { path: 'presentUrl', header: 'URL NOW', cell: (row) => textAt(row, 'presentUrl') || '–', flex: 24, rank: 6 },
    { path: 'webhookUrl', header: 'URL THEN', cell: urlThen, flex: 28, rank: 3 },
    { path: 'credentials', header: 'CREDENTIALS', rank: 4 },
    { path: 'message', header: 'NOTE', flex: 20, rank: 5, optional: true },
  ],
  empty: 'The file lists no subscriptions.',
}

/** What became of each change. */
export const madeChangesList: ListView = {
  ...SHARED,
  columns: [
    EVENT,
    ACTION,
    { path: 'outcome', header: 'OUTCOME', cell: outcome, rank: 3 },
    { path: 'status', header: 'STATUS', align: 'right', rank: 5, optional: true },
    { path: 'message', header: 'MESSAGE', flex: 20, rank: 4, optional: true },
  ],
  empty: 'No changes.',
  one: 'change',
  many: 'changes',
}

function action(row: JsonObject): Cell {
  const text = textAt(row, 'action')
  return { text, tone: text === 'unchanged' ? 'dim' : text === 'delete' ? 'bad' : 'strong' }
}

function urlThen(row: JsonObject): Cell {
  const [now, then] = [textAt(row, 'presentUrl'), textAt(row, 'webhookUrl')]
  if (then === '') return '–'
  return now === then ? { text: 'the same', tone: 'dim' } : then
}

function outcome(row: JsonObject): Cell {
  const text = textAt(row, 'outcome')
  return { text, tone: text === 'done' ? 'good' : text === 'failed' ? 'bad' : 'warn' }
}
