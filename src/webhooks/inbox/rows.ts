import { parseJson } from '../../base/json/parse.ts'
import type { TextRow } from '../../sync/database-rows.ts'

/** Returns the SQL that selects a timestamp column as epoch milliseconds. */
export function epochMsSql(column: string): string {
  return `round(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`
}

/** Reads the headers of a row. Names in lower case. */
export function readHeaders(row: TextRow): Readonly<Record<string, string>> {
  return headersOf(parseJson(row['headers'] ?? '{}'))
}

/** A duplicate that is counted on the row of the first delivery. */
export type Repeat = { readonly timeMs: number; readonly headers: Readonly<Record<string, string>> }

/** Reads the stored duplicates of a row, which are its most recent ones. */
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
