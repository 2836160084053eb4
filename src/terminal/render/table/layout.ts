import type { Screen } from '../screen.ts'
import { terminalSafe } from '../text/safe-text.ts'
import type { Ruler } from '../text/width.ts'
import type { Column } from '../view.ts'
import { type Demand, fitColumns } from './fit.ts'
import { type FrameColumn, GAP, type Measured } from './frame.ts'

export type ShownColumn = FrameColumn & { readonly index: number; readonly whole: boolean; readonly wraps: boolean }

export interface Layout {
  readonly shown: readonly ShownColumn[]
  readonly hidden: readonly Column[]
}

/** The maximum column width in piped output, enough for every request path. Longer cells extend beyond their column. */
const MAX_WIDTH_IN_PIPE = 160
/** The width that piped output reserves for a cell wider than the limit. */
const LONG_TEXT_WIDTH_IN_PIPE = 30
const MIN_WIDTH_IN_LATE_ROW = 3

/**
 * Decides which columns a table shows and how wide they are, based on the first rows. Without a terminal, all columns
 * are shown. Returns `null` if the screen is too narrow. `numeric` marks the columns that contain only numbers.
 * `isWhole` is true if no more rows follow.
 */
export function layOut(
  columns: readonly Column[],
  numeric: readonly boolean[],
  rows: readonly (readonly Measured[])[],
  isWhole: boolean,
  screen: Screen,
  ruler: Ruler,
): Layout | null {
  const isTerminal = screen.columns !== null
  const limit = screen.columns ?? MAX_WIDTH_IN_PIPE
  const mayHide = (column: Column) => column.optional && !column.isRequested && isWhole && isTerminal
  const candidates = [...columns.entries()].filter(([index, column]) => !(mayHide(column) && isEmpty(rows, index)))
  const demands = candidates.map(([index, column]) => demandOf(column, index, rows, ruler, limit, isTerminal))
  const widths = isTerminal ? fitColumns(demands, limit, GAP) : demands.map(({ natural }) => natural)
  if (!widths) return null
  const shown: ShownColumn[] = []
  const hidden: Column[] = []
  for (const [place, [index, column]] of candidates.entries()) {
    const width = widths[place] ?? null
    const align = column.align ?? (numeric[index] ? 'right' : 'left')
    const { flex, wraps = false } = column
    if (width !== null) shown.push({ index, width, whole: flex === undefined, wraps, align })
    else if (!isEmpty(rows, index)) hidden.push(column)
  }
  return { shown, hidden }
}

/**
 * Makes room for a later row. Widens columns that must not be truncated, and shrinks the others. Returns the same
 * columns if there is not enough room.
 */
export function widen(shown: readonly ShownColumn[], row: readonly Measured[], available: number) {
  const demands = shown.map(({ whole, width, index }) => {
    const natural = whole ? Math.max(width, row[index]?.width ?? 0) : width
    return { natural, least: whole ? natural : Math.min(natural, MIN_WIDTH_IN_LATE_ROW), rank: 1 }
  })
  const widths = fitColumns(demands, available, GAP)
  if (!widths || widths.includes(null)) return shown
  return shown.map((column, place) => ({ ...column, width: widths[place] ?? column.width }))
}

const MAX_ID_LENGTH = 128

/**
 * Whether a cell is an ID that must be shown in full. A wide cell that contains spaces is truncated, because it could
 * imitate another row.
 */
export function isWholeId(text: string, isWholeColumn: boolean): boolean {
  return isWholeColumn && text.length <= MAX_ID_LENGTH && !text.includes(' ')
}

/**
 * Returns the width that a column needs and how far it can shrink. A cell wider than `limit` counts only in part,
 * because it is truncated or extends beyond its column.
 */
function demandOf(
  column: Column,
  index: number,
  rows: readonly (readonly Measured[])[],
  ruler: Ruler,
  limit: number,
  isTerminal: boolean,
): Demand {
  const header = ruler.width(terminalSafe(column.header))
  let natural = Math.max(header, column.minWidth ?? 0)
  for (const row of rows) {
    const { text, width } = row[index] ?? { text: '', width: 0 }
    const counts = width <= limit || (isTerminal && isWholeId(text, column.flex === undefined))
    natural = Math.max(natural, counts ? width : isTerminal ? Math.ceil(limit / 2) : LONG_TEXT_WIDTH_IN_PIPE)
  }
  const least = column.flex === undefined ? natural : Math.min(natural, Math.max(column.flex, header))
  return {
    natural,
    least,
    rank: column.rank ?? index + 1,
    firm: column.shrinksAfterRank,
    isRequested: column.isRequested || column.wraps,
  }
}

function isEmpty(rows: readonly (readonly Measured[])[], index: number): boolean {
  return rows.every((row) => (row[index]?.width ?? 0) === 0)
}
