import type { CardView } from '../../../terminal/render/view.ts'
import { onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { instantAndDistance } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { joined, money, moneyAt, textAt, words, wordsAt } from '../../shared/views/wording.ts'
import { ERROR_FIELD } from './changes.ts'

/** The balance of a card from the signed endpoint. Assumed: the specification does not show its answer. */
export const balanceCard: CardView = {
  title: (card) => [
    { text: joined(['Gift card', textAt(card, 'cardNumber')], ' '), tone: 'strong' },
    words(textAt(card, 'status')),
  ],
  sections: onlyFields([
    {
      label: 'Balance',
      paths: ['remainingAmount', 'amount'],
      cell: (card) => {
        const whole = money(card['amount'])
        return joined([money(card['remainingAmount']), whole === '' ? '' : `of ${whole}`], ' ')
      },
      blank: 'not given',
    },
    { label: 'Status', paths: ['status'], cell: wordsAt('status') },
    { label: 'Expires', paths: ['expiryDate'], cell: instantAndDistance('expiryDate') },
    { label: 'Location ID', paths: ['locationId'] },
    { label: 'Card number', paths: ['cardNumber'] },
    ERROR_FIELD,
  ]),
}

export const balanceList = listOf('card', 'cards', 'No card.', {
  columns: [
    { path: 'cardNumber', header: 'CARD', rank: 1 },
    { path: 'remainingAmount', header: 'BALANCE', align: 'right', cell: moneyAt('remainingAmount') },
    { path: 'amount', header: 'OF', align: 'right', cell: moneyAt('amount') },
    { path: 'status', header: 'STATUS', cell: wordsAt('status') },
  ],
  csvPaths: pathsIn('cardNumber remainingAmount amount status expiryDate locationId isSuccess errorMessage'),
})
