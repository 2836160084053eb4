import { formatCount } from '../../../base/counted.ts'
import { bdi, type Html, html } from '../../../base/html.ts'
import { subjectKindOf, type WebhookEvent } from '../../../contract/events.ts'
import { type Delivery, readDelivery } from '../../../sandbox/deliveries/deliveries.ts'
import type { Scene } from '../scene.ts'
import { listed, rawText } from '../words/texts.ts'
import { timeOfText } from '../words/times.ts'
import { pagedList, viewForm, viewLink } from './form.ts'

const PAGE_LENGTH = 25
/** The number of recent deliveries to count and filter. */
const LATEST = 1000

const RECENT = `SELECT *, iif(due IS NOT NULL, 'pending', iif(attempts ->> '$[#-1].delivered', 'delivered', 'missed')) AS kind
  FROM (SELECT * FROM deliveries WHERE id < ? ORDER BY id DESC LIMIT ${LATEST})`

/** Renders one page of the list of webhook deliveries and their attempts, newest first. */
export function deliveriesLive(scene: Scene): Html {
  const { state, view } = scene
  const { missed, earlier } = view.chosen
  const before = /^\d{1,15}$/.test(earlier) ? Number(earlier) : Number.MAX_SAFE_INTEGER
  const rows = state.store.all(
    `SELECT * FROM (${RECENT}) WHERE ? = 0 OR kind <> 'delivered' ORDER BY id DESC LIMIT ${PAGE_LENGTH + 1}`,
    ...[before, missed === '1' ? 1 : 0],
  )
  const shown = rows.slice(0, PAGE_LENGTH).map(readDelivery)
  const last = rows.length > PAGE_LENGTH ? shown.at(-1) : undefined
  const empty =
    missed === '1' ? 'All webhooks were delivered.' : 'No webhook is subscribed to any event that has happened.'
  const list = pagedList(
    { className: 'entries', label: 'Pages of webhooks', empty },
    shown.map((one) => deliveryItem(scene, one, 'listed')),
    [
      earlier === '' ? null : viewLink(scene, { earlier: '' }, 'deliveries', 'Newest'),
      last ? viewLink(scene, { earlier: String(last.id) }, 'deliveries', 'Earlier webhooks') : null,
    ],
  )
  return html`${countsOf(scene)}
${list}
${subscriptionsOf(scene)}`
}

/** Renders the filter for webhooks that have not been delivered. */
export function deliveriesSearch(scene: Scene): Html {
  return viewForm(
    scene,
    ['missed', 'earlier'],
    html`<label class="check"><input type="checkbox" id="missed" name="missed" value="1"${scene.view.chosen.missed === '1' ? html` checked` : null}> Only undelivered webhooks</label><button>Show</button>`,
    'Webhooks',
  )
}

/**
 * Renders a delivery and its attempts. `where` names the list, because a delivery can appear in several lists on the
 * page.
 */
export function deliveryItem(scene: Scene, delivery: Delivery, where: string): Html {
  const { zone } = scene
  const { id, event, created, state, due, attempts } = delivery
  const answers = attempts.map(({ status, error }) => status ?? error ?? '').join(', ')
  const tried = attempts.map(
    ({ at, status, error, delivered, ms }) =>
      html`<tr><td>${timeOfText(at, zone)}</td><td class="${delivered ? 'good' : 'bad'}">${status ?? rawText(error ?? '')}</td><td class="number">${ms} ms</td></tr>`,
  )
  const table = html`<table><thead><tr><th scope="col">Attempt</th><th scope="col">Response</th><th scope="col" class="number">Duration</th></tr></thead><tbody>${tried}</tbody></table>`
  return html`<li class="${TONES[state]}"><details data-key="${where}-${id}"><summary><span class="code">${state}</span> <span class="what"><b>${event}</b> ${bdi(delivery.subject)}</span> <span class="why">${answers === '' ? null : `responses: ${answers}`}</span> <span class="at">${timeOfText(created, zone)}</span></summary>
<p>${describeDelivery(delivery)}${due === null ? null : html` Next attempt: ${timeOfText(due, zone)}.`}</p>
${attempts.length === 0 ? null : table}
<p>Sent for ${subjectLink(scene, delivery)} to ${addressOf(scene, event)}.</p></details></li>`
}

const TONES = { pending: 'warned', delivered: 'good', failed: 'bad', dropped: 'bad' } as const

function describeDelivery({ state, attempts }: Delivery): string {
  const times = formatCount(attempts.length, 'attempt', 'attempts')
  const isNew = attempts.length === 0
  if (state === 'delivered') return `Delivered after ${times}.`
  if (state === 'failed') return `Not delivered: the sandbox gave up after ${times}.`
  if (state === 'pending') return isNew ? 'Not sent yet.' : `Not delivered yet: ${times} failed.`
  if (isNew) return 'Never sent: a fault dropped it, or its subscription had ended.'
  return `Not delivered: its subscription ended after ${times}.`
}

function subjectLink({ view }: Scene, { event, subject }: Delivery): Html {
  if (subjectKindOf(event as WebhookEvent) === 'booking')
    return html`booking <a data-asks href="${view.href({ booking: subject }, 'details')}">${bdi(subject)}</a>`
  return html`gift card <a data-asks href="${view.href({ card: subject, after: '', booking: '' }, 'cards')}">${bdi(subject)}</a>`
}

function addressOf({ state }: Scene, event: string): Html {
  const rows = state.store.all('SELECT DISTINCT url FROM subscriptions WHERE event = ?', event)
  if (rows.length === 0) return html`a subscription that has ended`
  return html`${listed(rows.map(({ url }) => html`<code>${rawText(String(url))}</code>`))}`
}

function countsOf({ state }: Scene): Html {
  const rows = state.store.all(`SELECT kind, count(*) AS count FROM (${RECENT}) GROUP BY kind`, Number.MAX_SAFE_INTEGER)
  const counts = Object.fromEntries(rows.map(({ kind, count }) => [String(kind), Number(count)]))
  const { delivered = 0, pending = 0, missed = 0 } = counts
  const all = delivered + pending + missed
  if (all === 0) return html``
  const of = all === LATEST ? `Of the latest ${LATEST} deliveries: ` : ''
  return html`<p>${of}<b>${delivered}</b> delivered, <b>${pending}</b> pending, <b class="${missed > 0 ? 'warn' : ''}">${missed}</b> not delivered.</p>`
}

function subscriptionsOf({ state }: Scene): Html {
  const rows = state.store.all('SELECT DISTINCT event, url FROM subscriptions ORDER BY event, url')
  if (rows.length === 0) return html`<p class="soft">There are no webhook subscriptions.</p>`
  const items = rows.map(
    ({ event, url }) => html`<li>${String(event)} &rarr; <code>${rawText(String(url))}</code></li>`,
  )
  return html`<details data-key="subscriptions" class="plain"><summary>${formatCount(rows.length, 'subscription', 'subscriptions')}</summary><ul>${items}</ul></details>`
}
