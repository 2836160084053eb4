import { CARD_NUMBER_PATTERN } from '../../../contract/shapes/scalars.ts'
import { usageFailure } from '../../../failure/failure.ts'

/**
 * Reads a card number as people type it, in any case and with spaces around it. Fails: USAGE.
 * @param isChecked false: whatever was typed is taken as it is.
 */
export function parseCardNumber(typed: string, isChecked: boolean): string {
  if (!isChecked) return typed
  const number = typed.trim().toUpperCase()
  if (CARD_NUMBER_PATTERN.test(number)) return number
  throw usageFailure(
    [`${JSON.stringify(typed)} is not a gift card number`],
    'check the number: it looks like XXXXX-XXXXXXXX-XXXX, letters and digits; nothing was sent',
  )
}
