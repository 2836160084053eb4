import type { JsonObject } from '../../../base/json/exact.ts'
import { textAt } from './wording.ts'

/** Adds up the amounts and counts at dotted paths in several records. The sum of amounts has two decimal places. */
export function sumMembers(records: readonly JsonObject[], paths: readonly string[]): JsonObject {
  const sums: Record<string, JsonObject | string> = {}
  for (const path of paths) {
    const [first = '', second] = path.split('.')
    const sum = sumOf(records.map((one) => textAt(one, path)))
    if (second === undefined) sums[first] = sum
    else sums[first] = { ...(sums[first] as JsonObject | undefined), [second]: sum }
  }
  return sums
}

/** Adds decimal strings exactly, because floats would lose digits. */
function sumOf(texts: readonly string[]): string {
  const sum = texts.reduce((all, text) => all + BigInt(text.replace('.', '')), 0n)
  if (!texts.some((text) => text.includes('.'))) return String(sum)
  const digits = String(sum < 0n ? -sum : sum).padStart(3, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
