import { quoteFree } from '../../postgres/literal.ts'
import { sqlType } from '../tables/ddl.ts'
import type { Column, Row, Value } from '../tables/table.ts'

/**
 * Returns an SQL FROM item that contains the rows. Passes each column as an array, which is fast. If the last column is
 * JSON without nulls, passes it as a single JSON array, which needs fewer escapes.
 */
export function unnested(columns: readonly Column[], rows: readonly Row[]): string {
  const last = columns.length - 1
  const isJsonLast = columns[last]?.type === 'json' && rows.every((row) => row[last] !== null)
  const arrays = (isJsonLast ? columns.slice(0, -1) : columns).map((column, at) => {
    const values = rows.map((row) => element(row[at] ?? null))
    return `'${quoteFree(`{${values.join(',')}}`)}'::${sqlType(column, 'postgres')}[]`
  })
  if (!isJsonLast) return `unnest(${arrays.join(', ')})`
  const json = quoteFree(`[${rows.map((row) => row[last]).join(',')}]`)
  return `ROWS FROM (unnest(${arrays.join(', ')}), jsonb_array_elements('${json}'))`
}

export function textArray(values: readonly string[]): string {
  return `'${quoteFree(`{${values.map(element).join(',')}}`)}'::text[]`
}

function element(value: Value): string {
  if (value === null) return 'NULL'
  if (typeof value !== 'string') return String(value)
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`
}

/** Matches one escape in JSON: a surrogate pair, a character that `jsonb` cannot store, or any other escape. */
const ESCAPES =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})|\\./gs

const ONE_UNIT = '\\u0000'.length

/** Replaces characters that `jsonb` cannot store (U+0000 and lone surrogates) with U+FFFD. */
export function jsonForPostgres(json: string): string {
  const wellFormed = json.toWellFormed()
  if (!wellFormed.includes('\\u')) return wellFormed
  return wellFormed.replace(ESCAPES, (found) => (found.length === ONE_UNIT ? '\\ufffd' : found))
}
