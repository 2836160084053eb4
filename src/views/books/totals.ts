import type { JsonObject } from '../../json/exact.ts'
import { centsOf, centsText } from '../../money/amount.ts'
import { textAt } from '../wording.ts'

/** The sums of members of several records, at the same dotted paths, `owed.amount`: amounts with two decimals, and counts. */
export function summed(records: readonly JsonObject[], paths: readonly string[]): JsonObject {
  const sums: Record<string, JsonObject | string> = {}
  for (const path of paths) {
    const [first = '', second] = path.split('.')
    const sum = sumAt(records, path)
    if (second === undefined) sums[first] = sum
    else sums[first] = { ...(sums[first] as JsonObject | undefined), [second]: sum }
  }
  return sums
}

function sumAt(records: readonly JsonObject[], path: string): string {
  const texts = records.map((one) => textAt(one, path))
  const sum = texts.reduce((all, text) => all + (centsOf(text) ?? 0n), 0n)
  return texts.some((text) => text.includes('.')) ? centsText(sum) : String(sum / 100n)
}
