/** A record as the service sent it. */
export interface SyncRecord {
  /** The JSON of the service on one line, with all digits. */
  readonly text: string
  /** The service's ID, with U+FFFD for what a database cannot store; null if it has none. */
  readonly id: string | null
  /** The change date, epoch milliseconds; null if the record has none. */
  readonly changedMs: number | null
  /** Identifies this version: records with the same version need to be stored only once. */
  readonly version: string
  /** The result of `JSON.parse`, if it was needed already. */
  readonly parsed?: unknown
  /** The text in UTF-8, if it was not decoded yet. */
  readonly bytes?: Buffer
  /** The hash of an outline ({@link Target.hashOf}), if the copy computed it. */
  readonly hash?: string
  /** Whether it replaces whatever the copy has, even a newer version (`sync verify --repair`). */
  readonly isCorrection?: boolean
}
