import type { Column, ListView } from '../../../terminal/render/view.ts'

/** The dotted paths in a text, separated by white space. */
export function pathsIn(text: string): readonly string[] {
  return text.split(/\s+/)
}

/** A list of these columns, which are also those of CSV. */
export function listOf(nouns: Pick<ListView, 'one' | 'many' | 'empty'>, columns: readonly Column[]): ListView {
  return { columns, csvPaths: columns.map(({ path }) => path), ...nouns }
}
