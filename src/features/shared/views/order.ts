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
