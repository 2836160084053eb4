import { bdi, type Html, html } from '../../../base/html.ts'
import { type Card, readCard } from '../../../sandbox/records/giftcards.ts'
import { IS_LINKED_SQL, type Row } from '../../../sandbox/store/store.ts'
import type { Scene } from '../scene.ts'
import { factList, rawText } from '../words/texts.ts'
import { timeOf } from '../words/times.ts'
import { pagedList, viewForm, viewLink } from './form.ts'

const PAGE_LENGTH = 10
const MAX_REDEMPTIONS = 50

/** Renders the venue's gift cards, sorted by number. */
export function cardsLive(scene: Scene): Html {
  const { state, view } = scene
  const { card, after } = view.chosen
  const rows = state.store.all(
    `SELECT * FROM gift_cards WHERE number > ? AND number LIKE ? ESCAPE '\\' AND ${IS_LINKED_SQL} ORDER BY number LIMIT ${PAGE_LENGTH + 1}`,
    after,
    `%${card.trim().replace(/[\\%_]/g, '\\$&')}%`,
    state.store.linkedLocations,
  )
  const cards = rows.slice(0, PAGE_LENGTH).map(readCard)
  const last = rows.length > PAGE_LENGTH ? cards.at(-1) : undefined
  return pagedList(
    { className: 'entries cards', label: 'Pages of cards', empty: 'No gift card has a matching number.' },
    cards.map((one) => cardItem(scene, one)),
    [
      after === '' ? null : viewLink(scene, { after: '' }, 'cards', 'First cards'),
      last ? viewLink(scene, { after: last.number }, 'cards', 'More cards') : null,
    ],
  )
}

export function cardsSearch(scene: Scene): Html {
  return viewForm(
    scene,
    ['card', 'after'],
    html`<div class="field"><label for="card">Card number, or part of it</label><input id="card" name="card" type="search" value="${scene.view.chosen.card}" autocomplete="off" spellcheck="false"></div><button>Search</button>`,
    'Cards',
  )
}

function cardItem(scene: Scene, card: Card): Html {
  const { number, amountCents, remainingCents, lasting, issued, expires } = card
  const { zone, state, now } = scene
  const { experienceCardName: name, experienceCardDetails: details } = lasting
  const experience = name === '' ? null : html`${bdi(name)}: ${bdi(details)}`
  const status = card.status === 'Active' && expires <= now ? 'Expired' : card.status
  const redeemed = `SELECT * FROM redemptions WHERE card = ? ORDER BY rank DESC LIMIT ${MAX_REDEMPTIONS}`
  const rows = state.store.all(redeemed, number)
  return html`<li class="${status === 'Active' ? 'good' : 'soft-tone'}"><details data-key="card-${number}"><summary><span class="code">${status}</span> <span class="what"><code>${number}</code></span> <span class="why amount">${units(remainingCents)} of ${units(amountCents)}</span></summary>
${factList([
  ['Balance', `${units(remainingCents)} of ${units(amountCents)}`],
  ['Status', status],
  ['Format', lasting.cardFormat],
  ['Payment', lasting.paymentType],
  ['Issued', timeOf(issued, zone)],
  ['Expires', timeOf(expires, zone)],
  ['Experience', experience],
  ['Recipient', person(lasting.recipientFirstName, lasting.recipientLastName, lasting.recipientEmail)],
  ['Purchaser', person(lasting.purchaserFirstName, lasting.purchaserLastName, lasting.purchaserEmail)],
])}
${rows.length === 0 ? html`<p class="empty">Nothing has been redeemed from this card.</p>` : redemptions(scene, rows)}</details></li>`
}

function redemptions({ zone }: Scene, rows: readonly Row[]): Html {
  const lines = rows.map(
    (row) =>
      html`<tr><td>${timeOf(Number(row['at']), zone)}</td><td class="number">${units(Number(row['cents']))}</td><td>${row['notes'] === null ? null : bdi(rawText(String(row['notes'])))}</td></tr>`,
  )
  return html`<table><thead><tr><th scope="col">Redeemed</th><th scope="col" class="number">Amount</th><th scope="col">Notes</th></tr></thead><tbody>${lines}</tbody></table>`
}

function person(first: string, last: string, email: string): Html | null {
  const name = [first, last].filter((part) => part !== '').join(' ')
  if (name === '' && email === '') return null
  return html`${bdi(name)}${email === '' ? null : html` &lt;${bdi(email)}&gt;`}`
}

function units(cents: number): string {
  return (cents / 100).toFixed(2)
}
