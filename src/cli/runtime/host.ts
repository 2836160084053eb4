import type { InnerService } from '../../client/inner-service.ts'
import type { Screen } from '../../render/screen.ts'
import type { Output } from '../output/output.ts'
import type { SignalAnswer } from './stopping.ts'

/** The process that a command runs in; everything it may know of the outside comes from here. */
export interface Host {
  readonly version: string
  /** The service inside; null in a build without it. */
  readonly sandbox: InnerService | null
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  readonly stdoutScreen: Screen
  readonly stderrScreen: Screen
  /** True when a person can answer: standard input and standard error are both a terminal. */
  readonly canAsk: boolean
  /** Aborted with `Interrupted` when the command is to stop. */
  readonly signal: AbortSignal
  /** Takes signals over: from now on they do not stop the command, but are told to this. */
  readonly answerSignals: (answer: SignalAnswer) => void
  /** The present, epoch milliseconds. */
  readonly now: () => number
}
