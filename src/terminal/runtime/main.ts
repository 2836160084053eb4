import { findCommand } from '../input/words/find-command.ts'
import { Output, ReaderGone } from '../output/output.ts'
import { Waiting } from '../output/waiting.ts'
import { screenOf } from '../render/screen.ts'
import { agentVariable } from './agent.ts'
import {
  type CommandClass,
  type CommandTable,
  flagsOfCommand,
  type Host,
  isVerbose,
  type RunningCommand,
} from './host.ts'
import { configFor } from './oclif-config.ts'
import { Stopping } from './stopping.ts'

/** Runs one command line and prints its errors. Sets and returns the exit code. The caller must end the process. */
export async function main(
  argv: readonly string[],
  commands: CommandTable,
  build: Pick<Host, 'version' | 'sandbox' | 'dist'>,
): Promise<number> {
  // The exit code if the process ends before the command does.
  process.exitCode = 1
  if (wordsBeforeDashes(argv).includes('--no-color')) disableColor(process.env)
  const stopping = new Stopping()
  const host = createHost({ ...build, commands }, stopping)
  const { code, command } = await outcomeOf(argv, host, stopping)
  host.waiting.end()
  process.exitCode = code
  // The result is known, so from now on a signal ends the process with the command's exit code.
  stopping.answer = () => process.exit(code)
  host.observer?.end(code)
  const observed = host.observer?.settle(stopping.remainingMs)
  if (stopping.abandoned.aborted) {
    await observed
    process.exit(code)
  }
  // Ignore errors while closing, because the result is already known.
  await command?.close().catch(() => {})
  await observed
  if (code === 0) await printUpdateNotice(host, command?.id ?? '')
  return code
}

async function outcomeOf(argv: readonly string[], host: Host, stopping: Stopping) {
  const { commands } = host
  let named: string | null = null
  let command: RunningCommand | null = null
  try {
    const { id, rest } = await findCommand(argv, Object.keys(commands))
    named = id
    const module = await commands[id]?.()
    if (!module) throw new Error(`the command table has no ${id}`)
    const Named = Object.assign(module.default, { id })
    await observe(host, argv, Named)
    command = new Named([...rest], configFor(host))
    const code = await runToEnd(command, stopping)
    await host.stdout.flush()
    return { code, command }
  } catch (error) {
    if (named === null) await observe(host, argv, null).catch(() => {})
    return { code: await report(error, argv, host, named), command }
  }
}

/** The variables and flags that enable pings or traces. */
const OBSERVING_VARIABLES = ['PARTNER_PING_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
const OBSERVING_FLAGS = /^--(?:ping|trace-service)(?:=|$)/

/** Starts pings and traces, if they are enabled. Throws USAGE if the ping URL cannot be used. */
async function observe(host: Host, argv: readonly string[], Named: CommandClass | null): Promise<void> {
  const own = wordsBeforeDashes(argv)
  if (!OBSERVING_VARIABLES.some((name) => host.env[name]) && !own.some((word) => OBSERVING_FLAGS.test(word))) return
  const { openObserver } = await import('./observing/open.ts')
  host.observer = await openObserver(host, own, Named)
  host.observer.begin()
}

async function runToEnd(command: RunningCommand, stopping: Stopping): Promise<number> {
  try {
    return (await stopping.untilAbandoned(command._run())) ?? 0
  } catch (error) {
    throw error === stopping.abandoned.reason ? await command.explainAbandonment(error) : error
  }
}

function createHost(build: Pick<Host, 'version' | 'sandbox' | 'dist' | 'commands'>, stopping: Stopping): Host {
  const { env } = process
  let mayAsk = true
  const stdout = new Output('stdout', () => process.stdout, stopping)
  const stderr = new Output('stderr', () => process.stderr, stopping, stdout)
  return {
    ...build,
    env,
    standardInput: () => process.stdin,
    stdout,
    stderr,
    waiting: new Waiting({
      stdout,
      stderr,
      columns: () => screenOf(process.stderr, env).columns,
      sharesTerminal: () => process.stdout.isTTY === true,
      canErase: env['TERM'] !== 'dumb',
    }),
    get stdoutScreen() {
      return screenOf(process.stdout, env)
    },
    get stderrScreen() {
      return screenOf(process.stderr, env)
    },
    get canAsk() {
      return this.needsYes && agentVariable(env) === null
    },
    get needsYes() {
      return mayAsk && isTerminal(0) && isTerminal(2)
    },
    disableQuestions: () => {
      mayAsk = false
    },
    signal: stopping.stopRequested,
    stop: (by) => stopping.stop(by),
    handleSignals: (answer) => {
      stopping.answer = answer
    },
    now: Date.now,
  }
}

function isTerminal(descriptor: number): boolean {
  return process.getBuiltinModule('node:tty').isatty(descriptor)
}

/**
 * Prints a notice about a newer release if a user is likely to see it: stderr and one other stream must be terminals.
 */
async function printUpdateNotice(host: Host, command: string): Promise<void> {
  try {
    // Only a character device can be a terminal. This check avoids loading node:tty.
    if (!process.getBuiltinModule('node:fs').fstatSync(2).isCharacterDevice()) return
    if (!isTerminal(2) || !(isTerminal(0) || isTerminal(1))) return
    const { notifyOfUpdate } = await import('../update/notice.ts')
    await notifyOfUpdate(host, command)
  } catch {
    // Ignore errors, because the command itself has succeeded.
  }
}

async function report(error: unknown, argv: readonly string[], host: Host, command: string | null): Promise<number> {
  // The reader closed the output early, as `head` does. Only the exit code can report the incomplete output.
  if (error instanceof ReaderGone) return 13
  const { formatReportJson, formatReportText, toFailure } = await import('./error-report.ts')
  const own = wordsBeforeDashes(argv)
  const failure = toFailure(error, isVerbose(host, own.includes('-v') || own.includes('--verbose')))
  host.waiting.end()
  const { hintOf } = await import('../output/next/hint.ts')
  const hint = await hintOf(failure, { command, typed: own, flagsOf: (id) => flagsOfCommand(host, id) })
  try {
    await host.stdout.flush().catch(() => {})
    const text = wantsJson(own, host.env)
      ? formatReportJson(failure, hint)
      : await formatReportText(failure, hint, host.stderrScreen, host.stderr.hidden)
    await host.stderr.writeEvenIfQuiet(text)
    await host.stderr.flush()
  } catch {
    // stderr is closed too, so only the exit code can report the failure.
  }
  return failure.exitCode
}

function wordsBeforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}

/**
 * Turns colour off for all libraries by setting the environment variables that they read. Must be called before they
 * are loaded.
 */
function disableColor(env: NodeJS.ProcessEnv): void {
  env['NO_COLOR'] = '1'
  Reflect.deleteProperty(env, 'FORCE_COLOR')
}

/** Whether errors are printed as JSON. Reads the unparsed command line, because it may be invalid. */
function wantsJson(own: readonly string[], env: Host['env']): boolean {
  for (const [index, arg] of own.entries()) {
    if (arg === '--json') return true
    const value = arg === '-o' || arg === '--output' ? own[index + 1] : /^(?:--output=|-o=?)(.+)$/.exec(arg)?.[1]
    if (value !== undefined) return value === 'json' || value === 'ndjson'
  }
  return env['PARTNER_OUTPUT'] === 'json' || env['PARTNER_OUTPUT'] === 'ndjson'
}
