/**
 * What is wrong with a JSON answer.
 * `truncated`: it stops before its end. `malformed`: it is not JSON, or has text after its end. `too-large`: one record, or
 * all that stands beside the list, is above its limit. `too-deep`: brackets inside brackets beyond the limit.
 * `not-a-list`: it is JSON, but not the list that was asked for. `bad-utf8`: its bytes are not UTF-8.
 */
export type RecordStreamProblem = 'truncated' | 'malformed' | 'too-large' | 'too-deep' | 'not-a-list' | 'bad-utf8'

/**
 * An answer that cannot be read as the JSON that it should be. Its message is one plain line without a full stop, fit to
 * follow "The service answered, but"; it holds nothing of the records themselves.
 */
export class RecordStreamError extends Error {
  override readonly name = 'RecordStreamError'
  readonly kind: RecordStreamProblem
  /** How many whole records came before the problem; 0 for an answer that is not a list. */
  readonly records: number

  constructor(kind: RecordStreamProblem, message: string, records = 0) {
    super(message)
    this.kind = kind
    this.records = records
  }
}

/** A size in the largest whole unit: `16 MiB`, `64 KiB`, `1000 bytes`. */
export function formatSize(bytes: number): string {
  if (bytes >= 1024 ** 2 && bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`
  if (bytes >= 1024 && bytes % 1024 === 0) return `${bytes / 1024} KiB`
  return `${bytes} bytes`
}
