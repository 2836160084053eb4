import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { Failure } from '../../../base/failure/failure.ts'
import { signalTree } from '../../../base/programs/end-tree.ts'
import { spawnable } from '../../../base/programs/spawnable.ts'
import type { Host } from '../host.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs a command with this process's standard streams. Returns its exit code, or 128 plus the signal number. Throws
 * USAGE if the command cannot be run.
 */
export async function runCommand(host: Host, words: readonly string[], env: Environment): Promise<number> {
  host.signal.throwIfAborted()
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  const { child, exited } = await started(words, { stdio: 'inherit', env })
  host.handleSignals((signal) => {
    // Forward only signals that the command does not receive itself. It receives Ctrl-C at a terminal and, on Windows,
    // all signals.
    if (!IS_WINDOWS && (signal !== 'SIGINT' || !isAtTerminal)) child.kill(signal)
  })
  return exited
}

/** A command that runs in the background. */
export interface BackgroundCommand {
  /** Resolves with the exit code, or 128 plus the signal number. Never resolves after a call to `end`. */
  readonly ownExit: Promise<number>
  /**
   * Sends SIGTERM to the command and its child processes, and SIGKILL if the command is still running after five
   * seconds. On Windows, kills them immediately.
   */
  end(): Promise<void>
}

const PATIENCE_MS = 5000
const IS_WINDOWS = process.platform === 'win32'

/**
 * Starts a command in its own process group, without input. Copies its output to stderr. Throws USAGE if the command
 * cannot be run.
 */
export async function startInBackground(
  { stderr }: Host,
  words: readonly string[],
  env: Environment,
): Promise<BackgroundCommand> {
  // On Windows, use a hidden console instead of a process group, so that Ctrl-C does not reach the command.
  const apart = IS_WINDOWS ? { windowsHide: true } : { detached: true }
  const { child, exited } = await started(words, { stdio: ['ignore', 'pipe', 'pipe'], env, ...apart })
  let isAsked = false
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Uint8Array) => {
      if (!isAsked) void stderr.writeEvenIfQuiet(bytes).catch(() => undefined)
    })
  return {
    ownExit: new Promise((resolve) => {
      exited.then((code) => isAsked || resolve(code)).catch(() => undefined)
    }),
    end: async () => {
      isAsked = true
      if (child.exitCode !== null || child.signalCode !== null) return
      signalTree(child, 'SIGTERM')
      const timer = setTimeout(() => signalTree(child, 'SIGKILL'), PATIENCE_MS)
      await exited.catch(() => undefined)
      clearTimeout(timer)
      // Close the streams, because the command's child processes may keep them open.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    },
  }
}

/** Starts a command. If it cannot be run, throws USAGE and also rejects `exited` with USAGE. */
async function started(words: readonly string[], options: SpawnOptions & { readonly env: Environment }) {
  const refuse = ({ code, message }: NodeJS.ErrnoException): never => {
    const why = code === 'ENOENT' ? 'there is no such command' : (code ?? message)
    throw new Failure('USAGE', `${JSON.stringify(words[0])} cannot be run: ${why}`, {
      hint: 'check the command after the --',
    })
  }
  let child: ChildProcess
  try {
    const { program, args, options: how } = spawnable(words, options.env)
    child = spawn(program, args, { ...options, ...how })
  } catch (error) {
    // The command's name or an argument is invalid, for example because it is too long.
    return refuse(error as NodeJS.ErrnoException)
  }
  const exited = once(child, 'exit').then(
    ([code, signal]) => Number(code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)),
    refuse,
  )
  exited.catch(() => undefined)
  await once(child, 'spawn').catch(refuse)
  return { child, exited }
}
