import type { Screen } from '../render/screen.ts'
import type { Output } from './output.ts'
import type { SignalAnswer } from './stopping.ts'

/** The process that a command runs in; everything it may know of the outside comes from here. */
export interface Host {
  readonly version: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  readonly stdoutScreen: Screen
  readonly stderrScreen: Screen
  /** True when a person can answer: standard input and standard error are both a terminal. */
  readonly canAsk: boolean
  /** Aborted with `Interrupted` when the command is to stop. */
  readonly signal: AbortSignal
  /** Asks the command to stop, as a signal does; `by` says what did. */
  readonly stop: (by: string) => void
  /** Takes signals over: from now on they do not stop the command, but are told to this. */
  readonly answerSignals: (answer: SignalAnswer) => void
  /** The present, epoch milliseconds. */
  readonly now: () => number
}
