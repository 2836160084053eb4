import { parseJson } from '../../base/json/parse.ts'
import type { TextRow } from '../../base/storage/text-row.ts'

/** Returns SQL that selects a timestamp column as epoch milliseconds. */
export function epochMsSql(column: string): string {
  return `round(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`
}

/** Reads a row's headers. Names are in lower case. */
export function readHeaders(row: TextRow): Readonly<Record<string, string>> {
  return headersOf(parseJson(row['headers'] ?? '{}'))
}

/** A duplicate, which is counted in the first delivery's row. */
export type Repeat = { readonly timeMs: number; readonly headers: Readonly<Record<string, string>> }

/** Reads a row's stored duplicates. Only the most recent ones are stored. */
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
