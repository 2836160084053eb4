import type { Column, ListView } from '../../../terminal/render/view.ts'

/**
 * Makes views of records as tables and CSV. `one` is a noun such as `fault`; CSV has the table's columns unless paths
 * are given.
 */
export function rowsOf(
  one: string,
  empty: string,
  columns: readonly Column[],
  csvPaths: readonly string[] = columns.map(({ path }) => path),
): ListView {
  return { columns, csvPaths, empty, one, many: `${one}s` }
}

/** The footnote of a table of the sandbox's times. */
export const SANDBOX_TIMES = "times are the sandbox's own, UTC"
