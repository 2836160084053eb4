import { CARD_NUMBER_PATTERN } from '../../../contract/shapes/scalars.ts'
import { usageFailure } from '../../../failure/failure.ts'

/** A card number as it is sent, from one as people type it: any case, spaces around it. Fails: USAGE. */
export function cardNumberFrom(typed: string): string {
  const number = typed.trim().toUpperCase()
  if (CARD_NUMBER_PATTERN.test(number)) return number
  throw usageFailure(
    [`${JSON.stringify(typed)} is not a gift card number`],
    'a card number looks like XXXXX-XXXXXXXX-XXXX, letters and digits; nothing was sent',
  )
}
