import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import type { ReadEvent } from '../events/read-event.ts'

/**
 * The result of handling an event. For a command, `words` is, for example, `exit code 3`, `ended by SIGKILL` or `it
 * cannot be run (ENOENT)`. For a forwarded event, it is, for example, `it answered 500`.
 */
export type CommandEnd = { readonly isDone: boolean; readonly words: string }

export interface CommandRun {
  readonly input: Uint8Array
  readonly env: Readonly<Record<string, string>>
  /** Aborting this signal stops the command, first with SIGTERM and then with SIGKILL. */
  readonly signal?: AbortSignal
}

export interface HandlerOptions {
  /** The maximum number of commands that run at the same time. */
  readonly concurrency: number
  /** The time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number
  /**
   * Whether running commands are killed if this process dies. Set if another worker will then run them again. Has no
   * effect on Windows.
   */
  readonly killOnExit: boolean
  /** The directory in which the commands run. Default: the directory of this process. */
  readonly cwd?: string | undefined
  /** Receives what the commands print. By default, it goes to stderr. */
  readonly onOutput?: ((text: string) => void) | undefined
}

/**
 * A shell script that runs the command, with a watcher in the background. If descriptor 3 is closed before a line is
 * written to it, partner has died, and the watcher kills the process group.
 */
const WATCHED_SCRIPT =
  '( ( read -r line <&3 || kill -KILL 0 ) >/dev/null 2>&1 & ); exec 3<&-; command=$1; shift; eval "$command"'

const DEFAULT_OPTIONS: HandlerOptions = { concurrency: 8, graceMs: 5000, killOnExit: false }
const IS_WINDOWS = process.platform === 'win32'

export type HandlerCommands = ReturnType<typeof openHandlerCommands>

/**
 * Returns an object that runs a shell command for each delivery. Runs up to `concurrency` commands in parallel, and
 * redirects their output to stderr. `env` is the commands' environment, and must not contain secrets.
 */
export function openHandlerCommands(command: string, env: NodeJS.ProcessEnv, options = DEFAULT_OPTIONS) {
  const waiting: (() => void)[] = []
  const running = new Set<Promise<CommandEnd>>()
  let free = options.concurrency
  return {
    /**
     * Runs the command. Calls `shouldStart` immediately before starting it, and returns `null` if that returns false.
     * Never throws.
     */
    run: async (run: CommandRun, shouldStart: () => boolean): Promise<CommandEnd | null> => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        if (!shouldStart()) return null
        const work = start(command, { ...run, env: { ...env, ...withoutNul(run.env) } }, options)
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

type Started = Omit<CommandRun, 'env'> & { readonly env: NodeJS.ProcessEnv }

function start(command: string, { input, env, signal }: Started, options: HandlerOptions): Promise<CommandEnd> {
  const { killOnExit, graceMs, cwd, onOutput } = options
  const isWatched = killOnExit && !IS_WINDOWS
  return new Promise((resolve) => {
    const [program, args] = isWatched ? ['/bin/sh', ['-c', WATCHED_SCRIPT, 'sh', command]] : [command, []]
    let child: ChildProcess
    try {
      // The command gets a separate process group. Ctrl-C then stops only this process, so the commands for accepted
      // deliveries still finish.
      const out = onOutput === undefined ? 2 : ('pipe' as const)
      const stdio = ['pipe' as const, out, out, ...(isWatched ? ['pipe' as const] : [])]
      child = spawn(program, args, { shell: !isWatched, detached: !IS_WINDOWS, stdio, env, cwd })
    } catch (error) {
      // Node throws some errors directly, for example if a variable is too long, and emits others as events.
      resolve(cannotBeRun(error as NodeJS.ErrnoException))
      return
    }
    if (onOutput !== undefined)
      for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onOutput)
    let killing: NodeJS.Timeout | undefined
    const stop = () => {
      killGroup(child, 'SIGTERM')
      killing = setTimeout(() => killGroup(child, 'SIGKILL'), graceMs)
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
    child.on('exit', (code, by) => {
      // Background processes may continue, unless the command was stopped.
      if (signal?.aborted) killGroup(child, 'SIGKILL')
      const words = by === null ? `exit code ${code}` : `ended by ${by} (${constants.signals[by]})`
      watch?.end('ended\n')
      void outputEnded(child).then(() => ended({ isDone: code === 0, words }))
    })
    // Ignore this error: the command does not have to read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    if (signal?.aborted) stop()
  })
}

/** How long to read the output of background processes that a command has left behind, in milliseconds. */
const LEFT_BEHIND_MS = 1000

/** Waits until all output of a command that has exited has been read. Resolves at once if the output is not read. */
async function outputEnded({ stdout, stderr }: ChildProcess): Promise<void> {
  const streams = [stdout, stderr].filter((stream) => stream !== null)
  const open = streams.filter((stream) => !stream.closed).map((stream) => once(stream, 'close'))
  if (open.length === 0) return
  const timer = setTimeout(() => {
    for (const stream of streams) stream.destroy()
  }, LEFT_BEHIND_MS)
  await Promise.allSettled(open)
  clearTimeout(timer)
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

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (IS_WINDOWS || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The process has already exited.
  }
}
