import type { JsonObject } from '../../base/json/exact.ts'
import type { Screen } from './screen.ts'
import type { Cell } from './text/tone.ts'

export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv'

/** Output formats for tools that read test results. */
export type ReportFormat = 'junit' | 'tap'

/** The information needed to format a cell, in addition to its record. */
export interface ViewContext {
  /** The venue's IANA time zone. If it is `null` (unknown), times are shown in UTC and marked as such. */
  readonly timezone: string | null
  readonly now: number
  /** The only day that the list covers (`2026-11-20`), if the footer names it. If set, cells show only times. */
  readonly day?: string | null
}

/** Returns a cell's content. Must accept any record, because members may be absent, `null` or of an unexpected type. */
export type CellOf = (record: JsonObject, context: ViewContext) => Cell

export interface Column {
  /** The dotted path of the column's member, which is also the column's name in `--columns`. */
  readonly path: string
  readonly header: string
  readonly align?: 'right'
  /** Formats the cell. By default, the cell shows the member at `path`. */
  readonly cell?: CellOf
  /**
   * The minimum width that the column may shrink to. If absent, the column is either shown in full or hidden, as for
   * IDs and amounts.
   */
  readonly flex?: number
  /** Whether wide text is wrapped instead of truncated. Such a column is never hidden and must have `flex`. */
  readonly wraps?: boolean
  /**
   * If set, the column shrinks only after all other columns have shrunk and those with a rank above this value have
   * been hidden.
   */
  readonly shrinksAfterRank?: number
  /** Whether the user named the column. Such a column is never hidden. */
  readonly isRequested?: boolean
  /**
   * The column's rank. On a narrow screen, the column with the highest rank is hidden first. Defaults to the column's
   * position, counted from 1.
   */
  readonly rank?: number
  /** Whether the column is hidden on a terminal if all its cells are empty. */
  readonly optional?: boolean
  /**
   * The minimum width. A live list needs it, because the first row determines the widths but later rows may be wider.
   */
  readonly minWidth?: number
}

/** Describes which records a list shows, for the footer or for the message about an empty list. */
export interface ListScope {
  /** The words that follow the count, such as `on Sun 2026-11-22 (Australia/Sydney)`, or ''. */
  readonly words: string
  /** Whether partner filtered the records itself. If so, an empty list is reported in every output format. */
  readonly isFiltered?: boolean
  readonly limit?: number | undefined
  /** A line that says which records are hidden by default and which flags show them. */
  readonly hides?: string | undefined
  /** Returns an additional sentence for an empty list, or ''. */
  readonly whenEmpty?: (() => string) | undefined
}

export interface ListView {
  readonly scope?: ListScope
  readonly columns: readonly Column[]
  /** Whether each record is drawn as soon as it arrives. */
  readonly isLive?: boolean
  /** The dotted paths of the default columns in CSV and TSV. */
  readonly csvPaths: readonly string[]
  /** The message to print on stderr if a table has no rows. */
  readonly empty: string
  readonly one: string
  readonly many: string
  /** Returns the last row, which contains totals. */
  readonly total?: (records: readonly JsonObject[]) => JsonObject
  readonly card?: CardView
  /** Returns the flag that makes the service include the member at a path, or `null` if there is none. */
  readonly flagFor?: (path: string) => string | null
  /** Returns a note about the whole table, such as the time zone that it uses, or `null`. */
  readonly footnote?: (context: ViewContext) => string | null
}

export interface ListOptions {
  readonly format: Format
  readonly view: ListView
  /** The dotted paths that the user named, or `null` to use the view's own columns. */
  readonly columns: readonly string[] | null
  readonly headerless?: boolean
  readonly screen: Screen
  readonly context: ViewContext
  /** Hides secrets in UTF-8 rows. If absent, the rows are decoded to a string. */
  readonly hide?: (text: Buffer) => string | Buffer
}

export interface Field {
  readonly label: string
  /**
   * The dotted paths of the members that the field shows. Members that no field shows are listed at the end of the
   * card.
   */
  readonly paths: readonly string[]
  /** Formats the field. By default, the field shows the member at the first path. A blank result hides the field. */
  readonly cell?: CellOf
  /** The dimmed text to show if the value is blank. By default, a field with a blank value is hidden. */
  readonly blank?: string
}

export interface FieldSection {
  readonly heading: string | null
  readonly fields: readonly Field[]
}

/** A list inside a record. It is drawn as a table unless it is empty. */
export interface TableSection {
  readonly heading: string
  readonly path: string
  /** The known columns. All other members of an item are shown in additional columns. */
  readonly columns: readonly Column[]
  /** Members that a known column already shows under a different name. */
  readonly covers?: readonly string[]
  /** Returns the rows for an item. By default, each item has one row. */
  readonly rows?: (item: JsonObject) => readonly JsonObject[]
}

export interface CardView {
  /** Returns the parts of the first line, which identify the record. */
  readonly title: (record: JsonObject, context: ViewContext) => readonly Cell[]
  readonly sections: readonly (FieldSection | TableSection)[]
}
