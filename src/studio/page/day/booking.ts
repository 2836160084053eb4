import { bdi, type Html, type HtmlValue, html } from '../../../base/html.ts'
import { redactBody } from '../../../base/redaction/redaction.ts'
import { readDelivery } from '../../../sandbox/deliveries/deliveries.ts'
import type { BookingDocument, OrderItem, PaymentSummary } from '../../../sandbox/records/booking.ts'
import { findBooking } from '../../../sandbox/records/bookings.ts'
import { type CustomerDocument, findCustomer, fullName } from '../../../sandbox/records/customers.ts'
import type { Zone } from '../../../sandbox/venue/zone.ts'
import type { Scene } from '../scene.ts'
import { deliveryItem } from '../sections/deliveries.ts'
import { statusClass, statusWords } from '../words/statuses.ts'
import { codeBlock, commandHint, factList, indentedJson, listed } from '../words/texts.ts'
import { dayWords, timeOfText } from '../words/times.ts'

const MAX_SHOWN = 50

/** Renders the details of the selected booking. Returns `null` if no booking is selected. */
export function bookingDetails(scene: Scene): Html | null {
  const { view, state } = scene
  const id = view.chosen.booking
  if (id === '') return null
  const diary = state.diary()
  const booking = findBooking(diary, id)
  if (!booking || !diary.isLinked(booking.document.locationId))
    return html`${head(scene, html`No such booking`)}<p>The venue has no booking ${bdi(id)}.</p>`
  const { document } = booking
  const { serviceName, serviceId } = document
  const tables = document.tables.map(({ tableName, sectionName }) => html`${bdi(tableName)} (${bdi(sectionName)})`)
  const service = serviceName === null ? null : html`${bdi(serviceName)} <code>${serviceId}</code>`
  const customer = booking.customerId === null ? undefined : findCustomer(diary, booking.customerId)
  const guest = customer ? fullName(customer) : ''
  const title = guest === '' ? html`Booking ${document.bookingId}` : html`${bdi(guest)}, ${document.people}`
  const sent = diary.get('SELECT details FROM bookings WHERE id = ?', document.bookingId)?.['details']
  return html`${head(scene, title)}
<p class="badge ${statusClass(document.status)}">${statusWords(document.status)}</p>
${factList([
  ['ID', html`<code>${document.bookingId}</code>`],
  ['External ID', booking.externalId === null ? null : html`<code>${booking.externalId}</code>`],
  ['Time', timeWords(document)],
  ['Duration', `${document.duration} minutes`],
  ['Guests', document.people],
  ['Tables', listed(tables)],
  ['Status', html`${bdi(document.status.name)} <code>${document.status.code}</code>`],
  ['Notes', (document.notes ?? '') === '' ? 'none' : html`<span class="prose" dir="auto">${document.notes}</span>`],
  ['Tags', listed(document.tags.map(({ tagType, name }) => html`${bdi(name)} (${bdi(tagType)})`))],
  ['Service', service],
  ['Payment', paymentWords(document.paymentSummary, scene.zone)],
  ['Preordered items', document.items.map((item, at) => html`${at === 0 ? null : html`<br>`}${itemWords(item)}`)],
  ['Booked through', document.method],
  ['Booked at', timeOfText(document.bookedAt, scene.zone)],
  ['Last changed', timeOfText(document.lastModifiedDate, scene.zone)],
])}
<h3>Guest</h3>${customer ? guestFacts(customer) : html`<p class="empty">The booking has no customer.</p>`}
<h3>Sales</h3>${salesOf(scene, document.bookingId)}
<h3>Webhooks</h3>${webhooksOf(scene, document.bookingId)}
${typeof sent === 'string' ? html`<h3>Sent with the booking, but never returned</h3>${codeBlock(indentedJson(redactBody(sent)))}` : null}
${commandHint(`bookings get ${document.bookingId}`)}`
}

function head({ view }: Scene, title: Html): Html {
  return html`<header><h2 id="details-title">${title}</h2><a class="button close" data-asks href="${view.href({ booking: '' }, 'diary')}">Close</a></header>`
}

function timeWords({ bookingTime }: BookingDocument): string {
  return `${dayWords(Math.floor(Date.parse(`${bookingTime}Z`) / 86_400_000))}, ${bookingTime.slice('yyyy-MM-ddT'.length, 'yyyy-MM-ddTHH:mm'.length)}`
}

function paymentWords(summary: PaymentSummary, zone: Zone): HtmlValue {
  const { paymentType, amount, amountDue, amountPaid, transactionId, currencyCode, paymentDate } = summary
  if (paymentType === null && amount === 0 && amountPaid === 0) return 'none'
  const currency = currencyCode === null ? '' : ` ${currencyCode}`
  const sums = `${amount.toFixed(2)}${currency}, ${amountPaid.toFixed(2)} paid, ${amountDue.toFixed(2)} due`
  const transaction = transactionId === null ? null : html`, transaction <code>${transactionId}</code>`
  const when = paymentDate === null ? null : html`, ${timeOfText(paymentDate, zone)}`
  return html`${paymentType ?? 'payment'}: ${sums}${transaction}${when}`
}

function itemWords(item: OrderItem): Html {
  const words = (one: Omit<OrderItem, 'extras'>) =>
    html`${one.quantity} &times; ${bdi(one.name)} ${one.price.toFixed(2)}`
  return html`${words(item)} (${item.paymentType})${(item.extras ?? []).map((extra) => html`; ${words(extra)}`)}`
}

function guestFacts(customer: CustomerDocument): Html {
  const { birthdayDate, birthdayMonth, birthdayYear, address, tags } = customer
  const birthday = [birthdayYear, birthdayMonth, birthdayDate].filter((part) => part !== null).join('-')
  const lines = Object.values(address).filter((line) => line !== null && line !== '')
  return factList([
    ['Name', bdi(fullName(customer))],
    ['Phone', customer.phone ?? 'none'],
    ['Second phone', customer.phone2],
    ['Email', customer.email === null ? null : bdi(customer.email)],
    ['Company', customer.company === null ? null : bdi(customer.company)],
    ['Address', lines.length === 0 ? null : bdi(lines.join(', '))],
    ['Birthday', birthday],
    [
      'Notes about the guest',
      customer.notes === null ? null : html`<span class="prose" dir="auto">${customer.notes}</span>`,
    ],
    ['Labels', listed((tags ?? []).map(({ name }) => bdi(name)))],
    ['No-shows', customer.noShowCount === null ? null : `${customer.noShowCount}`],
    ['Marketing emails', customer.subscribed ? 'subscribed' : 'not subscribed'],
    ['Customer ID', html`<code>${customer.id}</code>`],
  ])
}

function salesOf({ state, zone }: Scene, bookingId: string): Html {
  const linked = `SELECT * FROM sales WHERE booking = ? ORDER BY closed DESC LIMIT ${MAX_SHOWN}`
  const rows = state.diary().all(linked, bookingId)
  if (rows.length === 0) return html`<p class="empty">No sale is linked to this booking.</p>`
  const items = rows.map((row) => {
    const cents = Number(row['cents'])
    const amount = `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`
    return html`<li><details data-key="sale-${String(row['sale_id'])}"><summary><code>${String(row['sale_id'])}</code> <b class="amount">${amount}</b> <span class="soft">${timeOfText(new Date(Number(row['closed'])).toISOString(), zone)}</span></summary>${codeBlock(indentedJson(redactBody(String(row['document']))))}</details></li>`
  })
  return html`<ul class="entries">${items}</ul>`
}

function webhooksOf(scene: Scene, bookingId: string): Html {
  const latest = `SELECT * FROM deliveries WHERE subject = ? ORDER BY id DESC LIMIT ${MAX_SHOWN}`
  const rows = scene.state.store.all(latest, bookingId)
  if (rows.length === 0) return html`<p class="empty">No webhook was subscribed to the events of this booking.</p>`
  return html`<ul class="entries">${rows.map((row) => deliveryItem(scene, readDelivery(row), 'of-booking'))}</ul>`
}
