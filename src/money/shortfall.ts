import { Failure } from '../failure/failure.ts'
import { type Amount, centsText } from './amount.ts'
import type { CardReading } from './card-reading.ts'

/** Says that a card has less left than a redeem asks for; null when it has enough, or when nobody knows what it has. */
export function shortfallOf(reading: CardReading | null, { cents }: Amount): string | null {
  if (reading === null || cents === null || reading.balance >= cents) return null
  if (reading.balance === 0n) return 'nothing is left on the card'
  return `only ${centsText(reading.balance)} is left on the card, less than the ${centsText(cents)} asked for`
}

/**
 * Runs a check of an answer; when the service refused, and less was left than asked for, the failure says how much.
 * `reading` is that from before the redeem. Fails: as the check.
 */
export function checkSaying(reading: CardReading | null, amount: Amount, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'BUSINESS_FAILURE') throw error
    const short = shortfallOf(reading, amount)
    throw short === null ? error : error.withHint([short, error.hint].filter(Boolean).join('; '))
  }
}
