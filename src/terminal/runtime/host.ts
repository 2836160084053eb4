import type { Readable } from 'node:stream'
import type { Config, FlagInput } from '@oclif/core/interfaces'
import type { BuiltInSandbox } from '../../client/built-in-sandbox.ts'
import { describeLimit } from '../../client/calls/pace.ts'
import type { Notice, Surroundings } from '../../client/surroundings.ts'
import { NetworkError } from '../../http/client/errors.ts'
import type { TracedAttempt } from '../../http/client/trace.ts'
import type { OrderMode } from '../../money/orders/order.ts'
import type { Printing, PrintOptions, Venue } from '../output/many/venue.ts'
import type { FlagTable } from '../output/next/hint.ts'
import type { Output } from '../output/output.ts'
import type { Waiting } from '../output/waiting.ts'
import type { Screen } from '../render/screen.ts'
import { terminalSafe } from '../render/text/safe-text.ts'
import type { Observer } from './observing/observer.ts'
import type { SignalHandler } from './stopping.ts'

/** The members of `PartnerCommand` that partner itself uses, except those inherited from oclif. */
export interface RunningCommand {
  readonly id: string | undefined
  /** Runs the command and returns its exit code. `undefined` means 0. */
  _run<T = number | undefined>(): Promise<T>
  explainAbandonment(reason: unknown): Promise<unknown>
  close(): Promise<void>
}

export interface CommandClass {
  new (argv: string[], config: Config): RunningCommand
  /** The command's name, such as `bookings list`, or `undefined` until the command has been looked up. */
  readonly id?: string
  readonly flags: FlagInput
  readonly baseFlags: FlagInput
  /** Whether the command can run repeatedly (`--every`) and therefore schedules the venues' turns itself. */
  readonly takesTurns: boolean
}

/** All commands by name (such as `bookings list`), loaded on demand. */
export type CommandTable = Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>>

/** The values of a command's flags and arguments, as the parser would return them. */
export interface GivenValues {
  readonly args: Readonly<Record<string, string>>
  readonly flags: Readonly<Record<string, string | boolean | readonly string[]>>
}

/** The process that runs a command: its streams, environment variables, clock and signals. */
export interface Host {
  readonly version: string
  /** The built-in sandbox, or `null` in a build without it. */
  readonly sandbox: BuiltInSandbox | null
  readonly dist: string
  readonly commands: CommandTable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly standardInput: () => Readable
  readonly stdout: Output
  readonly stderr: Output
  readonly waiting: Waiting
  readonly stdoutScreen: Screen
  readonly stderrScreen: Screen
  /**
   * Whether a user can answer questions: stdin and stderr are terminals, `--no-input` is not used, and the command is
   * not run by an AI agent.
   */
  readonly canAsk: boolean
  /** Whether changes need confirmation. Like `canAsk`, but also true for an AI agent: it must pass `--yes`. */
  readonly needsYes: boolean
  readonly disableQuestions: () => void
  /** Aborted with `Interrupted` when the command must stop. */
  readonly signal: AbortSignal
  /** Asks the command to stop, as a signal does. `by` names the cause. */
  readonly stop: (by: string) => void
  /** Makes signals call `answer` instead of stopping the command. */
  readonly handleSignals: (answer: SignalHandler) => void
  readonly venue?: Venue
  /**
   * The values of the flags and arguments, if they do not come from a command line. `@file` and `-` are then plain
   * text, so nothing is read from files or standard input.
   */
  readonly given?: GivenValues
  /** Creates the printer for the command's results. By default, results are printed to stdout. */
  readonly printer?: (options: PrintOptions) => Printing
  /** Whether to prepare an order for a money write or to send a prepared one. Absent if the write is sent directly. */
  readonly order?: OrderMode
  /** Pings a job monitor and sends traces, if a flag or a variable requests it. */
  observer?: Observer
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number
}

/** Returns a command's flags, or `null` if no such command exists. */
export async function flagsOfCommand({ commands }: Host, id: string): Promise<FlagTable | null> {
  const module = Object.hasOwn(commands, id) ? await commands[id]?.() : undefined
  return module === undefined ? null : { ...module.default.baseFlags, ...module.default.flags }
}

export function isVerbose({ env }: Host, flag: boolean): boolean {
  return flag || env['PARTNER_DEBUG'] === '1'
}

/** Returns the parts of the host that a session needs. The session's notices are printed on stderr. */
export function surroundingsOf(host: Host, verboseFlag: boolean): Surroundings {
  const { version, sandbox, env, signal, now, stderr, waiting, observer } = host
  const traceRequest = observer?.traceRequest
  return {
    ...{ version, sandbox, env, signal, now, ...(traceRequest && { traceRequest }) },
    notify: (notice) => {
      const line = noticeLine(notice, isVerbose(host, verboseFlag), now())
      if (line !== null) void stderr.write(`${terminalSafe(line)}\n`)
    },
    waitsFor: waiting.begin,
    hide: (secret) => stderr.hide(secret),
    hidden: () => stderr.hidden,
  }
}

/** Formats a notice. Returns `null` if the notice is shown only with `--verbose`. */
function noticeLine(notice: Notice, isVerbose: boolean, now: number): string | null {
  const { kind } = notice
  if (kind === 'warning') return `warning: ${notice.text}`
  if (kind === 'pace') {
    const { limit, endpoint, path } = notice
    const seconds = Math.ceil(limit.waitMs / 1000)
    const way = `to try immediately, stop this command and remove ${path}`
    return `waiting ${seconds} s: ${describeLimit(limit, endpoint, now)} (${way})`
  }
  if (!isVerbose) return null
  if (kind === 'remark') return notice.text
  if (kind === 'attempt') return traceLine(notice.attempt)
  return `attempt ${notice.attempt} failed (${notice.why}); trying again in ${Math.round(notice.waitMs)} ms`
}

function traceLine({ request, attempt, reply, error, elapsedMs }: TracedAttempt): string {
  const outcome = reply ? String(reply.status) : error instanceof NetworkError ? error.kind : 'failed'
  return `${request.method} ${request.url.href} ${outcome} ${Math.round(elapsedMs)} ms, attempt ${attempt}`
}
