import { usageFailure } from '../../../base/failure/failure.ts'
import { type Amount, centsOf } from '../../../money/amount.ts'

const AMOUNT_PATTERN = /^(?:0|[1-9]\d{0,6})(?:\.\d{1,2})?$/

const JSON_NUMBER_PATTERN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MOST_CENTS = 10n ** 15n

/**
 * Parses an amount. Throws USAGE unless it is above 0, is at most 9999999.99, and has at most two decimal places. If
 * `isChecked` is false, accepts any number.
 */
export function parseAmount(typed: string, flag: string, isChecked: boolean): Amount {
  if (!isChecked) return parseAnyAmount(typed, flag)
  const cents = AMOUNT_PATTERN.test(typed) ? centsOf(typed) : null
  if (cents === null)
    throw usageFailure(
      [`${flag} must be a number of at most 9999999.99 with at most two decimal places, not ${JSON.stringify(typed)}`],
      'nothing was sent; pass an amount such as 25 or 25.00, without a sign, an exponent or thousands separators',
      'money-units',
    )
  if (cents === 0n)
    throw usageFailure(
      [`${flag} must be above 0`],
      'nothing was sent; pass an amount such as 25 or 25.00',
      'money-units',
    )
  return { text: typed, cents }
}

function parseAnyAmount(typed: string, flag: string): Amount {
  if (!JSON_NUMBER_PATTERN.test(typed))
    throw usageFailure(
      [`${flag} must be a valid JSON number, not ${JSON.stringify(typed)}`],
      'nothing was sent; use a number such as 25, 0.5 or -1e2',
    )
  const cents = centsOf(typed)
  return { text: typed, cents: cents !== null && cents <= MOST_CENTS && cents >= -MOST_CENTS ? cents : null }
}
