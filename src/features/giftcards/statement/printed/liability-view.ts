import type { JsonObject } from '../../../../base/json/exact.ts'
import type { CardView, Column } from '../../../../terminal/render/view.ts'
import { onlyFields } from '../../../shared/views/fields.ts'
import { listOf } from '../../../shared/views/list.ts'
import { instantText } from '../../../shared/views/moments.ts'
import { sumMembers } from '../../../shared/views/totals.ts'
import { counted, textAt, words } from '../../../shared/views/wording.ts'
import type { Liability } from '../../output.ts'

const FIGURES: readonly Column[] = [
  { path: 'cards', header: 'CARDS', align: 'right' },
  { path: 'amount', header: 'LEFT (UNITS)', align: 'right' },
]

export const liabilityCard: CardView = {
  title: (one, context) => [
    { text: `Owed on gift cards: ${textAt(one, 'owed.amount')}`, tone: 'strong' },
    counted(textAt(one, 'owed.cards'), 'card', 'cards'),
    { text: instantText(one['at'], context), tone: 'dim' },
  ],
  sections: [
    {
      heading: 'By status',
      path: 'byStatus',
      columns: [
        { path: 'status', header: 'STATUS', cell: (row) => words(textAt(row, 'status')) || 'none given' },
        ...FIGURES,
        { path: 'owed', header: 'OWED', cell: (row) => (row['owed'] === true ? { text: 'owed', tone: 'good' } : '') },
      ],
    },
    { heading: 'Owed, by age', path: 'byAge', columns: [{ path: 'age', header: 'ISSUED SINCE' }, ...FIGURES] },
    {
      heading: 'Owed, by month of expiry',
      path: 'byExpiry',
      columns: [{ path: 'month', header: 'EXPIRES' }, ...FIGURES],
    },
    ...onlyFields([
      {
        label: 'Past expiry',
        paths: ['pastExpiry', 'owed', 'at'],
        cell: (one) => {
          const [cards, amount] = [textAt(one, 'pastExpiry.cards'), textAt(one, 'pastExpiry.amount')]
          const text = `${amount} on ${counted(cards, 'card', 'cards')} past the expiry date that are not Expired yet`
          return cards === '0' ? '' : { text, tone: 'warn' }
        },
      },
      {
        label: 'Not counted',
        paths: ['unreadable'],
        cell: ({ unreadable }) => {
          const cards = Array.isArray(unreadable) ? unreadable : []
          return cards.length === 0 ? '' : { text: `unreadable balances: ${cards.join(', ')}`, tone: 'warn' }
        },
      },
    ]),
  ],
}

/** The list view of the rows that {@link liabilityRows} returns. */
export const liabilityList = listOf('row', 'rows', 'No gift cards.', {
  columns: [
    { path: 'by', header: 'BY' },
    { path: 'group', header: 'GROUP' },
    ...FIGURES,
    { path: 'owed', header: 'OWED' },
  ],
})

export const liabilityTotals = listOf('venue', 'venues', 'No venue.', {
  columns: [
    { path: 'owed.amount', header: 'OWED (UNITS)', align: 'right' },
    { path: 'owed.cards', header: 'CARDS', align: 'right' },
    { path: 'pastExpiry.amount', header: 'PAST EXPIRY', align: 'right', rank: 5 },
    { path: 'at', header: 'AT', cell: ({ at }, context) => instantText(at, context), rank: 6 },
  ],
  total: (records) => sumMembers(records, ['owed.amount', 'owed.cards', 'pastExpiry.amount']),
})

/**
 * Returns one row for each status, age group and expiry month. `by` names the grouping. The `owed` rows of each
 * grouping add up to the amount owed.
 */
export function liabilityRows({ byStatus, byAge, byExpiry }: Liability): JsonObject[] {
  return [
    ...byStatus.map(({ status, cards, amount, owed }) => ({ by: 'status', group: status, cards, amount, owed })),
    ...byAge.map(({ age, cards, amount }) => ({ by: 'age', group: age, cards, amount, owed: true })),
    ...byExpiry.map(({ month, cards, amount }) => ({ by: 'expiry', group: month, cards, amount, owed: true })),
  ]
}
