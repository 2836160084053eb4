/** A record as the service sent it. */
export interface SyncRecord {
  /** The service's JSON on one line, with all digits of numbers preserved. */
  readonly text: string
  /**
   * The service's ID, or `null` if the record has none. Characters that a database cannot store are replaced with
   * U+FFFD.
   */
  readonly id: string | null
  /** The change date in epoch milliseconds, or `null` if the record has none. */
  readonly changedMs: number | null
  /**
   * An identifier of this version of the record. Of several records with the same version, only one needs to be stored.
   */
  readonly version: string
  /** The result of `JSON.parse`, if the text has already been parsed. */
  readonly parsed?: unknown
  /** The text in UTF-8, if it has not been decoded yet. */
  readonly bytes?: Buffer
  /** The outline's hash ({@link Target.hashOf}), if the copy computed it. */
  readonly hash?: string
  /** Whether the record replaces the version in the copy even if that version is newer (`sync verify --repair`). */
  readonly isCorrection?: boolean
}
