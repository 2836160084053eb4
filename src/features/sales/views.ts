import type { JsonObject } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { CardView, ViewContext } from '../../terminal/render/view.ts'
import { tableNamesCell } from '../shared/views/booked-tables.ts'
import { CUSTOMER_COLUMNS } from '../shared/views/customer-fields.ts'
import { guestCell } from '../shared/views/customer-names.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { instantCell, timesNote, withoutListDay, zoneName } from '../shared/views/moments.ts'
import { pathsIn } from '../shared/views/paths.ts'
import { isNonZero, joined, money, moneyAt, textAt, wordsAt } from '../shared/views/wording.ts'

/**
 * The columns for a list of sales. Listed amounts are assumed to be in currency units, although submitted amounts are
 * in cents.
 */
export const saleList = listOf('sale', 'sales', 'No sales.', {
  columns: [
    { path: 'saleDetail.transactionDateTime', header: 'CLOSED', cell: closed, rank: 2 },
    { path: 'saleDetail.total', header: 'TOTAL (UNITS)', align: 'right', cell: moneyAt('saleDetail.total'), rank: 3 },
    { path: 'saleDetail.tipAmount', header: 'TIP (UNITS)', align: 'right', cell: tip, rank: 10, optional: true },
    { path: 'customer.lastName', header: 'GUEST', cell: guestCell, flex: 12, rank: 4, optional: true },
    { path: 'people', header: 'PEOPLE', align: 'right', rank: 8, optional: true },
    { path: 'tables', header: 'TABLES', cell: tableNamesCell, flex: 8, rank: 5, optional: true },
    { path: 'saleDetail.staffName', header: 'STAFF', cell: staff, flex: 8, rank: 9, optional: true },
    { path: 'saleDetail.status', header: 'TYPE', cell: wordsAt('saleDetail.status'), rank: 7, optional: true },
    { path: 'saleDetail.transactionId', header: 'SALE ID', rank: 1 },
    { path: 'bookingId', header: 'BOOKING ID', rank: 6 },
  ],
  csvPaths: [
    ...pathsIn(`saleDetail.transactionId saleDetail.transactionDateTime saleDetail.total saleDetail.totalExTax
    saleDetail.tax saleDetail.discount saleDetail.tipAmount saleDetail.status saleDetail.staffId
    saleDetail.staffName saleDetail.posId saleDetail.posName saleDetail.storeName
    saleDetail.actualStartTime saleDetail.actualEndTime bookingId bookingTime people duration
    status.code status.name status.statusType`),
    ...CUSTOMER_COLUMNS,
    ...pathsIn(`tables serviceId serviceName serviceType method notes tags lastModifiedDate saleDetail.payments
      saleDetail.items`),
  ],
  footnote: (context) => `totals in currency units, not cents · ${timesNote(context, zoneName(context))}`,
})

/**
 * The view of the response to a submitted sale. The specification does not define the response body, which may be
 * empty, so all members are assumed.
 */
export const submittedSaleCard: CardView = {
  title: (sale) => [
    { text: joined(['Submitted sale', textAt(sale, 'saleId')], ' '), tone: 'good' },
    sale['bookingId'] === null ? { text: 'not linked to a booking', tone: 'warn' } : '',
  ],
  sections: onlyFields([
    { label: 'Sale ID', paths: ['saleId'] },
    { label: 'Booking ID', paths: ['bookingId'] },
    { label: 'Status', paths: ['status'] },
  ]),
}

export const submittedSaleList = listOf('sale', 'sales', 'Nothing was submitted.', {
  columns: [
    { path: 'saleId', header: 'SALE ID', rank: 1 },
    { path: 'bookingId', header: 'BOOKING ID' },
    { path: 'status', header: 'STATUS', flex: 8 },
  ],
})

export const importedList = listOf('line', 'lines', 'No lines.', {
  columns: [
    { path: 'line', header: 'LINE', align: 'right', rank: 2 },
    { path: 'saleId', header: 'SALE ID', rank: 1 },
    { path: 'outcome', header: 'OUTCOME', cell: outcome, rank: 3 },
    { path: 'status', header: 'STATUS', align: 'right', rank: 5, optional: true },
    { path: 'message', header: 'MESSAGE', flex: 20, rank: 4, optional: true },
  ],
})

export const importTotalsList = listOf('total', 'totals', 'There are no sales to send.', {
  columns: [
    { path: 'currency', header: 'CURRENCY', rank: 1 },
    { path: 'type', header: 'TYPE', rank: 2 },
    { path: 'sales', header: 'SALES', align: 'right', rank: 3 },
    { path: 'total', header: 'TOTAL (UNITS)', align: 'right', rank: 4 },
  ],
  csvPaths: ['currency', 'type', 'sales', 'totalCents', 'total'],
})

function outcome(line: JsonObject): Cell {
  const text = textAt(line, 'outcome')
  return { text, tone: text === 'accepted' ? 'good' : 'warn' }
}

function closed(sale: JsonObject, context: ViewContext): string {
  return withoutListDay(instantCell(valueAt(sale, 'saleDetail.transactionDateTime'), context), context)
}

function tip(sale: JsonObject): string {
  const given = valueAt(sale, 'saleDetail.tipAmount')
  return isNonZero(given) ? money(given) : ''
}

function staff(sale: JsonObject): string {
  return textAt(sale, 'saleDetail.staffName') || textAt(sale, 'saleDetail.staffId')
}
