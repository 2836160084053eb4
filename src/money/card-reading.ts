import { isJsonObject, type JsonObject, numberText, parseExact } from '../base/json/exact.ts'
import { CARD_NUMBER_PATTERN } from '../contract/shapes/scalars.ts'
import { balanceCentsOf } from './amount.ts'

/** What the service said about a card at one moment. Amounts in cents. */
export interface CardReading {
  /** What is left on the card. */
  readonly balance: bigint
  /** Null when the answer does not say. */
  readonly status: string | null
  /** Everything that was ever put on the card, which a top-up raises; null when the answer does not say. */
  readonly total: bigint | null
}

/** The first is documented. The specification does not show the answer of the inbound endpoint, so the others are tried too. */
const BALANCE_MEMBERS = ['remainingAmount', 'remainingBalance', 'balance']

/** The card that a typed number means: by its own form where it has one, else as it was typed. */
export function cardMeant(typed: string): string {
  const number = typed.trim().toUpperCase()
  return CARD_NUMBER_PATTERN.test(number) ? number : typed
}

/** The reading in a card, or in an answer about one; null when it does not say what is left. */
export function readingOf(card: JsonObject): CardReading | null {
  const balance = BALANCE_MEMBERS.map((member) => centsAt(card, member)).find((found) => found !== null) ?? null
  return balance === null ? null : { balance, status: statusIn(card), total: centsAt(card, 'amount') }
}

/** The status of a card; null when the service does not say. */
export function statusIn(card: JsonObject): string | null {
  const status = card['status']
  return typeof status === 'string' && status !== '' ? status : null
}

function centsAt(card: JsonObject, member: string): bigint | null {
  const text = numberText(card[member])
  return text === null ? null : balanceCentsOf(text)
}

/** A reading as text, the way an operation keeps it. */
export function noteOf({ balance, status, total }: CardReading): string {
  return JSON.stringify({ balance: String(balance), status, total: total === null ? null : String(total) })
}

/** The reading from that text; null when it holds none. */
export function notedReading(before: string | null): CardReading | null {
  const noted = before?.startsWith('{') ? parseExact(before) : null
  if (!isJsonObject(noted) || typeof noted['balance'] !== 'string') return null
  const total = noted['total']
  return {
    balance: BigInt(noted['balance']),
    status: statusIn(noted),
    total: typeof total === 'string' ? BigInt(total) : null,
  }
}

/** The balance from that text, in cents; null when it holds none. */
export function balanceBefore(before: string | null): bigint | null {
  return notedReading(before)?.balance ?? null
}
