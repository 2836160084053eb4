import type { Command } from '@oclif/core/command'
import type { Config } from '@oclif/core/interfaces'
import { type Failure, usageFailure } from '../failure/failure.ts'
import { nearest } from '../failure/nearest.ts'
import { Interrupted } from '../http/errors.ts'
import { screenOf } from '../render/screen.ts'
import { failureOf, reportJson, reportLines } from './error-report.ts'
import type { Host } from './host.ts'
import { configFor } from './oclif-config.ts'
import { Output, ReaderGone } from './output.ts'

/** A command as it stands in its file. */
export type CommandModule = { readonly default: new (argv: string[], config: Config) => Command }

/** Every command by its words (`bookings list`), loaded when it is run. */
export type CommandTable = Readonly<Record<string, () => Promise<CommandModule>>>

/**
 * Runs one command line to its end and gives the exit code. Errors are printed here, and nowhere else.
 */
export async function main(
  argv: readonly string[],
  commands: CommandTable,
  build: Pick<Host, 'version' | 'sandbox'>,
): Promise<number> {
  const controller = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort(new Interrupted(signal))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  const host = hostHere(build, controller.signal)
  const code = await outcomeOf(argv, commands, host)
  if (host.stdout.isStuck || host.stderr.isStuck) process.exit(code)
  process.off('SIGINT', stop)
  process.off('SIGTERM', stop)
  return code
}

async function outcomeOf(argv: readonly string[], commands: CommandTable, host: Host): Promise<number> {
  let helpPage = 'partner --help'
  try {
    const { id, rest } = commandIn(argv, commands)
    helpPage = `partner ${id} --help`
    const module = await commands[id]?.()
    if (!module) throw new Error(`the command table has no ${id}`)
    const command = Object.assign(module.default, { id })
    await runToEnd(new command(rest, configFor(host)))
    await host.stdout.flush()
    return Number(process.exitCode ?? 0)
  } catch (error) {
    return await report(error, argv, host, helpPage)
  }
}

/** oclif keeps this method from outsiders; `execute()` would load the whole of it to get here. */
function runToEnd(command: Command): Promise<unknown> {
  return (command as unknown as { _run(): Promise<unknown> })._run()
}

function hostHere(build: Pick<Host, 'version' | 'sandbox'>, signal: AbortSignal): Host {
  const { env } = process
  return {
    ...build,
    env,
    stdout: new Output('stdout', () => process.stdout, signal),
    stderr: new Output('stderr', () => process.stderr, signal),
    get stdoutScreen() {
      return screenOf(process.stdout, env)
    },
    get stderrScreen() {
      return screenOf(process.stderr, env)
    },
    get canAsk() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    signal,
    now: Date.now,
  }
}

function commandIn(argv: readonly string[], commands: CommandTable): { id: string; rest: string[] } {
  const all = argv.flatMap((arg, index) => (index === 0 ? arg.split(':') : [arg]))
  const flag = all.findIndex((word) => word.startsWith('-'))
  const words = flag < 0 ? all : all.slice(0, flag)
  for (let count = Math.min(words.length, 3); count > 0; count--) {
    const id = words.slice(0, count).join(' ')
    if (Object.hasOwn(commands, id)) return { id, rest: all.slice(count) }
  }
  throw unknownCommand(words, Object.keys(commands))
}

function unknownCommand(words: readonly string[], ids: readonly string[]): Failure {
  if (words.length === 0) return usageFailure(['no command is given'], 'see partner --help')
  const topics = [...new Set(ids.map((id) => id.split(' ')[0] ?? id))]
  const [topic = '', verb] = words
  for (const count of [2, 1]) {
    // `sandbox faults` is a topic of its own, in the topic `sandbox`.
    const named = words.slice(0, count).join(' ')
    const next = words[count]
    const ofTopic = words.length < count ? [] : ids.filter((id) => id.startsWith(`${named} `))
    if (ofTopic.length === 0) continue
    if (next === undefined) return usageFailure([`${named} needs a command`], `see partner ${named} --help`)
    const near = nearest(
      `${named} ${next}`,
      ofTopic.map((id) => id.split(' ', count + 1).join(' ')),
    )
    const meant = near ? `; did you mean "partner ${near}"?` : ''
    return usageFailure([`unknown command "${named} ${next}"${meant}`], `see partner ${named} --help`)
  }
  const typed = words.slice(0, 2).join(' ')
  const nearTopic = nearest(topic, topics)
  const near = nearest(typed, ids) ?? (nearTopic ? (nearest(`${nearTopic} ${verb ?? ''}`, ids) ?? nearTopic) : null)
  return usageFailure(
    [`unknown command "${typed}"${near ? `; did you mean "partner ${near}"?` : ''}`],
    'see partner --help',
  )
}

async function report(error: unknown, argv: readonly string[], host: Host, helpPage: string): Promise<number> {
  // The reader has what it wanted and more was coming: not all of it was delivered, which is no fault to speak of.
  if (error instanceof ReaderGone) return 13
  const failure = failureOf(
    error,
    argv.includes('-v') || argv.includes('--verbose') || host.env['PARTNER_DEBUG'] === '1',
  )
  const hint = failure.hint ?? (failure.code === 'USAGE' ? `see ${helpPage}` : undefined)
  try {
    await host.stdout.flush().catch(() => {})
    const text = wantsJson(argv, host.env) ? reportJson(failure, hint) : reportLines(failure, hint, host.stderrScreen)
    await host.stderr.write(text)
    await host.stderr.flush()
  } catch {
    // stderr is gone as well: the exit code is all that is left to say.
  }
  return failure.exitCode
}

/** Whether errors are for a program; read from the words themselves, as a command line that does not parse has errors too. */
function wantsJson(argv: readonly string[], env: Host['env']): boolean {
  const end = argv.indexOf('--')
  const own = end < 0 ? argv : argv.slice(0, end)
  for (const [index, arg] of own.entries()) {
    if (arg === '--json') return true
    const value = arg === '-o' || arg === '--output' ? own[index + 1] : /^(?:--output=|-o=?)(.+)$/.exec(arg)?.[1]
    if (value !== undefined) return value === 'json' || value === 'ndjson'
  }
  return env['PARTNER_OUTPUT'] === 'json' || env['PARTNER_OUTPUT'] === 'ndjson'
}
