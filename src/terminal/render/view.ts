import type { JsonObject } from '../../base/json/exact.ts'
import type { Screen } from './screen.ts'
import type { Cell } from './text/tone.ts'

/** How an answer is printed. */
export type Format = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv'

/** How the result of checks is printed for a program that reads the results of tests. */
export type ReportFormat = 'junit' | 'tap'

/** How a result is printed for a browser: as one page. */
export type PageFormat = 'html'

/** What a view must know besides the record. */
export interface ViewContext {
  /** IANA zone of the venue; null when unknown, then times are shown in UTC and say so. */
  readonly timezone: string | null
  readonly now: number
  /** The one day of the venue that the list is about, `2026-11-20`, where the footer names it: cells then show the time only. */
  readonly day?: string | null
}

/** Makes a cell from a record. It must cope with any record: members may be absent, null or of another type. */
export type CellOf = (record: JsonObject, context: ViewContext) => Cell

/** A column of a table. */
export interface Column {
  /** Dotted path of the member that the column shows: the name that `--columns` takes. */
  readonly path: string
  readonly header: string
  readonly align?: 'right'
  /** Without it the member at `path` is shown as it is. */
  readonly cell?: CellOf
  /** The width to which it may shrink on a narrow screen. Absent: shown whole or not at all, like ids, times and amounts. */
  readonly flex?: number
  /** True: a text that is wider than the column continues below, word by word, instead of being cut. It is never left out. Needs `flex`. */
  readonly wraps?: boolean
  /** It shrinks only after all columns of a higher rank than this are left out, and after what else can shrink. */
  readonly firm?: number
  /** True: never left out, because the user named it. */
  readonly asked?: boolean
  /** On a screen that is too narrow, columns with the highest rank are left out first. Absent: its place in the list, from 1. */
  readonly rank?: number
  /** True: left out on a terminal when no row has anything to show in it. */
  readonly optional?: boolean
  /** The width that it has at least: in a live list the first row decides, and later ones may be wider. */
  readonly room?: number
}

/** What a list is of, as it was asked for. Its footer says so, and the sentence of an empty one. */
export interface ListScope {
  /** Behind the count: `on Sun 2026-11-22 (Australia/Sydney)`; '' when nothing narrows the list. */
  readonly words: string
  /** True when records were left out here. An empty list then says so in every format. */
  readonly isFiltered?: boolean
  /** How many records at most were asked for. */
  readonly limit?: number | undefined
  /** What is left out unless it is asked for, and how; undefined: nothing. */
  readonly hides?: string | undefined
  /** A further sentence for an empty list, once it is known to be empty; '' when there is nothing to say. */
  readonly whenEmpty?: (() => string) | undefined
}

/** How a list is shown. */
export interface ListView {
  /** What this list is of; undefined where that goes without saying. */
  readonly scope?: ListScope
  readonly columns: readonly Column[]
  /** True: records come now and then, and each is drawn at once. */
  readonly isLive?: boolean
  /** The columns of a CSV file, as dotted paths, when the user names none. */
  readonly csvPaths: readonly string[]
  /** A sentence for stderr when a table has no rows. */
  readonly empty: string
  /** One record, in the footer of a table: `booking`. */
  readonly one: string
  /** Several records, in the footer of a table: `bookings`. */
  readonly many: string
  /** Adds several records up to the last row of a table. Absent: nothing in them can be added up. */
  readonly total?: (records: readonly JsonObject[]) => JsonObject
  /** How one of the records is shown, where a query picks it out. */
  readonly card?: CardView
  /** The flag that asks for what a path shows, where it was left out; null when no flag does. */
  readonly flagFor?: (path: string) => string | null
  /** What is true of the whole table, such as the zone of its times; null when there is nothing to say. */
  readonly footnote?: (context: ViewContext) => string | null
}

/** How to print a list. */
export interface ListOptions {
  readonly format: Format
  readonly view: ListView
  /** Dotted paths that the user asked for; null: those of the view. */
  readonly columns: readonly string[] | null
  /** True: CSV, TSV and tables do not begin with the names of their columns. */
  readonly headerless?: boolean
  readonly screen: Screen
  readonly context: ViewContext
}

/** A labelled line of a card. */
export interface Field {
  readonly label: string
  /** The members that the line shows, as dotted paths. Members that no line shows are listed at the end of the card. */
  readonly paths: readonly string[]
  /** Without it the member at the first path is shown as it is. A blank cell leaves the line out. */
  readonly cell?: CellOf
  /** What the line says, dimmed, when there is nothing to show. Absent: the line is left out. */
  readonly blank?: string
}

/** Labelled lines of a card that belong together. */
export interface FieldSection {
  /** Null: the section has no heading. */
  readonly heading: string | null
  readonly fields: readonly Field[]
}

/** A list inside a record, drawn as a table. Left out when it is empty. */
export interface TableSection {
  readonly heading: string
  /** Dotted path of the list. */
  readonly path: string
  /** Any other member of an item gets a column of its own behind these. */
  readonly columns: readonly Column[]
  /** Members that these columns show under another name. */
  readonly covers?: readonly string[]
  /** Makes the rows of an item; without it an item is one row. */
  readonly rows?: (item: JsonObject) => readonly JsonObject[]
}

/** How one record is shown. */
export interface CardView {
  /** The first line: what the record is, in words, in parts that are drawn side by side. */
  readonly title: (record: JsonObject, context: ViewContext) => readonly Cell[]
  readonly sections: readonly (FieldSection | TableSection)[]
}
