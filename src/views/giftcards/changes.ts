import type { CardView, ListView } from '../../render/view.ts'
import { joined, money, textAt, words } from '../wording.ts'

/** The answer to a redeem. Source: "POST /GiftCards/redeem". */
export const redemptionCard: CardView = {
  title: (result) => {
    const number = textAt(result, 'cardNumber')
    if (result['isSuccess'] === false) return [{ text: 'Not redeemed', tone: 'bad' }, textAt(result, 'errorMessage')]
    const amount = money(result['amountRedeemed'])
    const text = joined(['Redeemed', amount, number === '' ? '' : `from ${number}`], ' ')
    return [{ text, tone: 'good' }]
  },
  sections: [
    {
      heading: null,
      fields: [
        { label: 'Card number', paths: ['cardNumber'], blank: 'not given' },
        { label: 'Redeemed', paths: ['amountRedeemed'], cell: (result) => money(result['amountRedeemed']) },
        { label: 'Balance', paths: ['remainingAmount'], cell: (result) => money(result['remainingAmount']) },
        {
          label: 'Status',
          paths: ['status'],
          cell: (result) => {
            const status = textAt(result, 'status')
            if (status === 'Active') return 'Active (part of the balance is left)'
            return status === 'Redeemed' ? 'Redeemed (nothing is left)' : words(status)
          },
        },
        {
          label: 'Error',
          paths: ['errorMessage', 'isSuccess'],
          cell: (r) => ({ text: textAt(r, 'errorMessage'), tone: 'bad' }),
        },
      ],
    },
  ],
}

/** The same, as a row. */
export const redemptionList: ListView = {
  columns: [
    { path: 'cardNumber', header: 'CARD', rank: 1 },
    { path: 'amountRedeemed', header: 'REDEEMED', align: 'right', cell: (result) => money(result['amountRedeemed']) },
    { path: 'status', header: 'STATUS' },
    { path: 'errorMessage', header: 'ERROR', flex: 16, optional: true },
  ],
  csvPaths: ['cardNumber', 'amountRedeemed', 'status', 'isSuccess', 'errorMessage'],
  empty: 'Nothing was redeemed.',
  one: 'redemption',
  many: 'redemptions',
}

/** A cancellation: `{cardNumber, status, changed}`, made by the command because the service answers without a body. */
export const cancellationCard: CardView = {
  title: (result) => {
    const number = textAt(result, 'cardNumber') || 'the card'
    if (result['changed'] === false)
      return [{ text: `Already cancelled: ${number}`, tone: 'strong' }, 'nothing was changed']
    return [{ text: `Cancelled ${number}`, tone: 'good' }]
  },
  sections: [{ heading: null, fields: [{ label: '', paths: ['cardNumber', 'status', 'changed'], cell: () => '' }] }],
}

/** The same, as a row. */
export const cancellationList: ListView = {
  columns: [
    { path: 'cardNumber', header: 'CARD' },
    { path: 'status', header: 'STATUS' },
    { path: 'changed', header: 'CHANGED' },
  ],
  csvPaths: ['cardNumber', 'status', 'changed'],
  empty: 'Nothing was cancelled.',
  one: 'card',
  many: 'cards',
}
