import type { GiftCardStatus } from '../../contract/giftcards.ts'
import { queueEvent } from '../deliveries/queue.ts'
import type { Row, Store } from '../store/store.ts'

/** A gift card as stored. Amounts are in cents, and times are in milliseconds since 1970. */
export type Card = Readonly<ReturnType<typeof readCard>>

/** The default values of the gift card members that never change. */
export const CARD_DEFAULTS = {
  paymentType: 'Online',
  cardFormat: 'EGiftCard',
  experienceCardName: '',
  experienceCardDetails: '',
  purchaserFirstName: '',
  purchaserLastName: '',
  purchaserEmail: '',
  recipientFirstName: '',
  recipientLastName: '',
  recipientEmail: '',
}

/** The members of a gift card that never change, as the service returns them. Unknown members are empty. */
export type CardDocument = Readonly<typeof CARD_DEFAULTS>

export function readCard(row: Row) {
  return {
    number: String(row['number']),
    location: String(row['location']),
    status: row['status'] as GiftCardStatus,
    amountCents: Number(row['amount_cents']),
    remainingCents: Number(row['remaining_cents']),
    issued: Number(row['issued']),
    expires: Number(row['expires']),
    sku: row['sku'] as string | null,
    lasting: JSON.parse(String(row['document'])) as CardDocument,
  }
}

/**
 * Finds a gift card at any venue. An active card is reported as expired once its expiry has passed, even if its row has
 * not been updated yet.
 */
export function findCard(store: Store, number: string, now: number): Card | undefined {
  const row = store.get('SELECT * FROM gift_cards WHERE number = ?', number)
  if (!row) return undefined
  const card = readCard(row)
  return card.status === 'Active' && card.expires <= now ? { ...card, status: 'Expired' } : card
}

const DUE = "FROM gift_cards WHERE status = 'Active' AND expires <= ?"

/** Marks active gift cards as expired if their expiry has passed and queues an event for each of them. */
export function expireCards(store: Store, now: number): void {
  if (!store.get(`SELECT 1 ${DUE} LIMIT 1`, now)) return
  store.transaction(() => {
    for (const { number, location } of store.all(`SELECT number, location ${DUE}`, now)) {
      store.run("UPDATE gift_cards SET status = 'Expired' WHERE number = ?", String(number))
      if (store.isLinked(String(location))) queueEvent(store, 'GIFTCARDS_UPDATED', String(number), now)
    }
  })
}

/** Creates a Gift card object, with amounts in currency units. Source: "Gift card". */
export function toGiftCard(card: Card): Record<string, unknown> {
  return {
    cardNumber: card.number,
    issuedDate: new Date(card.issued).toISOString(),
    expiryDate: new Date(card.expires).toISOString(),
    amount: card.amountCents / 100,
    remainingAmount: card.remainingCents / 100,
    status: card.status,
    ...card.lasting,
  }
}

const REFUSALS: Readonly<Record<Exclude<GiftCardStatus, 'Active'>, string>> = {
  Redeemed: 'The gift card has already been redeemed.',
  Cancelled: 'The gift card has been cancelled.',
  Expired: 'The gift card has expired.',
  AwaitingPayment: 'The gift card has not been paid for yet.',
  PendingPostage: 'The gift card has not been posted yet.',
}

function failedRedemption(card: Card, errorMessage: string) {
  return { cardNumber: card.number, amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage }
}

/**
 * Redeems an amount from a gift card. If that is not possible, returns a failed redemption with the reason.
 * `amountRedeemed` is in currency units. Source: "POST /GiftCards/redeem".
 */
export function redeemCard(
  store: Store,
  card: Card,
  cents: number,
  now: number,
  verify: { readonly email: string | null; readonly notes: string | null },
) {
  if (card.status !== 'Active') return failedRedemption(card, REFUSALS[card.status])
  const holder = card.lasting.recipientEmail || card.lasting.purchaserEmail
  if (verify.email && holder && verify.email.toLowerCase() !== holder.toLowerCase())
    return failedRedemption(card, 'The gift card was issued to another email address.')
  if (cents > card.remainingCents)
    return failedRedemption(card, 'The amount is more than the remaining balance of the gift card.')
  const left = card.remainingCents - cents
  const status = left === 0 ? 'Redeemed' : 'Active'
  store.run('UPDATE gift_cards SET remaining_cents = ?, status = ? WHERE number = ?', left, status, card.number)
  store.insert('redemptions', { card: card.number, cents, at: now, notes: verify.notes })
  return { cardNumber: card.number, amountRedeemed: cents / 100, status, isSuccess: true, errorMessage: '' }
}

const DECIMAL = /^(\d{1,15})(?:\.(\d*))?(?:[eE]([+-]?\d{1,2}))?$/

/** An amount in currency units that exceeds the balance of any card. */
const BALANCE_LIMIT = 1e13

/**
 * The largest value of a 96-bit decimal, which is the type that the service uses for amounts. Source: "Gift card". The
 * number of bits is assumed.
 */
const DECIMAL_LIMIT = 7.9e28

/**
 * Converts an amount in currency units to cents. Returns `null` if the result is not a positive whole number. Caps huge
 * amounts at the largest safe integer.
 */
export function parseCents(digits: string): number | null {
  const size = Number(digits)
  if (size >= BALANCE_LIMIT) return size < DECIMAL_LIMIT ? Number.MAX_SAFE_INTEGER : null
  const match = DECIMAL.exec(digits)
  if (!match) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const places = fraction.length - Number(exponent) - 2
  const scaled = BigInt(whole + fraction)
  const divisor = 10n ** BigInt(Math.max(0, places))
  if (scaled % divisor !== 0n) return null
  const cents = (scaled / divisor) * 10n ** BigInt(Math.max(0, -places))
  return cents > 0n ? Number(cents) : null
}
