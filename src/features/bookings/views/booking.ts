import { isJsonObject, type JsonObject, jsonObjects } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { CardView, CellOf, Field, TableSection, ViewContext } from '../../../terminal/render/view.ts'
import { sectionNamesCell, tableIdsCell, tableNamesCell, tablesCell } from '../../shared/views/booked-tables.ts'
import { CUSTOMER_COLUMNS, customerFields } from '../../shared/views/customer-fields.ts'
import { customerName, guestCell } from '../../shared/views/customer-names.ts'
import { listOf } from '../../shared/views/list.ts'
import {
  instantAndDistance,
  instantAt,
  timesNote,
  venueTime,
  venueTimeInFull,
  weekdayOf,
  withoutListDay,
} from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { counted, isNonZero, joined, money, sameWord, textAt, words } from '../../shared/views/wording.ts'
import { statusAt, statusCell } from './status.ts'

/** Formats a booking's unpaid amount with its currency. Returns '' if everything is paid. */
const dueCell: CellOf = (booking) => {
  const due = valueAt(booking, 'paymentSummary.amountDue')
  return isNonZero(due) ? { text: money(due, textAt(booking, 'paymentSummary.currencyCode')), tone: 'warn' } : ''
}

/** Formats a booking's unpaid amount for a card, even if it is 0. */
const dueOrZeroCell: CellOf = (booking, context) =>
  dueCell(booking, context) || amountAt('paymentSummary.amountDue')(booking, context)

/** Returns a field that shows a booking's time and duration. `member` contains the time. */
export function timeField(member: string): Field {
  return {
    label: 'Time',
    paths: [member, 'duration'],
    cell: (booking, context) =>
      joined([venueTimeInFull(booking[member], context), counted(booking['duration'], 'minute', 'minutes')], ', '),
  }
}

/** A booking's most important fields, which a card shows first. */
export const mainFields: readonly Field[] = [
  { ...timeField('bookingTime'), blank: 'none given' },
  {
    label: 'Guest',
    paths: ['customer.firstName', 'customer.lastName', 'customer.fullName', 'customer.company'],
    cell: (booking) => {
      const name = customerName(booking['customer'])
      const company = textAt(booking, 'customer.company')
      return company === '' || company === name ? name : `${name} (${company})`
    },
    blank: 'not in the response',
  },
  { label: 'People', paths: ['people'], blank: 'not given' },
  {
    label: 'Status',
    paths: ['status.name', 'status.code', 'status.statusType'],
    cell: statusAt('status'),
    blank: 'none',
  },
  { label: 'Tables', paths: ['tables.*.tableName', 'tables.*.sectionName'], cell: tablesCell, blank: 'none assigned' },
  {
    label: 'Service',
    paths: ['serviceName', 'serviceType'],
    cell: (booking) => withDetail(textAt(booking, 'serviceName'), textAt(booking, 'serviceType')),
  },
  { label: 'Notes', paths: ['notes'] },
  { label: 'Tags', paths: ['tags.*.name', 'tags.*.tagType'], cell: tagsText },
  { label: 'Booking ID', paths: ['bookingId'], blank: 'none given' },
]

/** A booking's payment. Source: "Payment summary". */
const payment: readonly Field[] = [
  { label: 'Due', paths: ['paymentSummary.amountDue', 'paymentSummary.currencyCode'], cell: dueOrZeroCell },
  { label: 'Paid', paths: ['paymentSummary.amountPaid'], cell: amountAt('paymentSummary.amountPaid') },
  { label: 'Total', paths: ['paymentSummary.amount'], cell: amountAt('paymentSummary.amount') },
  { label: 'Paid by', paths: ['paymentSummary.paymentType'] },
  { label: 'Paid on', paths: ['paymentSummary.paymentDate'], cell: instantAt('paymentSummary.paymentDate') },
  { label: 'Transaction', paths: ['paymentSummary.transactionId'] },
]

/** Items that the guest ordered in advance. The extras follow their item. Source: "Order item", "Extra order item". */
const preOrders: TableSection = {
  heading: 'Pre-orders',
  path: 'items',
  columns: [
    { path: 'quantity', header: 'QTY', align: 'right' },
    { path: 'name', header: 'ITEM', cell: itemName, flex: 16 },
    { path: 'price', header: 'PRICE EACH', align: 'right', cell: ({ price }) => money(price) },
    { path: 'paymentType', header: 'PAYMENT', cell: (item) => words(textAt(item, 'paymentType')), flex: 8 },
  ],
  covers: ['label'],
  rows: (item) => {
    const { extras, ...rest } = item
    if (!Array.isArray(extras) || !extras.every(isJsonObject)) return [item]
    const added = jsonObjects(extras).map((extra) => ({ ...extra, name: `+ ${itemName(extra)}`, label: null }))
    return [rest, ...added]
  },
}

/** Fields that show how and when a booking was created, and the IDs that commands accept. */
const recordFields: readonly Field[] = [
  { label: 'Created', paths: ['bookedAt'], cell: instantAndDistance('bookedAt') },
  { label: 'Method', paths: ['method'] },
  { label: 'Last changed', paths: ['lastModifiedDate'], cell: instantAndDistance('lastModifiedDate') },
  { label: 'Location ID', paths: ['locationId'] },
  { label: 'Service ID', paths: ['serviceId'] },
  { label: 'Table IDs', paths: ['tables.*.tableId', 'tables.*.sectionId'], cell: tableIdsCell },
]

/** Shows one booking as a card. Source: "Booking", "Customer", "Supporting objects". */
export const bookingCard: CardView = {
  title: (booking, context) => {
    const time = venueTime(booking['bookingTime'], context)
    const who = customerName(booking['customer']) || 'Booking'
    const party = counted(booking['people'], 'person', 'people')
    const text = joined([who, party, joined([weekdayOf(time), time], ' ')], ', ')
    return [{ text, tone: 'strong' }, statusCell(booking['status'])]
  },
  sections: [
    { heading: null, fields: mainFields },
    { heading: 'Payment', fields: payment },
    preOrders,
    { heading: 'Guest', fields: customerFields('customer') },
    { heading: 'Record', fields: recordFields },
  ],
}

/** Shows bookings as a list. Source: "Booking". */
export const bookingList = listOf('booking', 'bookings', 'No bookings.', {
  columns: [
    { path: 'bookingTime', header: 'TIME', cell: timeCell, rank: 2 },
    { path: 'customer.lastName', header: 'GUEST', cell: guestCell, flex: 10, rank: 4, optional: true },
    { path: 'people', header: 'PAX', align: 'right', rank: 3 },
    { path: 'status.name', header: 'STATUS', cell: statusAt('status'), flex: 9, shrinksAfterRank: 6, rank: 5 },
    { path: 'tables', header: 'TABLES', cell: tableNamesCell, flex: 6, rank: 6, optional: true },
    { path: 'tables.0.sectionName', header: 'SECTION', cell: sectionNamesCell, flex: 8, rank: 7, optional: true },
    { path: 'serviceName', header: 'SERVICE', flex: 8, rank: 8, optional: true },
    { path: 'paymentSummary.amountDue', header: 'DUE', align: 'right', cell: dueCell, rank: 10, optional: true },
    { path: 'notes', header: 'NOTES', flex: 12, rank: 9, optional: true },
    { path: 'bookingId', header: 'BOOKING ID', rank: 1 },
  ],
  csvPaths: [
    ...pathsIn('bookingId bookingTime people duration status.code status.name status.statusType'),
    ...CUSTOMER_COLUMNS,
    ...pathsIn(`tables serviceId serviceName serviceType notes tags method locationId bookedAt lastModifiedDate
      paymentSummary.paymentType paymentSummary.amount paymentSummary.amountDue paymentSummary.amountPaid
      paymentSummary.currencyCode paymentSummary.paymentDate paymentSummary.transactionId items`),
  ],
  card: bookingCard,
  footnote: (context) => timesNote(context, context.timezone),
})

function timeCell({ bookingTime }: JsonObject, context: ViewContext): string {
  return withoutListDay(venueTime(bookingTime, context), context)
}

function amountAt(path: string): CellOf {
  return (booking) =>
    hasNoPayment(booking) ? '' : money(valueAt(booking, path), textAt(booking, 'paymentSummary.currencyCode'))
}

/**
 * Returns whether a booking has no payment. In that case, the service sends a payment summary with zeros and without a
 * currency.
 */
function hasNoPayment(booking: JsonObject): boolean {
  const amounts = ['amount', 'amountDue', 'amountPaid'].map((name) => valueAt(booking, `paymentSummary.${name}`))
  return !amounts.some(isNonZero) && textAt(booking, 'paymentSummary.currencyCode') === ''
}

function tagsText(booking: JsonObject): string {
  const { tags } = booking
  if (!Array.isArray(tags)) return textAt(booking, 'tags')
  const texts = tags.filter(isJsonObject).map((tag) => joined([textAt(tag, 'tagType'), textAt(tag, 'name')], ': '))
  return joined(texts, ', ')
}

function itemName(item: JsonObject): string {
  return withDetail(textAt(item, 'name'), textAt(item, 'label'))
}

/** Returns `word`, followed by `other` in parentheses if the two differ. */
function withDetail(word: string, other: string): string {
  return word === '' || other === '' || sameWord(word, other) ? word || other : `${word} (${other})`
}
