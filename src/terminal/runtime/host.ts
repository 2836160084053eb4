import type { Config, FlagInput } from '@oclif/core/interfaces'
import { describeLimit } from '../../client/calls/pace.ts'
import type { InnerService } from '../../client/inner-service.ts'
import type { Notice, Surroundings } from '../../client/surroundings.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { TracedAttempt } from '../../http/client/trace.ts'
import type { Venue } from '../output/many/venue.ts'
import type { FlagTable } from '../output/next/hint.ts'
import type { Output } from '../output/output.ts'
import type { Waiting } from '../output/waiting.ts'
import type { Screen } from '../render/screen.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { SignalAnswer } from './stopping.ts'

/** A command that can be run: `PartnerCommand` without what oclif brings. */
export interface RunningCommand {
  readonly id: string | undefined
  /** Runs it. The result is the exit code; undefined means 0. */
  _run<T = number | undefined>(): Promise<T>
  /** Returns the error to report when the command was given up in the middle of its work. */
  givenUp(reason: unknown): Promise<unknown>
  /** Closes what the command holds, once its result is known. */
  close(): Promise<void>
}

/** The class of a command. */
export interface CommandClass {
  new (argv: string[], config: Config): RunningCommand
  /** Its words; undefined before it was found. */
  readonly id?: string
  readonly flags: FlagInput
  readonly baseFlags: FlagInput
  /** Whether it takes its turns itself when it runs for many venues, as one does that never ends. */
  readonly takesTurns: boolean
}

/** Every command by its words (`bookings list`), loaded when it is run. */
export type CommandTable = Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>>

/** The process that a command runs in; everything a command knows of the outside comes from here. */
export interface Host {
  readonly version: string
  /** The service inside; null in a build without it. */
  readonly sandbox: InnerService | null
  readonly dist: string
  readonly commands: CommandTable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  /** Says at a terminal what is waited for. */
  readonly waiting: Waiting
  readonly stdoutScreen: Screen
  readonly stderrScreen: Screen
  /** True when a person can answer: standard input and standard error are both a terminal, and nobody said `--no-input`. */
  readonly canAsk: boolean
  /** True where a person would be asked, also when an agent is there instead: what needs a yes needs `--yes` then. */
  readonly needsYes: boolean
  /** Asks the person nothing from now on, as if there were no terminal. */
  readonly askNothing: () => void
  /** Aborted with `Interrupted` when the command is to stop. */
  readonly signal: AbortSignal
  /** Asks the command to stop, as a signal does; `by` says what did. */
  readonly stop: (by: string) => void
  /** Hands signals to `answer` from now on, instead of stopping the command. */
  readonly answerSignals: (answer: SignalAnswer) => void
  /** The venue that this run is for, where a command runs for many; undefined: it runs for itself. */
  readonly venue?: Venue
  /** The current time, epoch milliseconds. */
  readonly now: () => number
}

/** Returns the flags of a command by name, or null when there is no such command. */
export async function flagsOfCommand({ commands }: Host, id: string): Promise<FlagTable | null> {
  const module = Object.hasOwn(commands, id) ? await commands[id]?.() : undefined
  return module === undefined ? null : { ...module.default.baseFlags, ...module.default.flags }
}

/** Whether `--verbose` or PARTNER_DEBUG is set. */
export function isVerbose({ env }: Host, flag: boolean): boolean {
  return flag || env['PARTNER_DEBUG'] === '1'
}

/** The part of this process that a session uses; its notices go to stderr. */
export function surroundingsOf(host: Host, verboseFlag: boolean): Surroundings {
  const { version, sandbox, env, signal, now, stderr, waiting } = host
  return {
    ...{ version, sandbox, env, signal, now },
    notify: (notice) => {
      const line = noticeLine(notice, isVerbose(host, verboseFlag), now())
      if (line !== null) void stderr.write(`${terminalSafe(line)}\n`)
    },
    waitsFor: waiting.begin,
    hide: (secret) => stderr.hide(secret),
    hidden: () => stderr.hidden,
  }
}

/** The line for a notice; null when only `--verbose` shows it. `now` in epoch milliseconds. */
function noticeLine(notice: Notice, isVerbose: boolean, now: number): string | null {
  switch (notice.kind) {
    case 'warning':
      return `warning: ${notice.text}`
    case 'pace': {
      const { limit, endpoint, path } = notice
      const seconds = Math.ceil(limit.waitMs / 1000)
      return `waiting ${seconds} s: ${describeLimit(limit, endpoint, now)} (to try at once, stop this and remove ${path})`
    }
    case 'remark':
      return isVerbose ? notice.text : null
    case 'attempt':
      return isVerbose ? traceLine(notice.attempt) : null
    case 'retry':
      return isVerbose
        ? `attempt ${notice.attempt} failed (${notice.why}); trying again in ${Math.round(notice.waitMs)} ms`
        : null
  }
}

function traceLine({ request, attempt, reply, error, elapsedMs }: TracedAttempt): string {
  const outcome = reply ? String(reply.status) : error instanceof NetworkError ? error.kind : 'failed'
  return `${request.method} ${request.url.href} ${outcome} ${Math.round(elapsedMs)} ms, attempt ${attempt}`
}
