import type { JsonObject } from '../../../base/json/exact.ts'
import type { BalanceChange } from '../../../money/balance-change.ts'
import type { Views } from '../../../terminal/output/many/venue.ts'
import type { Cell } from '../../../terminal/render/text/tone.ts'
import type { Field } from '../../../terminal/render/view.ts'
import { ERROR_FIELD, onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { joined, money, moneyAt, textAt, words } from '../../shared/views/wording.ts'

/**
 * Returns the views of a redemption. `change` is `null` if the balance is known only from the response.
 * Source: "POST /GiftCards/redeem".
 */
export function redemptionViews(change: BalanceChange | null): Views {
  const after = change?.after ?? null
  const balance = after === null ? null : joined([change?.before ?? '', after], ' → ')
  return {
    list: redemptionList,
    card: {
      title: (result) => {
        const number = textAt(result, 'cardNumber')
        if (result['isSuccess'] === false)
          return [{ text: 'Not redeemed', tone: 'bad' }, textAt(result, 'errorMessage')]
        const amount = money(result['amountRedeemed'])
        const text = joined(['Redeemed', amount, number === '' ? '' : `from ${number}`], ' ')
        return [{ text, tone: 'good' }]
      },
      sections: onlyFields([
        { label: 'Card number', paths: ['cardNumber'], blank: 'not given' },
        { label: 'Redeemed', paths: ['amountRedeemed'], cell: moneyAt('amountRedeemed') },
        { label: 'Balance', paths: ['remainingAmount'], cell: (r) => balance ?? money(r['remainingAmount']) },
        { label: 'Status', paths: ['status'], cell: statusAfter },
        // Only responses from the inbound endpoint contain this member.
        { label: 'Location ID', paths: ['locationId'] },
        ERROR_FIELD,
      ]),
    },
  }
}

function statusAfter(result: JsonObject): string {
  const status = textAt(result, 'status')
  if (status === 'Active') return 'Active (part of the balance is left)'
  return status === 'Redeemed' ? 'Redeemed (nothing is left)' : words(status)
}

export const redemptionList = listOf('redemption', 'redemptions', 'Nothing was redeemed.', {
  columns: [
    { path: 'cardNumber', header: 'CARD', rank: 1 },
    { path: 'amountRedeemed', header: 'REDEEMED', align: 'right', cell: moneyAt('amountRedeemed') },
    { path: 'status', header: 'STATUS' },
    { path: 'errorMessage', header: 'ERROR', flex: 16, optional: true },
  ],
  csvPaths: ['cardNumber', 'amountRedeemed', 'status', 'isSuccess', 'errorMessage'],
})

/**
 * Returns the views of a cancellation, whose response has no body. `before` contains the previous balance in currency
 * units and the previous status, and is `null` if they are unknown.
 */
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
      cell: (result) =>
        joined([result['changed'] === false ? '' : (before.status ?? ''), textAt(result, 'status')], ' → '),
    },
  ]
  return { card: { title: cancellationTitle, sections: onlyFields(fields) }, list: cancellationList }
}

function cancellationTitle(result: JsonObject): readonly Cell[] {
  const number = textAt(result, 'cardNumber') || 'the card'
  return result['changed'] === false
    ? [{ text: `Already cancelled: ${number}`, tone: 'strong' }, 'nothing was changed']
    : [{ text: `Cancelled ${number}`, tone: 'good' }]
}

export const cancellationList = listOf('card', 'cards', 'Nothing was cancelled.', {
  columns: [
    { path: 'cardNumber', header: 'CARD' },
    { path: 'status', header: 'STATUS' },
    { path: 'changed', header: 'CHANGED' },
  ],
})
