import { type JsonValue, withoutExponent } from '../../../base/json/exact.ts'
import { plainText } from './plain-text.ts'

/** An amount in currency units: every digit, and at least two decimals. A value that is not a number is returned as it is. */
export function amountText(amount: JsonValue | undefined): string {
  const digits = withoutExponent(plainText(amount))
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(digits) ?? []
  return whole === undefined ? digits : `${whole}.${decimals.padEnd(2, '0')}`
}

/** True when the member at a path is an amount in currency units, going by its name: `remainingAmount`, `saleDetail.total`. */
export function isAmountPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (/cents/i.test(name)) return false
  return /amount|price/i.test(name) || /(?:^|\.)saleDetail\.(?:total|totalExTax|tax|discount)$/.test(path)
}

/** True when the member at a path is an ID, going by its name: `bookingId`, `_id`, `externalIds.0`, `cardNumber`, `bookingRef`. */
export function isIdPath(path: string): boolean {
  return /(?:^|\.)_?id$|I[dD]s?$|[Nn]umber$|Ref$/.test(path.replace(/(?:\.\d+)+$/, ''))
}

/** A member as text: an amount with two decimals at least, anything else as it is. */
export function memberText(value: JsonValue | undefined, path: string): string {
  return isAmountPath(path) ? amountText(value) : plainText(value)
}
