import type { Failure } from '../../base/failure/failure.ts'
import { toFailure } from '../../terminal/runtime/error-report.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { type InnerEnd, runInner } from '../../terminal/runtime/inner/run-inner.ts'
import type { Given } from '../tools/tool.ts'
import { Capture, type Captured } from './capture.ts'

export interface CommandCall {
  /** The name of the command, such as `bookings list`. */
  readonly command: string
  readonly given: Given
  /** The maximum number of records in a list. */
  readonly limit: number
  readonly signal: AbortSignal
  /** For a money write, whether to prepare the order or to send it. Undefined for all other commands. */
  readonly order?: Host['order'] | undefined
}

/** How a command ended. Exactly one of `captured` and `failure` is `null`. */
export interface CommandEnd extends InnerEnd {
  readonly captured: Captured | null
}

/** Runs a command in this process and captures its output. Never throws. */
export async function runCommand({ limit, given, ...call }: CommandCall, host: Host): Promise<CommandEnd> {
  const capture = new Capture(limit)
  const { stdin, ...values } = given
  const end = await runInner(
    {
      ...{ ...call, given: values, stdin },
      printer: ({ context }) => {
        capture.context = context
        return capture
      },
    },
    host,
  )
  const failure = failureOf(call.command, end.failure, capture.result)
  return { ...end, captured: failure === null ? capture.result : null, failure }
}

/** Returns the failure to report, or `null` to return the result. */
function failureOf(id: string, failure: Failure | null, result: Captured | null): Failure | null {
  if (failure === null) return result === null ? toFailure(new Error(`${id} printed nothing`), false) : null
  // The printed result already explains these two kinds of failures, such as a reservation that would be rejected.
  const isOnlyVerdict = failure.code === 'PARTIAL_FAILURE' || failure.outcome === 'none'
  return result !== null && isOnlyVerdict ? null : failure
}
