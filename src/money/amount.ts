import { withoutExponent } from '../base/json/exact.ts'

/** An amount of money, kept exactly as typed. */
export interface Amount {
  /** Currency units, as typed and as sent: `25`, `25.1`, `0.50`. */
  readonly text: string
  /** Null if it is not whole cents, or too large: then no balance can tell its outcome. */
  readonly cents: bigint | null
}

/** An amount with two decimals; as typed if its cents are unknown. */
export function shownAmount({ text, cents }: Amount): string {
  return cents === null ? text : centsText(cents)
}

/** The cents of a decimal text in currency units; null for anything but a number of whole cents. */
export function centsOf(text: string): bigint | null {
  const match = /^(-?)(\d+)(?:\.(\d{1,2})0*)?$/.exec(text)
  if (!match) return null
  const [, sign = '', units = '0', decimals = ''] = match
  const cents = BigInt(units) * 100n + BigInt(decimals.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

/** As {@link centsOf}, for numbers with an exponent (`1e2`) or binary noise (`75.05000000000001`). */
export function balanceCentsOf(number: string): bigint | null {
  const text = withoutExponent(number)
  const [, start = '', last = '', noise = ''] = /^(-?\d+\.\d)(\d)(0{6,}|9{6,})\d*$/.exec(text) ?? []
  if (noise === '') return centsOf(text)
  const cents = centsOf(start + last)
  if (cents === null || noise.startsWith('0')) return cents
  return text.startsWith('-') ? cents - 1n : cents + 1n
}

/** Cents as currency units with two decimals. */
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

/** An exact amount without its sign. */
export function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
