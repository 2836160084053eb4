import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Query } from '../../input/query.ts'
import type { CardView, Format, ListView, ViewContext } from '../../render/view.ts'

export type Views = { readonly card: CardView; readonly list: ListView }

export interface PrintOptions {
  readonly format: Format
  /** The paths in `--columns`, or `null` to use those of the view. */
  readonly columns: readonly string[] | null
  readonly headerless: boolean
  /** Whether to print one value per line, with strings unquoted. */
  readonly raw: boolean
  /** The query of `--query`, or `null` to print everything. */
  readonly query: Query | null
  readonly context: () => Promise<ViewContext>
}

/** Prints lists and objects. Throws whatever `Printer` throws. */
export interface Printing {
  list(batches: AsyncIterable<readonly WireRecord[]>, view: ListView, limit?: number): Promise<void>
  genericList(batches: RecordBatches, limit?: number): Promise<void>
  one(record: WireRecord, views: Views): Promise<void>
}

/** One of several venues that a command reads in the same run. */
export interface Venue {
  readonly profile: string
  readonly printer: (options: PrintOptions) => Printing
  readonly beginRequest: () => void
  /** Adds this venue's `counts` of `what` (for example bookings) to a total that is printed at the end. */
  readonly addUp: (what: string, counts: Readonly<Record<string, number>>) => void
  /** Runs work when it is this venue's turn. For commands that manage their own turns. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Records the traffic of all venues, or `null` if it is not recorded. */
  readonly recorder: HarFile | null
}
