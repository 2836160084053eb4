import { createHash } from 'node:crypto'
import { usageFailure } from '../../base/failure/failure.ts'
import { isJsonObject, type JsonValue, numberText, withoutExponent } from '../../base/json/exact.ts'
import { toAsciiUpperCase } from '../../contract/shapes/scalars.ts'
import { type Amount, formatAmount } from '../amount.ts'
import { HANDLE_PREFIX } from '../orders/order.ts'

/** A money write that was requested with a `--once` key. Two orders with equal fingerprints are the same order. */
export interface KeyedOrder {
  /** The command, such as `giftcards redeem`. */
  readonly command: string
  /** A card number or sale ID. */
  readonly target: string
  /** The amount, or `null` if none was given. */
  readonly amount: Amount | null
  /** All other values that the user gave, but not those that partner fills in, such as the current time. */
  readonly details: JsonValue
}

const KEY_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/

/** Checks the value of `--once`, which is the till's payment ID. Throws USAGE. */
export function parseOnceKey(typed = ''): string {
  if (KEY_PATTERN.test(typed)) return typed
  throw usageFailure(
    [`--once must be 1 to 128 letters, digits or . _ : -, not ${JSON.stringify(typed)}`],
    "nothing was sent; use the till's payment ID, such as --once till1-20261123-0042",
  )
}

/**
 * Checks the `--once` key of a new write. Throws USAGE if it is invalid or has the prefix reserved for agents' orders.
 */
export function parseNewOnceKey(typed: string): string {
  if (!typed.startsWith(HANDLE_PREFIX)) return parseOnceKey(typed)
  throw usageFailure(
    [
      `--once ${JSON.stringify(typed)} must not start with ${HANDLE_PREFIX}, which is reserved for the orders of agents`,
    ],
    'nothing was sent; choose another key, such as --once till1-20261123-0042',
  )
}

/** Returns a digest of an order. Ignores the format of amounts, and the case of card numbers and spaces in them. */
export function fingerprintOf({ command, target, amount, details }: KeyedOrder): string {
  const number = command === 'sales create' ? target : toAsciiUpperCase(target.replace(/\s/g, ''))
  const text = JSON.stringify([command, number, amount && plainNumber(formatAmount(amount)), canonical(details)])
  return createHash('sha256').update(text).digest('base64url')
}

/** Returns a canonical form of a value: numbers are normalized, and members are in alphabetical order. */
function canonical(value: JsonValue | undefined): unknown {
  const number = numberText(value)
  if (number !== null) return { number: plainNumber(number) }
  if (Array.isArray(value)) return value.map(canonical)
  if (!isJsonObject(value)) return value
  const names = Object.keys(value).sort()
  return names.filter((name) => value[name] !== undefined).map((name) => [name, canonical(value[name])])
}

/** Removes the exponent and trailing zeros from a decimal number. */
function plainNumber(text: string): string {
  return withoutExponent(text)
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
}
