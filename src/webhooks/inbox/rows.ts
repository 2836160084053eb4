import { parseJson } from '../../base/json/parse.ts'
import type { ResultRow } from '../../sync/postgres/connection/connection.ts'

/** A column with an instant, as epoch milliseconds. */
export function instantOf(column: string): string {
  return `round(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`
}

/** The headers of a row; their names in lower case. */
export function readHeaders(row: ResultRow): Readonly<Record<string, string>> {
  return headersOf(parseJson(row['headers'] ?? '{}'))
}

/** A delivery that was counted on the row of the same one before. */
export interface Repeat {
  /** When it came, epoch milliseconds. */
  readonly timeMs: number
  readonly headers: Readonly<Record<string, string>>
}

/** The latest deliveries that were counted on a row. */
export function readRepeats(row: ResultRow): readonly Repeat[] {
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
