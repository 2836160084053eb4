import type { ResultRow } from '../../sync/postgres/connection/connection.ts'

/** A column with an instant, as epoch milliseconds. */
export function instantOf(column: string): string {
  return `round(extract(epoch FROM ${column}) * 1000)::bigint AS ${column}`
}

/** The headers of a row; their names in lower case. */
export function readHeaders(row: ResultRow): Readonly<Record<string, string>> {
  const headers: unknown = JSON.parse(row['headers'] ?? '{}')
  if (typeof headers !== 'object' || headers === null) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
