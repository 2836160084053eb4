import type { JsonValue } from '../../../base/json/exact.ts'

/** Reads a number. Other texts are returned for the contract's check, which names the flag. */
export function parseNumber(text: string | undefined): JsonValue | undefined {
  if (text === undefined) return undefined
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text
}
