import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Host } from '../host.ts'
import { cannotRun, type Environment } from './child-command.ts'

/** A command that runs while we do something else. */
export interface Beside {
  /** Its exit code, or 128 plus the number of the signal that ended it, once it has ended by itself; never when we ended it. */
  readonly endedByItself: Promise<number>
  /** Asks it to end, with all that it has started, and kills what does not within five seconds. */
  end(): Promise<void>
}

const PATIENCE_MS = 5000

/**
 * Starts a command in a group of its own. It reads nothing, and what it prints goes to our stderr, as our stdout is for our result;
 * what it says of being ended is dropped. Fails: USAGE when it cannot be run.
 */
export async function startBeside(
  { stderr }: Host,
  command: string,
  args: readonly string[],
  env: Environment,
): Promise<Beside> {
  const child = await started(command, args, env)
  let isAsked = false
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Uint8Array) => {
      if (!isAsked) void stderr.insist(bytes).catch(() => undefined)
    })
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0)))
  })
  const endedByItself = new Promise<number>((resolve) => {
    void exited.then((code) => {
      if (!isAsked) resolve(code)
    })
  })
  return {
    endedByItself,
    end: async () => {
      isAsked = true
      if (child.exitCode !== null || child.signalCode !== null) return
      signalGroup(child, 'SIGTERM')
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS)
      await exited
      clearTimeout(timer)
      // What it has started may hold them open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    },
  }
}

function started(command: string, args: readonly string[], env: Environment): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(cannotRun(command, error))
    try {
      const child = spawn(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
        detached: process.platform !== 'win32',
      })
      child.once('error', refuse)
      child.once('spawn', () => resolve(child))
    } catch (error) {
      refuse(error as NodeJS.ErrnoException)
    }
  })
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (process.platform === 'win32' || child.pid === undefined) child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // It has ended.
  }
}
