import { Failure } from '../base/failure/failure.ts'
import { isJsonObject, type JsonValue } from '../base/json/exact.ts'
import { type Amount, centsText } from './amount.ts'
import { type CardReading, extractReading, getStatus } from './card-reading.ts'

const SPENT = 'nothing is left on the card'

/** Explains that the balance is too low for a redeem. Returns `null` if the balance is sufficient or unknown. */
export function describeShortfall(reading: CardReading | null, { cents }: Amount): string | null {
  if (reading === null || cents === null || reading.balance >= cents) return null
  if (reading.balance === 0n) return SPENT
  return `only ${centsText(reading.balance)} is left on the card, less than the requested ${centsText(cents)}`
}

/**
 * Describes what is wrong with a card that is about to be changed: it is not `Active`, or its balance is too low.
 * Returns `null` if nothing is wrong.
 */
export function findCardProblems(card: JsonValue, amount: Amount | null): string | null {
  if (!isJsonObject(card)) return null
  const status = getStatus(card)
  const reading = extractReading(card)
  const isSpent = amount === null && reading?.balance === 0n
  const short = isSpent ? SPENT : amount && describeShortfall(reading, amount)
  const doubts = [status === null || status === 'Active' ? null : `the card is ${status}`, short]
  return doubts.filter((doubt) => doubt !== null).join('; ') || null
}

/**
 * Runs a check. If the check fails and the balance before the redeem (`reading`) was too low, adds that to the hint.
 * Throws whatever the check throws.
 */
export function checkWithShortfallHint(reading: CardReading | null, amount: Amount, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'BUSINESS_FAILURE') throw error
    const short = describeShortfall(reading, amount)
    throw short === null ? error : error.withHint([short, error.hint].filter(Boolean).join('; '))
  }
}
