import { WEBHOOK_EVENTS } from '../../../contract/events.ts'
import { faultProblems } from '../../faults/check.ts'
import type { FaultSpecification } from '../../faults/fault.ts'
import { type Member, Wrong } from '../form/members.ts'
import { flag, id, instant, listOf, object, oneOf, whole } from '../form/values.ts'
import { isoOf, type Kind, msOf } from './kind.ts'

const webhookUrl: Member['read'] = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return value
  throw new Wrong('must be an http or https URL')
}

/** A subscription without its credentials; it says whether it had any. */
export const subscription: Kind = {
  name: 'subscription',
  select: 'SELECT * FROM subscriptions ORDER BY location, event',
  // One event may be subscribed to at several locations.
  repeats: true,
  members: [
    { name: 'subscription', read: oneOf(WEBHOOK_EVENTS) },
    { name: 'locationId', read: id, implied: (_subscription, { location }) => location },
    { name: 'webhookUrl', read: webhookUrl },
    { name: 'hadCredentials', read: flag, implied: () => false },
  ],
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
  insert: (store, record) => {
    store.run(
      'INSERT OR REPLACE INTO subscriptions (event, location, url) VALUES (?, ?, ?)',
      String(record['subscription']),
      String(record['locationId']),
      String(record['webhookUrl']),
    )
  },
}

/** A name and password in a URL are credentials, too. */
function withoutCredentials(text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.username === '' && url.password === '')) return text
  url.username = ''
  url.password = ''
  return url.href
}

/** A delivery that is still to be made, with the attempts so far. Those that are over are history, and in no snapshot. */
export const delivery: Kind = {
  name: 'delivery',
  select: 'SELECT * FROM deliveries WHERE due IS NOT NULL ORDER BY id',
  members: [
    { name: 'delivery', read: whole(1) },
    { name: 'event', read: oneOf(WEBHOOK_EVENTS) },
    { name: 'locationId', read: id, implied: (_delivery, { location }) => location },
    { name: 'subject', read: id },
    { name: 'created', read: instant },
    { name: 'due', read: instant, implied: ({ created }) => created },
    { name: 'attempts', read: listOf(object), implied: () => [] },
  ],
  toRecord: (row) => ({
    delivery: row['id'],
    event: row['event'],
    locationId: row['location'],
    subject: row['subject'],
    created: isoOf(row, 'created'),
    due: isoOf(row, 'due'),
    attempts: JSON.parse(String(row['attempts'])),
  }),
  insert: (store, record) => {
    store.run(
      'INSERT INTO deliveries (id, event, subject, location, created, due, attempts) VALUES (?, ?, ?, ?, ?, ?, ?)',
      Number(record['delivery']),
      String(record['event']),
      String(record['subject']),
      String(record['locationId']),
      msOf(record, 'created'),
      msOf(record, 'due'),
      JSON.stringify(record['attempts']),
    )
  },
}

/** A fault, and how often it has struck. */
export const fault: Kind = {
  name: 'fault',
  select: 'SELECT * FROM faults ORDER BY id',
  members: [
    { name: 'fault', read: whole(1) },
    { name: 'specification', read: object },
    { name: 'seen', read: whole(0), implied: () => 0 },
    { name: 'fired', read: whole(0), implied: () => 0 },
  ],
  toRecord: (row) => ({
    fault: row['id'],
    specification: JSON.parse(String(row['specification'])),
    seen: row['seen'],
    fired: row['fired'],
  }),
  insert: (store, record) => {
    store.run(
      'INSERT INTO faults (id, specification, seen, fired) VALUES (?, ?, ?, ?)',
      Number(record['fault']),
      JSON.stringify(record['specification']),
      Number(record['seen']),
      Number(record['fired']),
    )
  },
  problem: ({ specification }) => {
    const { endpoint } = specification as { readonly endpoint?: unknown }
    if (typeof endpoint !== 'string') return '"specification" must have an endpoint'
    return faultProblems(specification as FaultSpecification)[0] ?? null
  },
}
