import { type JsonValue, withoutExponent } from '../../../base/json/exact.ts'
import { plainText } from './plain-text.ts'

/** Formats an amount in currency units with every digit, at least two decimals. Returns other values as they are. */
export function amountText(amount: JsonValue | undefined): string {
  const digits = withoutExponent(plainText(amount))
  const [, whole, decimals = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(digits) ?? []
  return whole === undefined ? digits : `${whole}.${decimals.padEnd(2, '0')}`
}

/** True for the path of an amount in currency units, by its name: `remainingAmount`, `saleDetail.total`. */
export function isAmountPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (/cents/i.test(name)) return false
  return /amount|price/i.test(name) || /(?:^|\.)saleDetail\.(?:total|totalExTax|tax|discount)$/.test(path)
}

/** True for the path of an ID, by its name: `bookingId`, `_id`, `externalIds.0`, `cardNumber`, `bookingRef`. */
export function isIdPath(path: string): boolean {
  return /(?:^|\.)_?id$|I[dD]s?$|[Nn]umber$|Ref$/.test(path.replace(/(?:\.\d+)+$/, ''))
}

/** Formats a member; an amount has at least two decimals. */
export function memberText(value: JsonValue | undefined, path: string): string {
  return isAmountPath(path) ? amountText(value) : plainText(value)
}
