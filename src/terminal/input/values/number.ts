import type { JsonValue } from '../../../base/json/exact.ts'

/**
 * Parses a number. Text that is not a number is returned unchanged, so that the contract check reports it with its
 * flag.
 */
export function parseNumber(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text
}
