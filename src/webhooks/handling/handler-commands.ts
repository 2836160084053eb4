import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import type { ReadEvent } from '../events/read-event.ts'

/** `words`: `exit code 3`, `ended by SIGKILL`, `it cannot be run (ENOENT)`; `it answered 500` for a forwarded event. */
export type CommandEnd = { readonly isDone: boolean; readonly words: string }

export interface CommandRun {
  readonly input: Uint8Array
  readonly env: Readonly<Record<string, string>>
  /** Stops the command: SIGTERM, then SIGKILL. */
  readonly signal?: AbortSignal
}

export interface HandlerOptions {
  readonly atOnce: number
  /** The time between SIGTERM and SIGKILL. Milliseconds. */
  readonly graceMs: number
  /** Whether to kill commands if this process dies, because another worker takes over. Not on Windows. */
  readonly endsWithUs: boolean
}

/** A detached process kills the group if descriptor 3 closes without a line, as it does when this process dies. */
const WATCHED =
  '( ( read -r line <&3 || kill -KILL 0 ) >/dev/null 2>&1 & ); exec 3<&-; command=$1; shift; eval "$command"'

const USUAL: HandlerOptions = { atOnce: 8, graceMs: 5000, endsWithUs: false }
const IS_WINDOWS = process.platform === 'win32'

export type HandlerCommands = ReturnType<typeof openHandlerCommands>

/**
 * Runs a shell command for each delivery, `atOnce` of them in parallel. Their output goes to stderr. `env`: the
 * environment of the commands, without secrets.
 */
export function openHandlerCommands(command: string, env: NodeJS.ProcessEnv, options = USUAL) {
  const waiting: (() => void)[] = []
  const underWay = new Set<Promise<CommandEnd>>()
  let free = options.atOnce
  return {
    /** Returns null if `isWanted`, called right before the start, returned false. Never fails. */
    run: async (run: CommandRun, isWanted: () => boolean): Promise<CommandEnd | null> => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        if (!isWanted()) return null
        const work = start(command, { ...run, env: { ...env, ...withoutNul(run.env) } }, options)
        underWay.add(work)
        const end = await work
        underWay.delete(work)
        return end
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
    get underWay() {
      return underWay.size
    },
    ended: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

type Started = Omit<CommandRun, 'env'> & { readonly env: NodeJS.ProcessEnv }

function start(command: string, { input, env, signal }: Started, options: HandlerOptions): Promise<CommandEnd> {
  const { endsWithUs, graceMs } = options
  const isWatched = endsWithUs && !IS_WINDOWS
  return new Promise((resolve) => {
    const [program, args] = isWatched ? ['/bin/sh', ['-c', WATCHED, 'sh', command]] : [command, []]
    let child: ChildProcess
    try {
      // Its own process group: Ctrl-C is for us, and accepted deliveries are finished.
      const stdio = ['pipe' as const, 2, 2, ...(isWatched ? ['pipe' as const] : [])]
      child = spawn(program, args, { shell: !isWatched, detached: !IS_WINDOWS, stdio, env })
    } catch (error) {
      // Node throws some errors, such as for a variable that is too long, and emits others.
      resolve(cannotBeRun(error as NodeJS.ErrnoException))
      return
    }
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
      // Background processes may go on unless the command was stopped.
      if (signal?.aborted) killGroup(child, 'SIGKILL')
      const words = by === null ? `exit code ${code}` : `ended by ${by} (${constants.signals[by]})`
      ended({ isDone: code === 0, words })
      watch?.end('ended\n')
    })
    // The command need not read its input.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
    if (signal?.aborted) stop()
  })
}

/** Environment variables that describe a delivery. */
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

/** Environment variables cannot contain U+0000. */
function withoutNul(env: CommandRun['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replaceAll('\0', '\\u0000')]))
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (IS_WINDOWS || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has exited.
  }
}
