import type { JsonObject } from '../../base/json/exact.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { CardView, Column, ListView } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { textAt } from '../shared/views/wording.ts'

/** Source: "Webhook subscription"; `authenticationEnabled` is assumed. */
export const webhookList: ListView = {
  columns: [
    { path: 'event', header: 'EVENT', rank: 1 },
    { path: 'webhookUrl', header: 'URL', flex: 24, rank: 2 },
    { path: 'authenticationEnabled', header: 'CREDENTIALS', cell: credentials, rank: 3, optional: true },
    { path: 'errorMessage', header: 'ERROR', flex: 12, cell: errorOf, rank: 4, optional: true },
    { path: 'locationId', header: 'LOCATION ID', rank: 5 },
  ],
  csvPaths: ['event', 'webhookUrl', 'locationId', 'authenticationEnabled', 'errorMessage'],
  empty: 'No subscriptions. Subscribe with: partner webhooks create EVENT URL',
  one: 'subscription',
  many: 'subscriptions',
  get card() {
    return webhookCard
  },
}

/** A subscription: read, created or updated. */
export const webhookCard: CardView = {
  title: (one) => [{ text: textAt(one, 'event') || 'Subscription', tone: 'strong' }, errorOf(one)],
  sections: onlyFields([
    { label: 'URL', paths: ['webhookUrl', 'event'], blank: 'not given' },
    { label: 'Credentials', paths: ['authenticationEnabled'], cell: credentials },
    { label: 'Location ID', paths: ['locationId'] },
    { label: 'Error', paths: ['errorMessage'], cell: errorOf },
  ]),
}

/** The response to deleting a subscription; `{event, deleted}` if it is empty. */
export const deletedWebhookCard: CardView = {
  title: (one) => [
    { text: ['Deleted the subscription', textAt(one, 'event')].filter(Boolean).join(' for '), tone: 'good' },
  ],
  sections: onlyFields([
    { label: '', paths: ['event', 'deleted'], cell: () => '' },
    { label: 'Location ID', paths: ['locationId'] },
  ]),
}

/** The same, as a row. */
export const deletedWebhookList: ListView = {
  columns: [
    { path: 'event', header: 'EVENT' },
    { path: 'deleted', header: 'DELETED' },
  ],
  csvPaths: ['event', 'deleted', 'locationId'],
  empty: 'Nothing was deleted.',
  one: 'subscription',
  many: 'subscriptions',
}

function credentials(one: JsonObject): string {
  if (one['authenticationEnabled'] === true) return 'sent'
  return one['authenticationEnabled'] === false ? 'none' : textAt(one, 'authenticationEnabled')
}

function errorOf(one: JsonObject): Cell {
  const text = textAt(one, 'errorMessage')
  return text === '' ? '' : { text, tone: 'bad' }
}

const EVENT: Column = { path: 'event', header: 'EVENT', rank: 1 }
const ACTION: Column = { path: 'action', header: 'ACTION', cell: action, rank: 2 }

const SHARED = {
  csvPaths: ['event', 'action', 'presentUrl', 'webhookUrl', 'credentials', 'outcome', 'status', 'message', 'hint'],
  one: 'subscription',
  many: 'subscriptions',
} as const

/** Rows of a plan, with the outcome `planned`. */
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

/** The results of changes. */
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
