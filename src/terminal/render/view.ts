import type { JsonObject } from '../../base/json/exact.ts'
import type { Screen } from './screen.ts'
import type { Cell } from './text/tone.ts'

export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv'

/** Formats for tools that read test results. */
export type ReportFormat = 'junit' | 'tap'

/** What cells need to know besides their record. */
export interface ViewContext {
  /** The IANA time zone of the venue; `null` if unknown, in which case times are shown in UTC and marked so. */
  readonly timezone: string | null
  readonly now: number
  /** The only day of the list (`2026-11-20`), if the footer names it. Cells then show only times. */
  readonly day?: string | null
}

/** Returns a cell's content. Must accept any record: members may be absent, `null` or of an unexpected type. */
export type CellOf = (record: JsonObject, context: ViewContext) => Cell

export interface Column {
  /** The dotted path of the member, which is also its name in `--columns`. */
  readonly path: string
  readonly header: string
  readonly align?: 'right'
  /** By default, the member at `path`, unchanged. */
  readonly cell?: CellOf
  /** The width to which the column may shrink. If absent, it is shown whole or not at all, as IDs and amounts are. */
  readonly flex?: number
  /** Whether wide text wraps instead of being truncated. Such a column is never hidden. Needs `flex`. */
  readonly wraps?: boolean
  /** The column shrinks only after all columns with a rank above this are hidden and all others have shrunk. */
  readonly shrinksAfterRank?: number
  /** Whether the user named the column, so that it is never hidden. */
  readonly isRequested?: boolean
  /** On a narrow screen, the column with the highest rank is hidden first. Defaults to its position, from 1. */
  readonly rank?: number
  /** Whether the column is hidden on a terminal if it has no content. */
  readonly optional?: boolean
  /** The minimum width. Used in live lists, where the first row determines the widths but later ones may be wider. */
  readonly minWidth?: number
}

/** The selection that a list shows, as stated in its footer or, for an empty list, in the message about it. */
export interface ListScope {
  /** The words after the count, such as `on Sun 2026-11-22 (Australia/Sydney)`, or ''. */
  readonly words: string
  /** Whether partner itself filtered the records. A message about an empty list is then printed in every format. */
  readonly isFiltered?: boolean
  readonly limit?: number | undefined
  /** A line that names the records hidden by default, and the flags that show them. */
  readonly hides?: string | undefined
  /** Returns an additional sentence for an empty list, or ''. */
  readonly whenEmpty?: (() => string) | undefined
}

export interface ListView {
  readonly scope?: ListScope
  readonly columns: readonly Column[]
  /** Whether each record is drawn as soon as it arrives. */
  readonly isLive?: boolean
  /** The default columns of CSV and TSV, as dotted paths. */
  readonly csvPaths: readonly string[]
  /** The message on stderr if a table has no rows. */
  readonly empty: string
  readonly one: string
  readonly many: string
  /** Returns a last row with totals. */
  readonly total?: (records: readonly JsonObject[]) => JsonObject
  readonly card?: CardView
  /** Returns the flag that requests a missing path, or `null` if there is none. */
  readonly flagFor?: (path: string) => string | null
  /** Returns a statement about the whole table, such as the time zone of its times, or `null`. */
  readonly footnote?: (context: ViewContext) => string | null
}

export interface ListOptions {
  readonly format: Format
  readonly view: ListView
  /** The dotted paths that the user named, or `null` to use those of the view. */
  readonly columns: readonly string[] | null
  readonly headerless?: boolean
  readonly screen: Screen
  readonly context: ViewContext
  /** Hides secrets in encoded text. Without it, encoded text is returned as a string. */
  readonly hide?: (text: Buffer) => string | Buffer
}

export interface Field {
  readonly label: string
  /** The dotted paths of the members that the field shows. Members of no field are listed at the end of the card. */
  readonly paths: readonly string[]
  /** By default, the member at the first path. A blank cell hides the field. */
  readonly cell?: CellOf
  /** The dimmed text shown if the value is blank. By default, the field is hidden. */
  readonly blank?: string
}

export interface FieldSection {
  readonly heading: string | null
  readonly fields: readonly Field[]
}

/** A list in a record, drawn as a table unless it is empty. */
export interface TableSection {
  readonly heading: string
  readonly path: string
  /** The known columns. Other members of an item get additional columns. */
  readonly columns: readonly Column[]
  /** Members that the known columns show under another name. */
  readonly covers?: readonly string[]
  /** Returns an item's rows; by default, one row. */
  readonly rows?: (item: JsonObject) => readonly JsonObject[]
}

export interface CardView {
  /** Returns the parts of the first line, which identifies the record. */
  readonly title: (record: JsonObject, context: ViewContext) => readonly Cell[]
  readonly sections: readonly (FieldSection | TableSection)[]
}
