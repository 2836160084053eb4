import type { RecordBatches, WireRecord } from '../../../base/json/list/wire-record.ts'
import type { HarFile } from '../../../client/har-file.ts'
import type { Query } from '../../input/query.ts'
import type { CardView, Format, ListView, ViewContext } from '../../render/view.ts'

export type Views = { readonly card: CardView; readonly list: ListView }

export interface PrintOptions {
  readonly format: Format
  /** The paths of `--columns`; null: those of the view. */
  readonly columns: readonly string[] | null
  readonly headerless: boolean
  /** Prints one value per line, with strings as they are. */
  readonly raw: boolean
  /** Null to print everything. */
  readonly query: Query | null
  readonly context: () => Promise<ViewContext>
}

/** Prints lists and objects; fails as `Printer` does. */
export interface Printing {
  list(batches: AsyncIterable<readonly WireRecord[]>, view: ListView, limit?: number): Promise<void>
  found(batches: RecordBatches, limit?: number): Promise<void>
  one(record: WireRecord, views: Views): Promise<void>
}

export interface Venue {
  readonly profile: string
  readonly printer: (options: PrintOptions) => Printing
  readonly beginRequest: () => void
  /** Adds this run's `counts` of `what` (bookings) to those of other venues, for one line at the end. */
  readonly addUp: (what: string, counts: Readonly<Record<string, number>>) => void
  /** Runs work when it is this venue's turn, in commands that manage their own turns. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
  /** Records the traffic of all venues, or null. */
  readonly recorder: HarFile | null
}
