import type { ListView } from '../../../terminal/render/view.ts'

type Parts = Omit<ListView, 'one' | 'many' | 'empty' | 'csvPaths'> & Partial<Pick<ListView, 'csvPaths'>>

/** A list of `one` or `many` records, or the sentence `empty`. By default, CSV has the columns of the table. */
export function listOf(one: string, many: string, empty: string, parts: Parts): ListView {
  return { one, many, empty, csvPaths: parts.columns.map(({ path }) => path), ...parts }
}
