import type { JsonObject } from '../../base/json/exact.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { CardView, Column } from '../../terminal/render/view.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { textAt } from '../shared/views/wording.ts'

export const webhookCard: CardView = {
  title: (one) => [{ text: textAt(one, 'event') || 'Subscription', tone: 'strong' }, errorOf(one)],
  sections: onlyFields([
    { label: 'URL', paths: ['webhookUrl', 'event'], blank: 'not given' },
    { label: 'Credentials', paths: ['authenticationEnabled'], cell: credentials },
    { label: 'Location ID', paths: ['locationId'] },
    { label: 'Error', paths: ['errorMessage'], cell: errorOf },
  ]),
}

const NO_SUBSCRIPTIONS = 'No subscriptions. Subscribe with: partner webhooks create EVENT URL'
/** Lists webhook subscriptions. Source: "Webhook subscription"; the member `authenticationEnabled` is assumed. */
export const webhookList = listOf('subscription', 'subscriptions', NO_SUBSCRIPTIONS, {
  columns: [
    { path: 'event', header: 'EVENT', rank: 1 },
    { path: 'webhookUrl', header: 'URL', flex: 24, rank: 2 },
    { path: 'authenticationEnabled', header: 'CREDENTIALS', cell: credentials, rank: 3, optional: true },
    { path: 'errorMessage', header: 'ERROR', flex: 12, cell: errorOf, rank: 4, optional: true },
    { path: 'locationId', header: 'LOCATION ID', rank: 5 },
  ],
  csvPaths: ['event', 'webhookUrl', 'locationId', 'authenticationEnabled', 'errorMessage'],
  card: webhookCard,
})

/** Shows the response to deleting a subscription. If the response is empty, shows `{event, deleted}` instead. */
export const deletedWebhookCard: CardView = {
  title: (one) => [
    { text: ['Deleted the subscription', textAt(one, 'event')].filter(Boolean).join(' for '), tone: 'good' },
  ],
  sections: onlyFields([
    { label: '', paths: ['event', 'deleted'], cell: () => '' },
    { label: 'Location ID', paths: ['locationId'] },
  ]),
}

export const deletedWebhookList = listOf('subscription', 'subscriptions', 'Nothing was deleted.', {
  columns: [
    { path: 'event', header: 'EVENT' },
    { path: 'deleted', header: 'DELETED' },
  ],
  csvPaths: ['event', 'deleted', 'locationId'],
})

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

const CHANGE_PATHS = [
  'event',
  'action',
  'presentUrl',
  'webhookUrl',
  'credentials',
  'outcome',
  'status',
  'message',
  'hint',
]

/** Lists the planned changes. The outcome of each is `planned`. */
export const plannedChangesList = listOf('subscription', 'subscriptions', 'The file lists no subscriptions.', {
  columns: [
    EVENT,
    ACTION,
    { path: 'presentUrl', header: 'CURRENT URL', cell: (row) => textAt(row, 'presentUrl') || '–', flex: 24, rank: 6 },
    { path: 'webhookUrl', header: 'NEW URL', cell: urlThen, flex: 28, rank: 3 },
    { path: 'credentials', header: 'CREDENTIALS', rank: 4 },
    { path: 'message', header: 'NOTE', flex: 20, rank: 5, optional: true },
  ],
  csvPaths: CHANGE_PATHS,
})

export const madeChangesList = listOf('change', 'changes', 'No changes.', {
  columns: [
    EVENT,
    ACTION,
    { path: 'outcome', header: 'OUTCOME', cell: outcome, rank: 3 },
    { path: 'status', header: 'STATUS', align: 'right', rank: 5, optional: true },
    { path: 'message', header: 'MESSAGE', flex: 20, rank: 4, optional: true },
  ],
  csvPaths: CHANGE_PATHS,
})

function action(row: JsonObject): Cell {
  const text = textAt(row, 'action')
  return { text, tone: text === 'unchanged' ? 'dim' : text === 'delete' ? 'bad' : 'strong' }
}

function urlThen(row: JsonObject): Cell {
  const [now, then] = [textAt(row, 'presentUrl'), textAt(row, 'webhookUrl')]
  if (then === '') return '–'
  return now === then ? { text: 'unchanged', tone: 'dim' } : then
}

function outcome(row: JsonObject): Cell {
  const text = textAt(row, 'outcome')
  return { text, tone: text === 'done' ? 'good' : text === 'failed' ? 'bad' : 'warn' }
}
