/** What is wrong with a JSON response. `too-large` is one record, or the members next to the list. */
export type RecordStreamProblem = 'truncated' | 'malformed' | 'too-large' | 'too-deep' | 'not-a-list' | 'bad-utf8'

/** A response that is not the expected JSON. The message is one line without a full stop and quotes no record. */
export class RecordStreamError extends Error {
  override readonly name = 'RecordStreamError'
  readonly kind: RecordStreamProblem
  /** How many whole records came first. */
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
