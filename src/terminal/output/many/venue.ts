import type { WireRecord } from '../../../base/json/list/wire-record.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Query } from '../../input/query.ts'
import type { CardView, Format, ListView, ViewContext } from '../../render/view.ts'

/** How the answer of a command is shown to a person. */
export interface Views {
  readonly card: CardView
  /** For CSV, and for a table that is asked for by `--columns`. */
  readonly list: ListView
}

/** How the output flags say that something is printed. */
export interface PrintOptions {
  readonly format: Format
  /** The paths of `--columns`; null: as the view says. */
  readonly columns: readonly string[] | null
  readonly headerless: boolean
  /** What a query finds goes one value a line, strings as they are. */
  readonly raw: boolean
  /** Null to print everything. */
  readonly query: Query | null
  readonly context: () => Promise<ViewContext>
}

/** What prints lists and objects; it fails as `Printer` does. */
export interface Printing {
  list(batches: AsyncIterable<readonly WireRecord[]>, view: ListView, limit?: number): Promise<void>
  found(batches: AsyncGenerator<readonly WireRecord[]>, limit?: number): Promise<void>
  one(record: WireRecord, views: Views): Promise<void>
}

/** One of the venues that a command runs for at the same time. */
export interface Venue {
  readonly profile: string
  /** Prints what this venue's run shows among what the others show. */
  readonly printer: (options: PrintOptions) => Printing
  /** Told before each request leaves. */
  readonly beginRequest: () => void
  /** Adds up what this venue's run did with what the others did, for one line at the end: `counts` of `what`, such as bookings. */
  readonly addUp: (what: string, counts: Readonly<Record<string, number>>) => void
  /** Does a piece of work when it is this venue's turn. Only a command that takes its turns itself asks for them. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** What takes the traffic of all venues; null when nothing does. */
  readonly recorder: HarFile | null
}
