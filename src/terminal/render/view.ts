import type { JsonObject } from '../../base/json/exact.ts'
import type { Screen } from './screen.ts'
import type { Cell } from './text/tone.ts'

export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv'

/** Formats for programs that read test results. */
export type ReportFormat = 'junit' | 'tap'

export interface ViewContext {
  /** IANA zone of the venue; null if unknown: times are then in UTC and say so. */
  readonly timezone: string | null
  readonly now: number
  /** The only day of the list (`2026-11-20`) if the footer names it: cells then show only the time. */
  readonly day?: string | null
}

/** Makes a cell. Must accept any record: members may be absent, null or of another type. */
export type CellOf = (record: JsonObject, context: ViewContext) => Cell

export interface Column {
  /** Dotted path of its member, and its name for `--columns`. */
  readonly path: string
  readonly header: string
  readonly align?: 'right'
  /** By default the member at `path` as it is. */
  readonly cell?: CellOf
  /** The width to which it may shrink. Absent: shown whole or not at all, like IDs, times and amounts. */
  readonly flex?: number
  /** A text that is too wide continues below instead of being cut. Never left out. Needs `flex`. */
  readonly wraps?: boolean
  /** It shrinks only after columns with a higher rank than this are left out, and after all others have shrunk. */
  readonly firm?: number
  readonly asked?: boolean
  /** On a narrow screen, the highest rank is left out first. Default: its place in the list, from 1. */
  readonly rank?: number
  /** Left out on a terminal if it has no content. */
  readonly optional?: boolean
  /** Its least width: in a live list the first row decides, and later ones may be wider. */
  readonly room?: number
}

/** What a list was requested for, as its footer or the sentence of an empty one says. */
export interface ListScope {
  /** After the count: `on Sun 2026-11-22 (Australia/Sydney)`, or ''. */
  readonly words: string
  /** Whether records were left out here. An empty list then says so in every format. */
  readonly isFiltered?: boolean
  readonly limit?: number | undefined
  /** What is left out by default, and how to see it. */
  readonly hides?: string | undefined
  /** A further sentence for an empty list, or ''. */
  readonly whenEmpty?: (() => string) | undefined
}

export interface ListView {
  readonly scope?: ListScope
  readonly columns: readonly Column[]
  /** Records arrive now and then, and each is drawn at once. */
  readonly isLive?: boolean
  /** The columns of CSV, as dotted paths, if the user names none. */
  readonly csvPaths: readonly string[]
  /** A sentence for stderr if a table has no rows. */
  readonly empty: string
  readonly one: string
  readonly many: string
  /** Makes a last row with totals. */
  readonly total?: (records: readonly JsonObject[]) => JsonObject
  readonly card?: CardView
  /** The flag that requests a path that was left out, or null. */
  readonly flagFor?: (path: string) => string | null
  /** A statement about the whole table, such as the zone of its times, or null. */
  readonly footnote?: (context: ViewContext) => string | null
}

export interface ListOptions {
  readonly format: Format
  readonly view: ListView
  /** Dotted paths that the user named; null: those of the view. */
  readonly columns: readonly string[] | null
  readonly headerless?: boolean
  readonly screen: Screen
  readonly context: ViewContext
  /** Hides secrets in encoded text. Without it, all text that may need this is returned as strings. */
  readonly hide?: (text: Buffer) => string | Buffer
}

export interface Field {
  readonly label: string
  /** Dotted paths of its members. Members without a line are listed at the end of the card. */
  readonly paths: readonly string[]
  /** By default the member at the first path. A blank cell hides the line. */
  readonly cell?: CellOf
  /** A dimmed text if there is nothing to show; by default the line is hidden. */
  readonly blank?: string
}

export interface FieldSection {
  readonly heading: string | null
  readonly fields: readonly Field[]
}

/** A list inside a record, drawn as a table unless it is empty. */
export interface TableSection {
  readonly heading: string
  readonly path: string
  /** Other members of an item get further columns. */
  readonly columns: readonly Column[]
  /** Members that these columns show under another name. */
  readonly covers?: readonly string[]
  /** Makes the rows of an item; by default one. */
  readonly rows?: (item: JsonObject) => readonly JsonObject[]
}

export interface CardView {
  /** The first line: parts that say what the record is. */
  readonly title: (record: JsonObject, context: ViewContext) => readonly Cell[]
  readonly sections: readonly (FieldSection | TableSection)[]
}
