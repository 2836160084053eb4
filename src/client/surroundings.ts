import type { Endpoint } from '../contract/endpoint.ts'
import type { TellWait } from '../http/client/retry.ts'
import type { TracedAttempt } from '../http/client/trace.ts'
import type { LearnedLimit } from './calls/pace.ts'
import type { InnerService } from './inner-service.ts'

/** Something that a person may want to know while a session works. */
export type Notice =
  | { readonly kind: 'warning'; readonly text: string }
  /** Of interest when somebody looks closely. */
  | { readonly kind: 'remark'; readonly text: string }
  /** An attempt has its answer, or failed. */
  | { readonly kind: 'attempt'; readonly attempt: TracedAttempt }
  /** An attempt failed, and another one follows after a wait. */
  | { readonly kind: 'retry'; readonly waitMs: number; readonly attempt: number; readonly why: string }
  /** A request waits for its place within a limit that the service named earlier; `path` is the file that remembers it. */
  | { readonly kind: 'pace'; readonly limit: LearnedLimit; readonly endpoint: Endpoint; readonly path: string }

/** What a session knows of the process that it runs in. */
export interface Surroundings {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The service inside; null in a build without it. */
  readonly sandbox: InnerService | null
  /** Aborted with `Interrupted` when the work is to stop. */
  readonly signal: AbortSignal
  /** The present, epoch milliseconds. */
  readonly now: () => number
  readonly notify: (notice: Notice) => void
  readonly waitsFor?: TellWait
  /** Takes a secret that was read and must not be shown from now on. */
  readonly hide: (secret: string) => void
  /** Every secret that must not be shown. */
  readonly hidden: () => readonly string[]
}
