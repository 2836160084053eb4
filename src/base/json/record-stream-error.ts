/**
 * The problems that a JSON response can have. `too-large` means that a record exceeds its size limit, or that the
 * members other than the list are too large in total.
 */
export type RecordStreamProblem = 'truncated' | 'malformed' | 'too-large' | 'too-deep' | 'not-a-list' | 'bad-utf8'

/**
 * Thrown for a response that is not the expected JSON. The message is one line without a full stop and never quotes a
 * record.
 */
export class RecordStreamError extends Error {
  override readonly name = 'RecordStreamError'
  readonly kind: RecordStreamProblem
  /** The number of complete records that came before the problem. */
  readonly records: number

  constructor(kind: RecordStreamProblem, message: string, records = 0) {
    super(message)
    this.kind = kind
    this.records = records
  }
}

/** Formats a size in the largest unit that gives a whole number: `16 MiB`, `64 KiB`, `1000 bytes`. */
export function formatSize(bytes: number): string {
  if (bytes >= 1024 ** 2 && bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`
  return `${bytes} bytes`
}
