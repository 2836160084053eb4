import { usageFailure } from '../../../base/failure/failure.ts'
import { CARD_NUMBER_PATTERN, toAsciiUpperCase } from '../../../contract/shapes/scalars.ts'

/**
 * Parses a card number, ignoring case. Throws USAGE if it seems to contain a typing error. Never corrects the error,
 * because a wrong guess would move money.
 */
export function parseCardNumber(typed: string, isChecked: boolean): string {
  if (!isChecked) return typed
  const number = toAsciiUpperCase(typed.trim())
  const isFormed = CARD_NUMBER_PATTERN.test(number)
  if (isFormed && !isSuspicious(typed.trim())) return number
  const meant = nearestForm(typed)
  const anyway = isFormed ? '; if it is correct as typed, add --no-validate' : ''
  throw usageFailure(
    [`${JSON.stringify(typed)} is not a gift card number${meant === null ? '' : `; did you mean ${meant}?`}`],
    `nothing was sent; check the number, which consists of letters and digits in the format XXXXX-XXXXXXXX-XXXX${anyway}`,
  )
}

const MISREAD = /^(?=.*[OIL])[\dOIL]+$/

/**
 * Whether a number was probably misread: it contains O, I or L instead of digits, or its only lower-case letter is l.
 */
function isSuspicious(number: string): boolean {
  return MISREAD.test(number.toUpperCase().split('-')[1] ?? '') || hasLoneSmallL(number)
}

function hasLoneSmallL(number: string): boolean {
  return /l/.test(number) && /[A-Z]/.test(number) && !/[a-km-z]/.test(number)
}

/** Returns the card number that the user probably meant, or `null` if the text does not look like a card number. */
function nearestForm(typed: string): string | null {
  const plain = typed.normalize('NFKC')
  const ones = hasLoneSmallL(plain) ? plain.replaceAll('l', '1') : plain
  const signs = ones.toUpperCase().replace(/[\s\p{Dash}_./\\"'\u2212\u200b-\u200f\ufeff]/gu, '')
  const middle = signs.slice(5, 13)
  const digits = MISREAD.test(middle) ? middle.replaceAll('O', '0').replace(/[IL]/g, '1') : middle
  const formed = `${signs.slice(0, 5)}-${digits}-${signs.slice(13)}`
  return CARD_NUMBER_PATTERN.test(formed) ? formed : null
}
