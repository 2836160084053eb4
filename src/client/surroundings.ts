import type { Endpoint } from '../contract/endpoint.ts'
import type { ShowWait } from '../http/client/retry.ts'
import type { TracedAttempt } from '../http/client/trace.ts'
import type { BuiltInSandbox } from './built-in-sandbox.ts'
import type { TraceRequest } from './calls/caller.ts'
import type { LearnedLimit } from './calls/pace.ts'

/** A message from a session to the user. */
export type Notice =
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'remark'; readonly text: string }
  | { readonly kind: 'attempt'; readonly attempt: TracedAttempt }
  | { readonly kind: 'retry'; readonly waitMs: number; readonly attempt: number; readonly why: string }
  /** A request that waits because of a known rate limit. `path` is the file that stores the limits. */
  | { readonly kind: 'pace'; readonly limit: LearnedLimit; readonly endpoint: Endpoint; readonly path: string }

/** Everything a session needs from the process that runs it. */
export interface Surroundings {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The built-in sandbox. `null` if this build does not include it. */
  readonly sandbox: BuiltInSandbox | null
  /** The signal that stops all work. Its abort reason is an `Interrupted`. */
  readonly signal: AbortSignal
  /** Returns the current time in epoch milliseconds. */
  readonly now: () => number
  readonly notify: (notice: Notice) => void
  readonly waitsFor?: ShowWait
  readonly traceRequest?: TraceRequest
  /** Adds a secret that must not be printed. */
  readonly hide: (secret: string) => void
  /** Returns all secrets that must not be printed. */
  readonly hidden: () => readonly string[]
}
