import { withoutExponent } from '../base/json/exact.ts'

/** An amount of money, preserved exactly as typed. */
export interface Amount {
  /** The amount in currency units, as typed and sent: `25`, `25.1`, `0.50`. */
  readonly text: string
  /**
   * The amount in cents, or `null` if it is too large or not a whole number of cents. If it is `null`, the balance
   * cannot show whether a redemption took effect.
   */
  readonly cents: bigint | null
}

/** Formats an amount with two decimal places. If its value in cents is unknown, returns the text as typed. */
export function formatAmount({ text, cents }: Amount): string {
  return cents === null ? text : centsText(cents)
}

/**
 * Converts a decimal number in currency units to cents. Returns `null` unless the result is a whole number of cents.
 */
export function centsOf(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text)
  if (!match) return null
  const [, sign = '', units = '0', decimals = ''] = match
  const cents = BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** Like {@link centsOf}, but also accepts exponents (`1e2`) and floating-point noise (`75.05000000000001`). */
export function parseBalanceCents(number: string): bigint | null {
  const text = withoutExponent(number)
  const [, start = '', last = '', noise = ''] = /^(-?\d+\.\d)(\d)(0{6,}|9{6,})\d*$/.exec(text) ?? []
  if (noise === '') return centsOf(text)
  const cents = centsOf(start + last)
  if (cents === null || noise.startsWith('0')) return cents
  return text.startsWith('-') ? cents - 1n : cents + 1n
}

/** Formats cents as currency units with two decimal places. */
export function centsText(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function centsTextOrNull(cents: bigint | null): string | null {
  return cents === null ? null : centsText(cents)
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, one) => sum + one, 0n)
}

/** Returns the absolute value of an amount. */
export function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
