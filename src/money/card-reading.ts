import { isJsonObject, type JsonObject, numberText, parseExact } from '../base/json/exact.ts'
import { CARD_NUMBER_PATTERN } from '../contract/shapes/scalars.ts'
import { balanceCentsOf } from './amount.ts'

/** The state of a card at one moment. Amounts in cents. */
export interface CardReading {
  readonly balance: bigint
  /** Null if the response does not say. */
  readonly status: string | null
  /** Everything ever put on the card, including top-ups; null if the response does not say. */
  readonly total: bigint | null
}

/** The first is documented. The others are guesses for the inbound endpoint, whose response is not. */
const BALANCE_MEMBERS = ['remainingAmount', 'remainingBalance', 'balance']

/** Normalizes a typed card number if it has the known form. */
export function cardMeant(typed: string): string {
  const number = typed.trim().toUpperCase()
  return CARD_NUMBER_PATTERN.test(number) ? number : typed
}

/** Reads a card, or a response about one; null if it has no balance. */
export function readingOf(card: JsonObject): CardReading | null {
  const balance = BALANCE_MEMBERS.map((member) => centsAt(card, member)).find((found) => found !== null) ?? null
  return balance === null ? null : { balance, status: statusIn(card), total: centsAt(card, 'amount') }
}

/** Null if the service does not say. */
export function statusIn(card: JsonObject): string | null {
  const status = card['status']
  return typeof status === 'string' && status !== '' ? status : null
}

function centsAt(card: JsonObject, member: string): bigint | null {
  const text = numberText(card[member])
  return text === null ? null : balanceCentsOf(text)
}

/** Formats a reading for an operation. */
export function noteOf({ balance, status, total }: CardReading): string {
  return JSON.stringify({ balance: String(balance), status, total: total === null ? null : String(total) })
}

/** Parses {@link noteOf}; null if there is no reading. */
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

/** The balance in {@link noteOf}, in cents; null if there is none. */
export function balanceBefore(before: string | null): bigint | null {
  return notedReading(before)?.balance ?? null
}
