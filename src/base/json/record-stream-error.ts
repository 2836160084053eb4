/**
 * The problems that a JSON response can have. `too-large`: one record, or the members next to the list, exceed the
 * limit.
 */
export type RecordStreamProblem = 'truncated' | 'malformed' | 'too-large' | 'too-deep' | 'not-a-list' | 'bad-utf8'

/**
 * Thrown for a response that is not the expected JSON. The message is one line, has no full stop, and never quotes a
 * record.
 */
export class RecordStreamError extends Error {
  override readonly name = 'RecordStreamError'
  readonly kind: RecordStreamProblem
  /** The number of complete records before the problem. */
  readonly records: number

  constructor(kind: RecordStreamProblem, message: string, records = 0) {
    super(message)
    this.kind = kind
    this.records = records
  }
}

/** Formats a size in its largest whole unit: `16 MiB`, `64 KiB`, `1000 bytes`. */
export function formatSize(bytes: number): string {
  if (bytes >= 1024 ** 2 && bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`
  return `${bytes} bytes`
}
