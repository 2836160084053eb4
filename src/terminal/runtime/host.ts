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

/** `PartnerCommand` without what oclif adds. */
export interface RunningCommand {
  readonly id: string | undefined
  /** Returns the exit code; undefined means 0. */
  _run<T = number | undefined>(): Promise<T>
  givenUp(reason: unknown): Promise<unknown>
  close(): Promise<void>
}

export interface CommandClass {
  new (argv: string[], config: Config): RunningCommand
  /** Its words; undefined before it was found. */
  readonly id?: string
  readonly flags: FlagInput
  readonly baseFlags: FlagInput
  /** Whether it manages its own turns for many venues, because it never ends. */
  readonly takesTurns: boolean
}

/** Every command by its words (`bookings list`), loaded on demand. */
export type CommandTable = Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>>

/** The process of a command, and all that it knows of the outside. */
export interface Host {
  readonly version: string
  /** Null in a build without it. */
  readonly sandbox: InnerService | null
  readonly dist: string
  readonly commands: CommandTable
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdout: Output
  readonly stderr: Output
  readonly waiting: Waiting
  readonly stdoutScreen: Screen
  readonly stderrScreen: Screen
  /** True if the user can answer: stdin and stderr are terminals, without `--no-input`. */
  readonly canAsk: boolean
  /** As `canAsk`, but also true for an agent: then a confirmation needs `--yes`. */
  readonly needsYes: boolean
  readonly askNothing: () => void
  /** Aborted with `Interrupted` when the command must stop. */
  readonly signal: AbortSignal
  /** Asks the command to stop, as a signal does; `by` names the cause. */
  readonly stop: (by: string) => void
  /** Passes signals to `answer` instead of stopping the command. */
  readonly answerSignals: (answer: SignalAnswer) => void
  readonly venue?: Venue
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Returns the flags of a command, or null if it is unknown. */
export async function flagsOfCommand({ commands }: Host, id: string): Promise<FlagTable | null> {
  const module = Object.hasOwn(commands, id) ? await commands[id]?.() : undefined
  return module === undefined ? null : { ...module.default.baseFlags, ...module.default.flags }
}

export function isVerbose({ env }: Host, flag: boolean): boolean {
  return flag || env['PARTNER_DEBUG'] === '1'
}

/** What a session knows of this process; its notices go to stderr. */
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

/** Null if only `--verbose` shows the notice. */
function noticeLine(notice: Notice, isVerbose: boolean, now: number): string | null {
  const { kind } = notice
  if (kind === 'warning') return `warning: ${notice.text}`
  if (kind === 'pace') {
    const { limit, endpoint, path } = notice
    const seconds = Math.ceil(limit.waitMs / 1000)
    return `waiting ${seconds} s: ${describeLimit(limit, endpoint, now)} (to try at once, stop this and remove ${path})`
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
