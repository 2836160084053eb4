import { MAX_DEPTH, parseJson, refuseTooDeep } from './parse.ts'

declare global {
  interface JSON {
    /** Makes a value that `JSON.stringify` prints as exactly this text. */
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** A number that a float cannot hold digit for digit, such as `25.00` or `9007199254740993`. It prints as it was written. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** A JSON value. Numbers that a float cannot hold digit for digit are {@link ExactNumber}s. */
export type JsonValue = null | boolean | number | string | ExactNumber | readonly JsonValue[] | JsonObject

/** A JSON object, by member. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

/**
 * Matches any text with a number that a float, or its shortest text, would change: many digits, an exponent, a fraction that ends in
 * zero or begins with many, minus zero. It must stand where a number may stand, which a time in a string hardly does; a string
 * that matches all the same only costs time.
 */
const MAY_HOLD_INEXACT_NUMBER =
  /(?:^|[\s:,[])-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?=[\s,}\]]|$)|0\.0{6}|(?<=-)0(?=[\s,}\]]|$))/

/**
 * Parses JSON without losing a digit: `JSON.stringify(parseExact(text))` prints every number as it was sent.
 * A value that this process has made itself may be deeper, so such texts have no limit (`maxDepth` is infinite).
 * Fails: as {@link parseJson}.
 */
export function parseExact(text: string, maxDepth: number = MAX_DEPTH): JsonValue {
  if (!MAY_HOLD_INEXACT_NUMBER.test(text)) return parseJson(text, maxDepth) as JsonValue
  refuseTooDeep(text, maxDepth)
  return parseEachNumber(text)
}

/** The same; null when the text is not JSON, or is nested too deeply. */
export function parseExactOrNull(text: string): JsonValue {
  try {
    return parseExact(text)
  } catch {
    return null
  }
}

/** The same for a text that is known to hold such a number, and to be no deeper than the limit; it takes five times as long. */
export function parseEachNumber(text: string): JsonValue {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  ) as JsonValue
}

/** True for a JSON object: not null, not an array, not an {@link ExactNumber}. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
}

/** The objects in a list; none when the value is no list. */
export function jsonObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** The digits of a number as it was sent; null when the value is no number. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return JSON.isRawJSON(value) ? value.rawJSON : null
}

/** The largest exponent that is written out: beyond it there is no amount. */
const MOST_ZEROS = 30

/** The same number without an exponent, digit for digit: `1e2` is `100`. Any other text, and one beyond all amounts, comes as it is. */
export function withoutExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d+)$/.exec(text) ?? []
  const shift = Number(exponent)
  if (exponent === '' || Math.abs(shift) > MOST_ZEROS) return text
  const digits = '0'.repeat(Math.max(0, -shift)) + whole + fraction.padEnd(shift, '0')
  const point = Math.max(0, -shift) + whole.length + shift
  const units = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  return sign + [units, digits.slice(point)].filter((part) => part !== '').join('.')
}
