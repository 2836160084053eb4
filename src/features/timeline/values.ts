import { isJsonObject, type JsonObject, type JsonValue, numberText } from '../../base/json/exact.ts'
import { parseJsonOrNull } from '../../base/json/parse.ts'
import { valueAt } from '../../base/json/paths.ts'
import { balanceCentsOf, centsText } from '../../money/amount.ts'
import { readInstant } from '../../sync/reading/sync-record.ts'

/** The text or number at a path. Null if there is none, or it is empty. */
export function textIn(record: JsonValue | undefined, path: string): string | null {
  const value = valueAt(record, path)
  return typeof value === 'string' ? value.trim() || null : numberText(value)
}

/** The amount at a path, in cents, or null. */
export function centsIn(record: JsonValue | undefined, path: string): bigint | null {
  const text = textIn(record, path)
  return text === null ? null : balanceCentsOf(text)
}

/** The amount at a path with two decimals, or as the service writes it; null if there is none. */
export function amountIn(record: JsonValue | undefined, path: string): string | null {
  const cents = centsIn(record, path)
  return cents === null ? textIn(record, path) : centsText(cents)
}

/** The objects of a list, which in CSV is a text. */
export function objectsAt(record: JsonValue | undefined, path: string): readonly JsonObject[] {
  const value = valueAt(record, path)
  const list = typeof value === 'string' && value.startsWith('[') ? parseJsonOrNull(value) : value
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** The instant at a path, epoch milliseconds, or null. */
export function instantIn(record: JsonObject, path: string): number | null {
  const text = textIn(record, path)
  return text === null ? null : readInstant(text)
}

export function tableName(table: JsonObject): string | null {
  return textIn(table, 'tableName') ?? textIn(table, 'tableId')
}

/** Joins the parts that are neither null nor empty. */
export function joinedWords(parts: readonly (string | null)[], separator = ', '): string {
  return parts.filter((part) => part !== null && part !== '').join(separator)
}

/** `1 person`, `4 people`; null if unknown. */
export function peopleText(people: string | null): string | null {
  return people === null ? null : `${people} ${people === '1' ? 'person' : 'people'}`
}
