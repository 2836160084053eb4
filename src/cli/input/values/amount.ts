import { usageFailure } from '../../../failure/failure.ts'
import { type Amount, centsOf } from '../../../money/amount.ts'

const AMOUNT_PATTERN = /^(?:0|[1-9]\d{0,6})(?:\.\d{1,2})?$/

/** Reads an amount above 0 with at most two decimals, at most 9999999.99. Fails: USAGE. */
export function parseAmount(typed: string, flag: string): Amount {
  const cents = AMOUNT_PATTERN.test(typed) ? centsOf(typed) : null
  if (cents === null)
    throw usageFailure(
      [`${flag} must be digits with at most two decimals, at most 9999999.99, not ${JSON.stringify(typed)}`],
      'for example 25 or 25.00: no sign, no exponent, no thousands separator; nothing was sent',
    )
  if (cents === 0n) throw usageFailure([`${flag} must be above 0`], 'for example 25 or 25.00; nothing was sent')
  return { text: typed, cents }
}
