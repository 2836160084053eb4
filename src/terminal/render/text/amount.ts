import { type JsonValue, withoutExponent } from '../../../base/json/exact.ts'
import { plainText } from './plain-text.ts'

/**
 * Formats an amount in currency units, with all its digits and at least two decimal places. Converts any other value to
 * a string unchanged.
 */
export function amountText(amount: JsonValue | undefined): string {
  const digits = withoutExponent(plainText(amount))
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(digits) ?? []
  return whole === undefined ? digits : `${whole}.${decimals.padEnd(2, '0')}`
}

/**
 * Whether the last name in a path suggests an amount in currency units, such as `remainingAmount` or
 * `saleDetail.total`.
 */
export function isAmountPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (/cents/i.test(name)) return false
  return /amount|price/i.test(name) || /(?:^|\.)saleDetail\.(?:total|totalExTax|tax|discount)$/.test(path)
}

/** Whether a path's name suggests an ID, such as `bookingId`, `_id`, `externalIds.0`, `cardNumber` or `bookingRef`. */
export function isIdPath(path: string): boolean {
  return /(?:^|\.)_?id$|I[dD]s?$|[Nn]umber$|Ref$/.test(path.replace(/(?:\.\d+)+$/, ''))
}

/** Formats a member. Amounts have at least two decimal places. */
export function memberText(value: JsonValue | undefined, path: string): string {
  return isAmountPath(path) ? amountText(value) : plainText(value)
}
