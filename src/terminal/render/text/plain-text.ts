import { isJsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'

/**
 * Formats a value. Strings are unchanged, numbers keep all digits, absent values and `null` become '', and everything
 * else becomes JSON.
 */
export function plainText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return numberText(value) ?? jsonOf(value)
}

/** Whether a value has no content: it is absent, `null`, '', or an empty array or object. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** Formats a value as compact JSON. If the value is nested too deeply, returns a note that says so. */
export function jsonOf(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return '(nested too deeply to show)'
    throw error
  }
}
