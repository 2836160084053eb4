import type { JsonValue } from '../../../base/json/exact.ts'

/** A number where one was typed, whole or not; what is none goes to the contract's check as it is, which names the flag. */
export function parseNumber(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text
}
