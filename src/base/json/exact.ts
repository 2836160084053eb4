import { attempt } from '../attempt.ts'
import { MAX_DEPTH, parseJson, refuseTooDeep } from './parse.ts'

declare global {
  interface JSON {
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  }
}

/**
 * A number that a float cannot represent as written, such as `25.00` or `9007199254740993`. It is serialized exactly as
 * it was written.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/** A JSON value in which every number that a float would change is an {@link ExactNumber}. */
export type JsonValue = null | boolean | number | string | ExactNumber | readonly JsonValue[] | JsonObject

export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

/**
 * Matches numbers that would change if they were parsed and printed as floats. A false match inside a string costs
 * time, but is otherwise harmless.
 */
const MAY_HOLD_INEXACT_NUMBER =
  /(?:^|[\s:,[])-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE]|\d+\.\d*0(?=[\s,}\]]|$)|0\.0{6}|(?<=-)0(?=[\s,}\]]|$))/

/**
 * Parses JSON so that `JSON.stringify` prints every number exactly as it was received. Throws SyntaxError or
 * TooDeepError.
 */
export function parseExact(text: string, maxDepth: number = MAX_DEPTH): JsonValue {
  if (!MAY_HOLD_INEXACT_NUMBER.test(text)) return parseJson(text, maxDepth) as JsonValue
  refuseTooDeep(text, maxDepth)
  return parseEachNumber(text)
}

/** Parses JSON like {@link parseExact}, but returns `null` if the text is not JSON or is nested too deeply. */
export function parseExactOrNull(text: string): JsonValue {
  return attempt(() => parseExact(text), null)
}

/**
 * Parses JSON like {@link parseExact}, but without any checks. Takes five times as long as an ordinary parse, so it is
 * meant for text that is known to need exact numbers.
 */
export function parseEachNumber(text: string): JsonValue {
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  ) as JsonValue
}

/** Returns whether a value is a JSON object, as opposed to `null`, an array or an {@link ExactNumber}. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
}

/** Returns the objects in a list, or an empty array if the value is not a list. */
export function jsonObjects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** Returns the text of a number as it was received, or `null` if the value is not a number. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return JSON.isRawJSON(value) ? value.rawJSON : null
}

/** The largest exponent that is expanded into zeros. No amount of money needs a larger one. */
const MOST_ZEROS = 30

/**
 * Writes a number without its exponent: `1e2` becomes `100`. Returns other text, and very large exponents, unchanged.
 */
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
