import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { signalTree } from '../../base/programs/end-tree.ts'
import type { ReadEvent } from '../events/read-event.ts'
import { outputEnd, spawnOnWindows } from './windows-command.ts'

/**
 * The result of handling an event. Examples of `words` are `exit code 3`, `killed by SIGKILL` and `it cannot be run
 * (ENOENT)` for a command, and `it answered 500` for a forwarded event.
 */
export type CommandEnd = { readonly isDone: boolean; readonly words: string }

export interface CommandRun {
  readonly input: Uint8Array
  readonly env: Readonly<Record<string, string>>
  /**
   * Aborting this signal stops the command, first with SIGTERM and then with SIGKILL. On Windows, the command is killed
   * immediately.
   */
  readonly signal?: AbortSignal
}

export interface HandlerOptions {
  readonly concurrency: number
  /** The time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number
  /** Whether to kill running commands if this process dies, so that another worker can run them again. */
  readonly killOnExit: boolean
  /**
   * Whether to pass the commands' output to `print` on every system. By default, commands inherit stderr, except on
   * Windows.
   */
  readonly capturesOutput?: boolean
}

/**
 * A shell script that runs the command, with a watcher in the background. If descriptor 3 is closed before a line is
 * written to it, partner has died, and the watcher kills the process group. The watcher ignores SIGTERM, so that even a
 * command that ignores SIGTERM does not outlive partner.
 */
const WATCHED_SCRIPT =
  '( ( trap "" TERM; read -r line <&3 || kill -KILL 0 ) >/dev/null 2>&1 & ); exec 3<&-; command=$1; shift; eval "$command"'

const DEFAULT_OPTIONS: HandlerOptions = { concurrency: 8, graceMs: 5000, killOnExit: false }
const IS_WINDOWS = process.platform === 'win32'

export type HandlerCommands = ReturnType<typeof openHandlerCommands>

export interface HandlerSurroundings {
  /** The commands' environment, which must not contain secrets. */
  readonly env: NodeJS.ProcessEnv
  /** The commands' working directory. Defaults to this process's working directory. */
  readonly cwd?: string
  /**
   * Prints the commands' output on stderr. Called only on Windows or with `capturesOutput`. Otherwise, commands inherit
   * stderr.
   */
  readonly print: (bytes: Uint8Array) => void
}

/**
 * Returns an object that runs a shell command for each delivery. Runs up to `concurrency` commands in parallel and
 * redirects their output to stderr.
 */
export function openHandlerCommands(
  command: string,
  { env, ...surroundings }: HandlerSurroundings,
  options: HandlerOptions = DEFAULT_OPTIONS,
) {
  const waiting: (() => void)[] = []
  const running = new Set<Promise<CommandEnd>>()
  let free = options.concurrency
  return {
    /**
     * Waits for a free slot, then runs the command. If `shouldStart` returns false at that point, returns `null`
     * instead. Never throws.
     */
    run: async (run: CommandRun, shouldStart: () => boolean): Promise<CommandEnd | null> => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        if (!shouldStart()) return null
        const work = start(command, { ...run, ...surroundings, env: { ...env, ...withoutNul(run.env) } }, options)
        running.add(work)
        const end = await work
        running.delete(work)
        return end
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
    get running() {
      return running.size
    },
    ended: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

type Started = Omit<CommandRun, 'env'> & HandlerSurroundings

function start(command: string, started: Started, options: HandlerOptions): Promise<CommandEnd> {
  const { input, print, signal } = started
  const { graceMs, capturesOutput = false } = options
  return new Promise((resolve) => {
    let child: ChildProcess
    try {
      child = IS_WINDOWS ? spawnOnWindows(command, started, options) : spawnOnUnix(command, started, options)
    } catch (error) {
      // `spawn` throws some errors, for example if a variable is too long, and emits others as events.
      resolve(cannotBeRun(error as NodeJS.ErrnoException))
      return
    }
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', print)
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      signalTree(child, 'SIGTERM')
      killing = setTimeout(() => signalTree(child, 'SIGKILL'), graceMs)
    }
    signal?.addEventListener('abort', stop, { once: true })
    const ended = (end: CommandEnd) => {
      clearTimeout(killing)
      signal?.removeEventListener('abort', stop)
      resolve(end)
    }
    const watch = child.stdio[3] as Writable | undefined
    watch?.on('error', () => undefined)
    child.on('error', (error) => ended(cannotBeRun(error)))
    child.on('exit', async (code, by) => {
      // The command's background processes may continue, unless the command was stopped.
      if (signal?.aborted) signalTree(child, 'SIGKILL')
      if (child.stdout) await outputEnd(child)
      // Destroy the pipes, or background processes that inherited them would keep this process alive.
      if (capturesOutput) for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      const words = by === null ? `exit code ${code}` : `killed by ${by} (${constants.signals[by]})`
      ended({ isDone: code === 0, words })
      watch?.end('ended\n')
    })
    // Ignore write errors, because a command may exit without reading its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    if (signal?.aborted) stop()
  })
}

function spawnOnUnix(
  command: string,
  { env, cwd }: Pick<Started, 'env' | 'cwd'>,
  options: HandlerOptions,
): ChildProcess {
  const { killOnExit: isWatched, capturesOutput = false } = options
  const [program, args] = isWatched ? ['/bin/sh', ['-c', WATCHED_SCRIPT, 'sh', command]] : [command, []]
  // The command gets its own process group, so that Ctrl-C does not interrupt the handling of accepted deliveries.
  const out = capturesOutput ? ('pipe' as const) : 2
  const stdio = ['pipe' as const, out, out, ...(isWatched ? ['pipe' as const] : [])]
  return spawn(program, args, { shell: !isWatched, detached: true, stdio, env, cwd })
}

/** Returns the environment variables that describe a delivery. */
export function variablesOf({ read, verdict, timeMs }: Described): Record<string, string> {
  return {
    PARTNER_WEBHOOK_EVENT: read.event ?? '',
    PARTNER_WEBHOOK_SUBJECT: read.subject ?? '',
    PARTNER_WEBHOOK_VERDICT: verdict,
    PARTNER_WEBHOOK_TIME: new Date(timeMs).toISOString(),
  }
}

type Described = { readonly read: ReadEvent; readonly verdict: string; readonly timeMs: number }

function cannotBeRun(error: NodeJS.ErrnoException): CommandEnd {
  return { isDone: false, words: `it cannot be run (${error.code ?? error.message})` }
}

/** Escapes U+0000, because environment variables cannot contain it. */
function withoutNul(env: CommandRun['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll('\0', '\\u0000')]))
}
