/** A record as the service sent it. */
export interface SyncRecord {
  /** The service's JSON on one line, with all digits of numbers preserved. */
  readonly text: string
  /** The service's ID, with U+FFFD for characters that a database cannot store; `null` if the record has no ID. */
  readonly id: string | null
  /** The change date in epoch milliseconds, or `null` if the record has none. */
  readonly changedMs: number | null
  /** This version's identity: of records with the same version, only one needs to be stored. */
  readonly version: string
  /** The result of `JSON.parse`, if the text has already been parsed. */
  readonly parsed?: unknown
  /** The text in UTF-8, if it has not been decoded yet. */
  readonly bytes?: Buffer
  /** The hash of an outline ({@link Target.hashOf}), if the copy computed it. */
  readonly hash?: string
  /** Whether the record replaces the copy's version even if that one is newer (`sync verify --repair`). */
  readonly isCorrection?: boolean
}
