import { isJsonObject, type JsonObject, numberText, parseExact } from '../base/json/exact.ts'
import { CARD_NUMBER_PATTERN, toAsciiUpperCase } from '../contract/shapes/scalars.ts'
import { parseBalanceCents } from './amount.ts'

/** A card's balance and status at one moment. Amounts are in cents. */
export interface CardReading {
  readonly balance: bigint
  /** The card's status, or `null` if the response does not contain it. */
  readonly status: string | null
  /** The total ever loaded onto the card, including top-ups, or `null` if the response does not contain it. */
  readonly total: bigint | null
}

/**
 * The members that can contain the balance. Only the first name is documented. The others are guesses for the inbound
 * endpoint, whose response is undocumented.
 */
const BALANCE_MEMBERS = ['remainingAmount', 'remainingBalance', 'balance']

/** Normalizes a card number as typed. If its format is not the documented one, returns it unchanged. */
export function normalizeCardNumber(typed: string): string {
  const number = toAsciiUpperCase(typed.trim())
  return CARD_NUMBER_PATTERN.test(number) ? number : typed
}

/**
 * Extracts the balance, status and total from a card, or from a response that describes one. Returns `null` if there is
 * no balance.
 */
export function extractReading(card: JsonObject): CardReading | null {
  const balance = BALANCE_MEMBERS.map((member) => centsAt(card, member)).find((found) => found !== null) ?? null
  return balance === null ? null : { balance, status: getStatus(card), total: centsAt(card, 'amount') }
}

/** Returns a card's status, or `null` if the service did not report one. */
export function getStatus(card: JsonObject): string | null {
  const status = card['status']
  return typeof status === 'string' && status !== '' ? status : null
}

function centsAt(card: JsonObject, member: string): bigint | null {
  const text = numberText(card[member])
  return text === null ? null : parseBalanceCents(text)
}

/** Serializes a reading for storage with an operation. */
export function formatReading({ balance, status, total }: CardReading): string {
  return JSON.stringify({ balance: String(balance), status, total: total === null ? null : String(total) })
}

/** Parses a reading that {@link formatReading} serialized. Returns `null` if the string does not contain a reading. */
export function parseReading(before: string | null): CardReading | null {
  const noted = before?.startsWith('{') ? parseExact(before) : null
  if (!isJsonObject(noted) || typeof noted['balance'] !== 'string') return null
  const total = noted['total']
  return {
    balance: BigInt(noted['balance']),
    status: getStatus(noted),
    total: typeof total === 'string' ? BigInt(total) : null,
  }
}

/** Returns the balance, in cents, from a reading that {@link formatReading} serialized, or `null` if there is none. */
export function balanceBefore(before: string | null): bigint | null {
  return parseReading(before)?.balance ?? null
}
