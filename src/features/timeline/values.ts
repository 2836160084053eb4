import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../base/json/exact.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { valueAt } from '../../base/json/paths.ts'
import { centsText, parseBalanceCents } from '../../money/amount.ts'
import { readInstant } from '../../sync/reading/sync-record.ts'

/** Returns the string or number at a path as text, or `null` if it is missing or empty. */
export function textIn(record: JsonValue | undefined, path: string): string | null {
  const value = valueAt(record, path)
  return typeof value === 'string' ? value.trim() || null : numberText(value)
}

/** Returns the amount at a path in cents, or `null` if no valid amount is present. */
export function centsIn(record: JsonValue | undefined, path: string): bigint | null {
  const text = textIn(record, path)
  return text === null ? null : parseBalanceCents(text)
}

/**
 * Formats the amount at a path with two decimal places. A value that is not an amount is returned unchanged. Returns
 * `null` if no value is present.
 */
export function amountIn(record: JsonValue | undefined, path: string): string | null {
  const cents = centsIn(record, path)
  return cents === null ? textIn(record, path) : centsText(cents)
}

/** Returns the objects in the list at a path. In a CSV copy, such a list is a JSON string. */
export function getObjects(record: JsonValue | undefined, path: string): readonly JsonObject[] {
  const value = valueAt(record, path)
  const list = typeof value === 'string' && value.startsWith('[') ? parseJsonOrNull(value) : value
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Returns the instant at a path in epoch milliseconds, or `null` if no valid instant is present. */
export function instantIn(record: JsonObject, path: string): number | null {
  const text = textIn(record, path)
  return text === null ? null : readInstant(text)
}

export function tableName(table: JsonObject): string | null {
  return textIn(table, 'tableName') ?? textIn(table, 'tableId')
}

/** Joins all parts except those that are `null` or empty. */
export function joinedWords(parts: readonly (string | null)[], separator = ', '): string {
  return parts.filter((part) => part !== null && part !== '').join(separator)
}

/** Formats a number of people, such as `1 person` or `4 people`. Returns `null` if the number is unknown. */
export function peopleText(people: string | null): string | null {
  return people === null ? null : `${people} ${people === '1' ? 'person' : 'people'}`
}
