import { parseJson } from '../../base/json/parse.ts'
import type { TextRow } from '../../sync/database-rows.ts'

/** SQL for an instant as epoch milliseconds. */
export function instantOf(column: string): string {
  return `round(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`
}

/** Names in lower case. */
export function readHeaders(row: TextRow): Readonly<Record<string, string>> {
  return headersOf(parseJson(row['headers'] ?? '{}'))
}

/** A duplicate, counted on the row of the first delivery. */
export type Repeat = { readonly timeMs: number; readonly headers: Readonly<Record<string, string>> }

/** The latest duplicates of a row. */
export function readRepeats(row: TextRow): readonly Repeat[] {
  const repeats: unknown = parseJson(row['repeats'] ?? '[]')
  if (!Array.isArray(repeats)) return []
  return repeats.map((repeat: Partial<Repeat>) => ({
    timeMs: Number(repeat.timeMs),
    headers: headersOf(repeat.headers),
  }))
}

function headersOf(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
}
