declare global {
  interface JSON {
    /** A value that `JSON.stringify` prints as exactly this text (ES2025, Node 21 and later). */
    rawJSON(text: string): ExactNumber
    isRawJSON(value: unknown): value is ExactNumber
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown
  }
}

/** A number whose text a binary float would not give back: `25.00`, `9007199254740993`. Prints as it was written. */
export interface ExactNumber {
  readonly rawJSON: string
}

/** A JSON value in which numbers that a float cannot hold digit for digit stand as {@link ExactNumber}. */
export type JsonValue = null | boolean | number | string | ExactNumber | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined
}

/** Texts that may hold a number which does not print the way it was written; strings can match too, which only costs time. */
const MAY_HOLD_INEXACT_NUMBER = /(?:\d\.?){16}|\d\.\d*0(?!\d)|\d[eE]|-0(?!\.\d*[1-9])/

/**
 * Parses JSON without losing a digit: `JSON.stringify(parseExact(text))` has every number as it was sent.
 * Fails: SyntaxError, as JSON.parse.
 */
export function parseExact(text: string): JsonValue {
  if (!MAY_HOLD_INEXACT_NUMBER.test(text)) return JSON.parse(text) as JsonValue
  return JSON.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? JSON.rawJSON(source) : value,
  ) as JsonValue
}

/** True for a plain JSON object: not null, not an array, not a number kept as text. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
}

/** The digits of a number as it was sent, or null when the value is not a number. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return JSON.isRawJSON(value) ? value.rawJSON : null
}
