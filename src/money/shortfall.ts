import { type Amount, centsText } from './amount.ts'
import type { CardReading } from './card-reading.ts'

/** Says that a card has less left than a redeem asks for; null when it has enough, or when nobody knows what it has. */
export function shortfallOf(reading: CardReading | null, { cents }: Amount): string | null {
  if (reading === null || cents === null || reading.balance >= cents) return null
  return `only ${centsText(reading.balance)} is left on the card, less than the ${centsText(cents)} asked for`
}
