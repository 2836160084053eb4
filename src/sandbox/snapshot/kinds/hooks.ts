import { WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { findFaultProblems } from '../../faults/check.ts'
import type { FaultSpecification } from '../../faults/fault.ts'
import { InvalidLine, type Member } from '../form/members.ts'
import { bool, instant, integer, jsonObject, listOf, nonEmptyText, oneOf } from '../form/values.ts'
import { instantColumn, jsonColumn, type Kind, plainColumn, tableKind } from './kind.ts'

const webhookUrl: Member['read'] = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value
  throw new InvalidLine('must be an http or https URL')
}

/** Webhook subscriptions, without their credentials. `hadCredentials` is true if a subscription had any. */
export const subscription: Kind = {
  name: 'subscription',
  select: 'SELECT * FROM subscriptions ORDER BY location, event',
  // More than one location can be subscribed to the same event.
  repeats: true,
  members: {
    subscription: { read: oneOf(WEBHOOK_EVENTS) },
    locationId: { read: nonEmptyText, implied: (_subscription, { location }) => location },
    webhookUrl: { read: webhookUrl },
    hadCredentials: { read: bool, implied: () => false },
  },
  toRecord: (row) => {
    const sent = String(row['url'])
    const url = withoutCredentials(sent)
    return {
      subscription: row['event'],
      locationId: row['location'],
      webhookUrl: url,
      hadCredentials: row['security_key'] !== null || row['security_token'] !== null || url !== sent,
    }
  },
  insert: (store, { subscription: event, locationId, webhookUrl: url }) =>
    store.insert('subscriptions', { event: String(event), location: String(locationId), url: String(url) }),
}

/** Removes the user name and password from a URL. */
function withoutCredentials(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.username === '' && url.password === '')) return text
  url.username = ''
  url.password = ''
  return url.href
}

/** Webhook deliveries that are still pending, with their attempts. Finished deliveries are not part of a snapshot. */
export const delivery = tableKind({
  name: 'delivery',
  table: 'deliveries',
  rows: 'WHERE due IS NOT NULL ORDER BY id',
  members: {
    delivery: { read: integer(1), column: plainColumn('id') },
    event: { read: oneOf(WEBHOOK_EVENTS), column: plainColumn('event') },
    locationId: { read: nonEmptyText, implied: (_delivery, { location }) => location, column: plainColumn('location') },
    subject: { read: nonEmptyText, column: plainColumn('subject') },
    created: { read: instant, column: instantColumn('created') },
    due: { read: instant, implied: ({ created }) => created, column: instantColumn('due') },
    attempts: { read: listOf(jsonObject), implied: () => [], column: jsonColumn('attempts') },
  },
})

export const fault = tableKind({
  name: 'fault',
  table: 'faults',
  rows: 'ORDER BY id',
  members: {
    fault: { read: integer(1), column: plainColumn('id') },
    specification: { read: jsonObject, column: jsonColumn('specification') },
    seen: { read: integer(0), implied: () => 0, column: plainColumn('seen') },
    fired: { read: integer(0), implied: () => 0, column: plainColumn('fired') },
  },
  problem: ({ specification }) => {
    const { endpoint } = specification as { readonly endpoint?: unknown }
    if (typeof endpoint !== 'string') return '"specification" must have an endpoint'
    return findFaultProblems(specification as FaultSpecification)[0] ?? null
  },
})
