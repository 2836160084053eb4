import { isJsonObject, type JsonValue, numberText } from '../../../base/json/exact.ts'

/** A value as text: strings as they are, numbers digit for digit, '' for absent and null, the rest as JSON. */
export function plainText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return numberText(value) ?? jsonOf(value)
}

/** True when there is nothing to see: absent, null, '', or an array or object without members. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.keys(value).length === 0
}

/** A value as compact JSON, or a remark when it is nested too deeply to print. */
export function jsonOf(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return '(nested too deeply to show)'
    throw error
  }
}
