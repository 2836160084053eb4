/**
 * What is wrong with a JSON answer.
 * `truncated`: it stops before its end. `malformed`: it is not JSON, or text follows it. `too-large`: one record, or what
 * stands beside the list, is above its limit. `too-deep`: it is nested beyond the limit. `not-a-list`: it is JSON, but not the
 * list that was asked for. `bad-utf8`: its bytes are not UTF-8.
 */
export type RecordStreamProblem = 'truncated' | 'malformed' | 'too-large' | 'too-deep' | 'not-a-list' | 'bad-utf8'

/** An answer that is not the JSON that it should be. The message is one line without a full stop, and quotes no record. */
export class RecordStreamError extends Error {
  override readonly name = 'RecordStreamError'
  readonly kind: RecordStreamProblem
  /** How many whole records came first; 0 for an answer that is no list. */
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
