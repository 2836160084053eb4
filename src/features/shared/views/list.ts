import type { ListView } from '../../../terminal/render/view.ts'

type Parts = Omit<ListView, 'one' | 'many' | 'empty' | 'csvPaths'> & Partial<Pick<ListView, 'csvPaths'>>

/** A list view with the nouns of its count, and the sentence for no records. CSV has the table's columns by default. */
export function listOf(one: string, many: string, empty: string, parts: Parts): ListView {
  return { one, many, empty, csvPaths: parts.columns.map(({ path }) => path), ...parts }
}
