/** One record as the service sent it, with what tells it apart. */
export interface SyncRecord {
  /** The service's own JSON, every digit kept, on one line. */
  readonly text: string
  /** The service's ID of it, with U+FFFD for what a database cannot hold; null when the record has none. */
  readonly id: string | null
  /** When it was last changed, epoch milliseconds; null when the record does not say. */
  readonly changedMs: number | null
  /** Names this version: the same in two records only when they need to be kept once. */
  readonly version: string
  /** What `JSON.parse` makes of the text, where it was needed to tell the record apart. */
  readonly parsed?: unknown
  /** True: it is written whatever the copy has of this record, also a newer version (`sync verify --repair`). */
  readonly isCorrection?: boolean
}
