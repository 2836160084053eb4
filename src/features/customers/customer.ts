import type { JsonObject } from '../../base/json/exact.ts'
import type { Cell } from '../../terminal/render/text/tone.ts'
import type { CardView } from '../../terminal/render/view.ts'
import { customerFields, noShowCell } from '../shared/views/customer-fields.ts'
import { customerName } from '../shared/views/customer-names.ts'
import { onlyFields } from '../shared/views/fields.ts'
import { listOf } from '../shared/views/list.ts'
import { instantCellAt, zoneName } from '../shared/views/moments.ts'
import { pathsIn } from '../shared/views/paths.ts'
import { textAt } from '../shared/views/wording.ts'

/** Shows one customer as a card. Source: "Customer (inside Booking)"; `fullName` is assumed. */
export const customerCard: CardView = {
  title: (one) => [
    { text: customerName(one) || 'Customer', tone: 'strong' },
    one['subscribed'] === false ? { text: 'no emails', tone: 'warn' } : '',
  ],
  sections: onlyFields([
    { label: 'Name', paths: ['fullName', 'firstName', 'lastName'], cell: customerName, blank: 'not given' },
    { label: 'Company', paths: ['company'] },
    ...customerFields(''),
  ]),
}

/** Shows customers as a list. The names of the members are assumed. */
export const customerList = listOf('customer', 'customers', 'No customers.', {
  columns: [
    { path: 'fullName', header: 'NAME', cell: customerName, flex: 12, rank: 2 },
    { path: 'phone', header: 'PHONE', cell: (one) => textAt(one, 'phone') || textAt(one, 'phoneNational'), rank: 3 },
    { path: 'email', header: 'E-MAIL', flex: 14, rank: 4 },
    { path: 'subscribed', header: 'MARKETING', cell: marketingCell, rank: 5 },
    { path: 'company', header: 'COMPANY', flex: 8, rank: 8, optional: true },
    { path: 'noShowCount', header: 'NO-SHOWS', align: 'right', cell: noShowCell, rank: 7, optional: true },
    { path: 'lastModifiedDate', header: 'CHANGED', cell: instantCellAt('lastModifiedDate'), rank: 6, optional: true },
    { path: 'id', header: 'CUSTOMER ID', rank: 1 },
  ],
  csvPaths: pathsIn(`id firstName lastName fullName company email phone phoneNational phone2 subscribed noShowCount
    address.line1 address.line2 address.city address.state address.postalCode address.country
    birthdayDate birthdayMonth birthdayYear notes tags lastModifiedDate`),
  card: customerCard,
  footnote: (context) => `times in ${zoneName(context)}`,
})

export const unsubscribedList = listOf('customer', 'customers', 'No customers were unsubscribed.', {
  columns: [
    { path: 'id', header: 'CUSTOMER ID', rank: 1 },
    { path: 'outcome', header: 'OUTCOME', cell: outcomeCell, rank: 2 },
    { path: 'status', header: 'STATUS', align: 'right', rank: 4 },
    { path: 'message', header: 'MESSAGE', flex: 20, rank: 3, optional: true },
  ],
})

export const unsubscribedCard: CardView = {
  title: (line) => [{ text: `Unsubscribed customer ${textAt(line, 'id')}`, tone: 'good' }],
  sections: onlyFields([
    { label: 'Response', paths: ['message'] },
    { label: '', paths: ['id', 'outcome', 'status', 'subscribed'], cell: () => '' },
  ]),
}

function outcomeCell(line: JsonObject): Cell {
  return { text: textAt(line, 'outcome'), tone: line['outcome'] === 'unsubscribed' ? 'good' : 'bad' }
}

function marketingCell(one: JsonObject): Cell {
  if (one['subscribed'] === true) return 'yes'
  return one['subscribed'] === false ? { text: 'no', tone: 'warn' } : textAt(one, 'subscribed')
}
