import { isJsonObject, type JsonValue } from '../json/exact.ts'
import { type Amount, centsText } from './amount.ts'
import { readingOf } from './card-reading.ts'

/** Says that a card has less left than a redeem asks for; null when it has enough, or does not say what it has. */
export function shortfallOf(card: JsonValue, { cents }: Amount): string | null {
  const reading = isJsonObject(card) ? readingOf(card) : null
  if (reading === null || reading.balance >= cents) return null
  return `only ${centsText(reading.balance)} is left on the card, less than the ${centsText(cents)} asked for`
}
