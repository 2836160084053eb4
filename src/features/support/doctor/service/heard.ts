import type { Failure } from '../../../../base/failure/failure.ts'
import type { Answer } from '../../../../client/calls/answer.ts'

/** What the service answered to one request, whatever it was. */
export interface Heard {
  /** Null: no whole answer came. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, string>>
  /** When the headers came, epoch milliseconds, and how long they took. */
  readonly atMs: number
  readonly tookMs: number
  /** The statuses of the venue; null: they were refused. */
  readonly answer: Answer | null
  readonly failure: Failure | null
}
