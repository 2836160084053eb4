/** Matches a country calling code (E.164). Any code that is not listed here has three digits. */
const COUNTRY_CODE = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/
/** Matches an international number, which starts with `+` or `00`. */
const INTERNATIONAL = /^[^\d+]*(?:\+|0[^\d+]*0)/
/** A number without `+` or `00` is treated as international only if it has at least this many digits. */
const INTERNATIONAL_DIGITS = 11
/**
 * The minimum number of digits after the country code. This limit prevents dates such as `20261122` from being
 * shortened.
 */
const MIN_NATIONAL_DIGITS = 7

/**
 * Returns a phone number's digits without international and national prefixes, so that `+61 412 345 678`,
 * `0061 412 345 678` and `0412 345 678` are equal. Returns '' if the text has no digits.
 */
export function comparablePhone(text: string): string {
  let digits = text.replace(/\D/g, '').replace(/^0+/, '')
  let isInternational = INTERNATIONAL.test(text)
  while (isInternational || digits.length >= INTERNATIONAL_DIGITS) {
    const national = digits.replace(COUNTRY_CODE, '').replace(/^0+/, '')
    if (national.length < MIN_NATIONAL_DIGITS) break
    digits = national
    isInternational = false
  }
  return digits
}

const ONE_WORD = /^[A-Za-z0-9-]*$/

/**
 * Returns a card number in upper case without hyphens, so that `gift1-00000100-aaaa` and `GIFT100000100AAAA` are equal.
 */
export function comparableCard(text: string): string {
  const plain = ONE_WORD.test(text) ? text.replaceAll('-', '') : text.replace(/[^\p{L}\p{N}]/gu, '')
  return plain.toUpperCase()
}

const IS_ASCII = /^[ -&(-~]*$/

/** Returns a name in lower case, without accents or apostrophes, so that `Zoë O’Neill` and `ZOE ONEILL` are equal. */
export function comparableName(text: string): string {
  const plain = IS_ASCII.test(text) ? text : text.normalize('NFD').replace(/[\p{M}'\u2019]/gu, '')
  return plain.toLowerCase()
}
