import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { isatty } from 'node:tty'
import { Failure } from '../../../base/failure/failure.ts'
import type { Host } from '../host.ts'

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs a command on our standard streams and returns its exit code, or 128 plus the number of the signal that ended it. Signals
 * are passed to the command; we end when it does. Fails: USAGE when it cannot be run; Interrupted when we were stopped before.
 */
export function runCommand(host: Host, command: string, args: readonly string[], env: Environment): Promise<number> {
  host.signal.throwIfAborted()
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
  return new Promise((resolve, reject) => {
    let child: ChildProcess
    try {
      child = spawn(command, args, { stdio: 'inherit', env })
    } catch (error) {
      // A name or arguments that no program can have, such as one of 120 KB.
      return reject(cannotRun(command, error as NodeJS.ErrnoException))
    }
    host.answerSignals((signal) => {
      // A terminal's Ctrl-C reaches the command by itself.
      if (signal !== 'SIGINT' || !isAtTerminal) child.kill(signal)
    })
    child.on('error', (error: NodeJS.ErrnoException) => reject(cannotRun(command, error)))
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? (constants.signals[signal] ?? 0) : 0)))
  })
}

/** Says why a command cannot be run. */
export function cannotRun(command: string, error: NodeJS.ErrnoException): Failure {
  const why = error.code === 'ENOENT' ? 'there is no such command' : (error.code ?? error.message)
  return new Failure('USAGE', `${JSON.stringify(command)} cannot be run: ${why}`, {
    hint: 'check the command after the --',
  })
}
