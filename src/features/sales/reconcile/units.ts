import { withoutExponent } from '../../../base/json/exact.ts'
import { parseBalanceCents } from '../../../money/amount.ts'

/**
 * An exact amount, in multiples of 10^-20 currency units. This is more precise than any floating-point number in a
 * response.
 */
export type Units = bigint

const DECIMALS = 20
const CENT = 10n ** BigInt(DECIMALS - 2)

export function unitsOfCents(cents: bigint): Units {
  return cents * CENT
}

/** Converts an amount to cents. Returns `null` if the amount has a fraction of a cent. */
export function centsOfUnits(units: Units): bigint | null {
  return units % CENT === 0n ? units / CENT : null
}

/**
 * Parses an amount in a response, removing floating-point noise (`75.05000000000001`). Returns `null` if the text is
 * not a number or has too many decimal places.
 */
export function unitsOf(number: string): Units | null {
  const cents = parseBalanceCents(number)
  if (cents !== null) return unitsOfCents(cents)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d+?)0*$/.exec(withoutExponent(number)) ?? []
  if (whole === '' || fraction.length > DECIMALS) return null
  const units = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -units : units
}

/** Formats an amount in currency units, with at least two decimal places. */
export function unitsText(units: Units): string {
  const digits = String(units < 0n ? -units : units).padStart(DECIMALS + 1, '0')
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(2, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${fraction}`
}
