import type { ListView } from '../../../terminal/render/view.ts'

type Parts = Omit<ListView, 'one' | 'many' | 'empty' | 'csvPaths'> & Partial<Pick<ListView, 'csvPaths'>>

/**
 * Builds a list view from a singular and a plural noun for its count, and the text to show if the list is empty. By
 * default, CSV has the table's columns.
 */
export function listOf(one: string, many: string, empty: string, parts: Parts): ListView {
  return { one, many, empty, csvPaths: parts.columns.map(({ path }) => path), ...parts }
}
