import type { ListView } from '../../../terminal/render/view.ts'

type Parts = Omit<ListView, 'one' | 'many' | 'empty' | 'csvPaths'> & Partial<Pick<ListView, 'csvPaths'>>

/**
 * Builds a list view. `one` and `many` are the singular and plural of the noun in its count. `empty` is the text for an
 * empty list. By default, CSV has the same columns as the table.
 */
export function listOf(one: string, many: string, empty: string, parts: Parts): ListView {
  return { one, many, empty, csvPaths: parts.columns.map(({ path }) => path), ...parts }
}
