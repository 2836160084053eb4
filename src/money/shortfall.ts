import { Failure } from '../base/failure/failure.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/exact.ts'
import { parseWireTime } from '../base/time/wire-time.ts'
import { type Amount, centsText } from './amount.ts'
import { type CardReading, extractReading, getStatus } from './card-reading.ts'

/** Explains that the balance is 0, or too low for a redemption. Returns `null` if it is sufficient or unknown. */
function describeShortfall(reading: CardReading | null, amount: Amount | null): string | null {
  if (reading === null) return null
  if (reading.balance === 0n) return 'nothing is left on the card'
  const cents = amount?.cents ?? null
  if (cents === null || reading.balance >= cents) return null
  return `only ${centsText(reading.balance)} is left on the card, less than the requested ${centsText(cents)}`
}

/**
 * Lists the problems with a card, one sentence each: it is not `Active`, it has expired, or its balance is too low.
 * `amount` is `null` for a cancellation.
 */
export function findCardProblems(card: JsonValue, amount: Amount | null, nowMs: number): readonly string[] {
  if (!isJsonObject(card)) return []
  const problems = [describeStatus(card, nowMs), describeShortfall(extractReading(card), amount)]
  return problems.filter((problem) => problem !== null)
}

function describeStatus(card: JsonObject, nowMs: number): string | null {
  const status = getStatus(card) ?? 'Active'
  if (status !== 'Active') return `the card's status is ${status}, not Active`
  const { expiryDate } = card
  const hasPassed = typeof expiryDate === 'string' && parseWireTime(expiryDate) <= nowMs
  return hasPassed ? "the card's expiry date has passed" : null
}

/**
 * Runs a check and rethrows its errors. `reading` is from before the redemption. If the balance was too low, the hint
 * of a BUSINESS_FAILURE says so.
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
