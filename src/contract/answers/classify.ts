import { isJsonObject, type JsonValue, numberText } from '../../base/json/exact.ts'
import type { Kind } from '../shapes/expected.ts'
import type { TextForm } from '../shapes/facts.ts'

const TIME = String.raw`\d\d:\d\d(?::\d\d(?:\.\d+)?)?`
const DAY = String.raw`\d{4}-\d\d-\d\d`

/** The forms that a string can have, each with a pattern. The first pattern that matches determines the form. */
const PATTERNS: readonly (readonly [TextForm, RegExp])[] = [
  ['empty', /^\s*$/],
  ['utc', new RegExp(`^${DAY}T${TIME}(?:[Zz]|[+-]00:?00)$`)],
  ['offset', new RegExp(`^${DAY}T${TIME}[+-]\\d\\d:?\\d\\d$`)],
  ['no-zone', new RegExp(`^${DAY}T${TIME}$`)],
  ['spaced', new RegExp(`^${DAY} ${TIME} ?(?:[Zz]|[+-]\\d\\d:?\\d\\d)?$`)],
  ['date', new RegExp(`^${DAY}$`)],
  ['json-date', /^\/Date\(-?\d+(?:[+-]\d{4})?\)\/$/],
  ['epoch-ms', /^[12]\d{12}$/],
  ['epoch-s', /^[12]\d{9}$/],
  ['card-digits', /^\d{5}-\d{8}-\d{4}$/],
  ['card-upper', /^[A-Z\d]{5}-[A-Z\d]{8}-[A-Z\d]{4}$/],
  ['card-lower', /^[a-z\d]{5}-[a-z\d]{8}-[a-z\d]{4}$/],
  ['card-mixed', /^[A-Za-z\d]{5}-[A-Za-z\d]{8}-[A-Za-z\d]{4}$/],
  ['three-capitals', /^[A-Z]{3}$/],
  ['hex', /^[\da-f]{16,}$/i],
]

/** The maximum length of a string that is matched against the patterns. */
const LONGEST_FORM = 64

/** Returns the form of a string or number without revealing its value, or `null` if it has no known form. */
export function formOf(value: JsonValue): TextForm | null {
  const text = typeof value === 'string' ? value : null
  if (text === null) {
    const digits = numberText(value) ?? ''
    return PATTERNS.find(([form, pattern]) => form.startsWith('epoch') && pattern.test(digits))?.[0] ?? null
  }
  if (text.length > LONGEST_FORM) return 'other'
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other'
}

export function kindOf(value: JsonValue): Kind | null {
  if (value === null) return null
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (Array.isArray(value)) return 'list'
  if (isJsonObject(value)) return 'object'
  return /^-?\d+$/.test(numberText(value) ?? '') ? 'integer' : 'number'
}
