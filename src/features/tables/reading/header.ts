import { usageFailure } from '../../../base/failure/failure.ts'
import { findNearest } from '../../../base/failure/nearest.ts'

/** How columns of table names are headed, in small letters and without what is no letter. */
const SURE = ['tablename', 'tablenumber', 'tableno', 'tablenr', 'tablenum', 'table', 'tables', 'tbl', 'postable', 'pos']
const LIKELY = ['name', 'number', 'no', 'nr', 'num']

/** Whether a line of a list is its heading. */
export function isHeaderWord(text: string): boolean {
  return [...SURE, ...LIKELY].includes(bare(text))
}

/**
 * The column of the table names, from 0, by a header with more than one column; null: no column is headed so.
 * Fails: USAGE when several are.
 */
export function headerColumn(header: readonly string[], name: string): number | null {
  if (header.length < 2) return null
  for (const words of [SURE, LIKELY]) {
    const found = header.flatMap((field, at) => (words.includes(bare(field)) ? [at] : []))
    if (found.length > 1)
      throw usageFailure(
        [`${name} has more than one column that could have the table names`],
        `name it: --column NAME, one of ${columnNames(found.map((at) => header[at] ?? ''))}`,
      )
    if (found[0] !== undefined) return found[0]
  }
  return null
}

/** The column that a person has named, or its number from 1; with a number, the first row is a header where it looks like one. */
export function namedColumn(
  header: readonly string[],
  column: string,
  name: string,
): { readonly at: number; readonly hasHeader: boolean } {
  const exact = header.findIndex((field) => field.trim() === column.trim())
  const at = exact >= 0 ? exact : header.findIndex((field) => bare(field) !== '' && bare(field) === bare(column))
  if (at >= 0) return { at, hasHeader: true }
  const number = /^[1-9]\d{0,3}$/.test(column) ? Number(column) : null
  if (number !== null && number <= header.length) return { at: number - 1, hasHeader: header.some(isHeaderWord) }
  const near = findNearest(column, header)
  throw usageFailure(
    [`--column: ${name} has no column ${JSON.stringify(column)}`],
    near ? `did you mean ${near}?` : `it has ${columnNames(header)}`,
  )
}

/** Names of columns, as a hint lists them. */
export function columnNames(header: readonly string[]): string {
  const shown = header.slice(0, 8).map((field) => JSON.stringify(field.trim()))
  return `${shown.join(', ')}${header.length > shown.length ? ', …' : ''}`
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{Nd}]+/gu, '')
}
