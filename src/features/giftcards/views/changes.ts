import type { CardView, Field, ListView } from '../../../terminal/render/view.ts'
import { joined, money, textAt, words } from '../../shared/views/wording.ts'

/** What was on a card before and after, in currency units; null where nobody knows. */
interface BalanceShown {
  readonly before: string | null
  readonly after: string | null
}

interface Views {
  readonly card: CardView
  readonly list: ListView
}

/** `50.25 → 40.25`; empty when nothing is known. */
function balanceText({ before, after }: BalanceShown): string {
  return joined([after === null ? '' : (before ?? ''), after ?? ''], ' → ')
}

/** The answer to a redeem, with what it did to the balance. */
export function redemptionViews(change: BalanceShown | null): Views {
  if (change === null || change.after === null) return { card: redemptionCard, list: redemptionList }
  const balance: Field = { label: 'Balance', paths: ['remainingAmount'], cell: () => balanceText(change) }
  const sections = redemptionCard.sections.map((section) =>
    'fields' in section
      ? { ...section, fields: section.fields.map((field) => (field.label === 'Balance' ? balance : field)) }
      : section,
  )
  return { card: { ...redemptionCard, sections }, list: redemptionList }
}

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
        // In the answer of the inbound endpoint.
        { label: 'Location ID', paths: ['locationId'] },
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

/** A cancellation, with what the card was before: its balance in currency units, and its status. */
export function cancellationViews(before: { readonly balance: string | null; readonly status: string | null }): Views {
  const balance = before.balance ?? ''
  const fields: Field[] = [
    {
      label: 'Balance',
      paths: ['cardNumber'],
      cell: ({ changed }) => joined([balance, balance && changed !== false ? '(nothing can be spent)' : ''], ' '),
    },
    {
      label: 'Status',
      paths: ['status', 'changed'],
      cell: ({ status, changed }) =>
        changed === false ? String(status) : joined([before.status ?? '', String(status)], ' → '),
    },
  ]
  return { card: { ...cancellationCard, sections: [{ heading: null, fields }] }, list: cancellationList }
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
