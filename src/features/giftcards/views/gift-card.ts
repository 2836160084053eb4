import { joinNames } from '../../../base/counted.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { type Cell, type Tone, toned } from '../../../terminal/render/text/tone.ts'
import type { CardView, CellOf, Field, ViewContext } from '../../../terminal/render/view.ts'
import { nameAndEmail } from '../../shared/views/customer-names.ts'
import { ERROR_FIELD, onlyFields } from '../../shared/views/fields.ts'
import { listOf } from '../../shared/views/list.ts'
import { instantAndDistance, instantCell, instantMs, zoneName } from '../../shared/views/moments.ts'
import { pathsIn } from '../../shared/views/paths.ts'
import { joined, money, moneyAt, textAt, words, wordsAt } from '../../shared/views/wording.ts'

const STATUS_TONES: Readonly<Record<string, Tone>> = {
  Active: 'good',
  AwaitingPayment: 'warn',
  PendingPostage: 'warn',
  Redeemed: 'dim',
  Cancelled: 'bad',
  Expired: 'bad',
}

/** The card view of a gift card. Source: "Gift card". */
export const giftCardCard: CardView = {
  title: (card) => [{ text: joined(['Gift card', textAt(card, 'cardNumber')], ' '), tone: 'strong' }, statusOf(card)],
  sections: onlyFields([
    { label: 'Balance', paths: ['remainingAmount', 'amount'], cell: balance, blank: 'not given' },
    { label: 'Status', paths: ['status'], cell: statusOf, blank: 'not given' },
    { label: 'Expires', paths: ['expiryDate'], cell: instantAndDistance('expiryDate'), blank: 'no date given' },
    { label: 'Issued', paths: ['issuedDate'], cell: instantAndDistance('issuedDate') },
    personField('Recipient', 'recipient'),
    personField('Purchaser', 'purchaser'),
    { label: 'Format', paths: ['cardFormat'], cell: wordsAt('cardFormat') },
    { label: 'Payment', paths: ['paymentType'], cell: wordsAt('paymentType') },
    { label: 'Experience', paths: ['experienceCardName'] },
    { label: 'Details', paths: ['experienceCardDetails'] },
    { label: 'Card number', paths: ['cardNumber'], blank: 'not given' },
  ]),
}

/** The list view of gift cards. Source: "Gift card". */
export const giftCardList = listOf('gift card', 'gift cards', 'No gift cards.', {
  columns: [
    { path: 'cardNumber', header: 'CARD', rank: 1 },
    { path: 'remainingAmount', header: 'BALANCE', align: 'right', cell: moneyAt('remainingAmount'), rank: 2 },
    { path: 'amount', header: 'OF', align: 'right', cell: moneyAt('amount'), rank: 5 },
    { path: 'status', header: 'STATUS', cell: statusOf, rank: 3 },
    { path: 'expiryDate', header: 'EXPIRES', cell: expiryCell, rank: 4 },
    { path: 'recipientEmail', header: 'RECIPIENT', cell: personAt('recipient'), flex: 12, rank: 6, optional: true },
    { path: 'purchaserEmail', header: 'PURCHASER', cell: personAt('purchaser'), flex: 12, rank: 7, optional: true },
    { path: 'cardFormat', header: 'FORMAT', cell: wordsAt('cardFormat'), flex: 10, rank: 8, optional: true },
  ],
  csvPaths: pathsIn(`cardNumber status amount remainingAmount issuedDate expiryDate paymentType cardFormat
    experienceCardName experienceCardDetails purchaserFirstName purchaserLastName purchaserEmail
    recipientFirstName recipientLastName recipientEmail`),
  card: giftCardCard,
  footnote: (context) => `times in ${zoneName(context)}`,
})

/**
 * The view of a gift card balance from the signed endpoint. Its members are assumed, because the specification does not
 * show the response.
 */
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

function personAt(prefix: string): CellOf {
  return (card) => nameAndEmail(card, prefix)
}

function personField(label: string, prefix: string): Field {
  return { label, paths: ['FirstName', 'LastName', 'Email'].map((part) => prefix + part), cell: personAt(prefix) }
}

function balance(card: JsonObject): Cell {
  const left = money(card['remainingAmount'])
  const whole = money(card['amount'])
  if (left === '' || whole === '') return left || (whole === '' ? '' : `${whole} when issued`)
  return { text: left === whole ? `${left}, unused` : `${left} of ${whole}`, tone: 'strong' }
}

function statusOf(card: JsonObject): Cell {
  const status = textAt(card, 'status')
  return toned(status, STATUS_TONES, words(status))
}

function expiryCell(card: JsonObject, context: ViewContext): Cell {
  const text = instantCell(card['expiryDate'], context)
  const epochMs = instantMs(card['expiryDate'])
  return epochMs !== null && epochMs < context.now ? { text, tone: 'bad' } : text
}

const HIDDEN = ['cancelled', 'redeemed', 'expired'] as const

/**
 * Describes the cards that the list omits and names the flags that show them. Returns `undefined` if none are omitted.
 */
export function hiddenCards(
  flags: { readonly [F in `include-${(typeof HIDDEN)[number]}`]?: boolean },
): string | undefined {
  const hidden = HIDDEN.filter((state) => flags[`include-${state}`] !== true)
  if (hidden.length === 0) return undefined
  return `Not shown: ${joinNames(hidden, 'or')} cards (${hidden.map((state) => `--include-${state}`).join(' ')})`
}
