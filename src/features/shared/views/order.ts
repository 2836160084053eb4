import { shortenQuotes } from '../../../base/failure/failure.ts'
import type { OrderFacts } from '../../../money/orders/order.ts'
import { terminalSafe } from '../../../terminal/render/text/safe-text.ts'
import type { CardView } from '../../../terminal/render/view.ts'
import { onlyFields } from './fields.ts'
import { listOf } from './list.ts'
import { instantAt, instantCellAt } from './moments.ts'
import { joined, textAt } from './wording.ts'

/** The card view of a prepared order. */
export const orderCard: CardView = {
  title: (order) => [{ text: joined(['Order', textAt(order, 'handle')], ' '), tone: 'strong' }],
  sections: onlyFields([
    { label: 'Action', paths: ['action', 'handle'], cell: (order) => textAt(order, 'action') },
    { label: 'Card number', paths: ['cardNumber'] },
    { label: 'Sale ID', paths: ['saleId'] },
    { label: 'Amount', paths: ['amount', 'currency'], cell: amountCell, blank: 'unknown' },
    { label: 'Balance', paths: ['balance'] },
    { label: 'Profile', paths: ['profile'] },
    { label: 'Host', paths: ['host'] },
    { label: 'Warnings', paths: ['warnings'] },
    { label: 'Expires', paths: ['expiresAt'], cell: instantAt('expiresAt') },
    { label: 'Approved', paths: ['approvedAt'], cell: instantAt('approvedAt') },
    { label: 'Declined', paths: ['declinedAt'], cell: instantAt('declinedAt') },
  ]),
}

/**
 * Formats the card number or sale ID of an order for a sentence or a form. An agent can choose any sale ID, so an
 * unusual one is quoted, escaped and shortened. Otherwise, it could look like other details of the order.
 */
export function formatTarget({ cardNumber, saleId = '' }: OrderFacts): string {
  const target = cardNumber ?? saleId
  if (/^[\w.:/-]{1,64}$/.test(target)) return target
  return shortenQuotes(terminalSafe(JSON.stringify(target)).replace(/\s+/g, ' '))
}

/** The list view of prepared orders. */
export const orderList = listOf('order', 'orders', 'No orders.', {
  columns: [
    { path: 'handle', header: 'HANDLE', rank: 1 },
    { path: 'action', header: 'ACTION', rank: 2 },
    { path: 'amount', header: 'AMOUNT', align: 'right', rank: 3 },
    { path: 'expiresAt', header: 'EXPIRES', cell: instantCellAt('expiresAt'), rank: 4 },
  ],
  csvPaths: [
    'handle',
    'expiresAt',
    'action',
    'profile',
    'host',
    'cardNumber',
    'saleId',
    'amount',
    'currency',
    'balance',
  ],
  card: orderCard,
})

function amountCell(order: Parameters<typeof textAt>[0]): string {
  return joined([textAt(order, 'amount'), textAt(order, 'currency')], ' ')
}
