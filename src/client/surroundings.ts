import type { Endpoint } from '../contract/endpoint.ts'
import type { TellWait } from '../http/client/retry.ts'
import type { TracedAttempt } from '../http/client/trace.ts'
import type { LearnedLimit } from './calls/pace.ts'
import type { InnerService } from './inner-service.ts'

/** Something to report while a session works. */
export type Notice =
  | { readonly kind: 'warning'; readonly text: string }
  | { readonly kind: 'remark'; readonly text: string }
  | { readonly kind: 'attempt'; readonly attempt: TracedAttempt }
  | { readonly kind: 'retry'; readonly waitMs: number; readonly attempt: number; readonly why: string }
  /** A request waits for a known limit; `path` is the file that remembers it. */
  | { readonly kind: 'pace'; readonly limit: LearnedLimit; readonly endpoint: Endpoint; readonly path: string }

/** What a session knows of its process. */
export interface Surroundings {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Null in a build without it. */
  readonly sandbox: InnerService | null
  /** Aborted with `Interrupted` to stop the work. */
  readonly signal: AbortSignal
  /** The time in epoch milliseconds. */
  readonly now: () => number
  readonly notify: (notice: Notice) => void
  readonly waitsFor?: TellWait
  readonly hide: (secret: string) => void
  readonly hidden: () => readonly string[]
}
