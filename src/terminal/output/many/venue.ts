import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Query } from '../../input/query.ts'
import type { CardView, Format, ListView, ViewContext } from '../../render/view.ts'

export type Views = { readonly card: CardView; readonly list: ListView }

export interface PrintOptions {
  readonly format: Format
  /** The paths given with `--columns`, or `null` to use the view's own columns. */
  readonly columns: readonly string[] | null
  readonly headerless: boolean
  /** Whether to print one value per line, with strings unquoted. */
  readonly raw: boolean
  /** The query given with `--query`, or `null` to print everything. */
  readonly query: Query | null
  readonly context: () => Promise<ViewContext>
}

/** Prints lists and objects. Its methods throw the same errors as `Printer`. */
export interface Printing {
  list(batches: AsyncIterable<readonly WireRecord[]>, view: ListView, limit?: number): Promise<void>
  genericList(batches: RecordBatches, limit?: number): Promise<void>
  one(record: WireRecord, views: Views): Promise<void>
}

/** One of several venues that a command reads in a single run. */
export interface Venue {
  readonly profile: string
  readonly beginRequest: () => void
  /** Adds this venue's counts to the totals printed at the end. `what` names what is counted, such as bookings. */
  readonly addUp: (what: string, counts: Readonly<Record<string, number>>) => void
  /** Waits for this venue's turn, then runs the work. Used by commands that schedule the venues' turns themselves. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** The recorder for the traffic of all venues, or `null` if traffic is not recorded. */
  readonly recorder: HarFile | null
}
