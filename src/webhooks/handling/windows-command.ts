import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { systemProgram } from '../../base/programs/spawnable.ts'

/**
 * A Node program that runs a command. If partner dies, it kills the command and the command's child processes. The
 * program must outlive partner, so it is detached and has no console. The command gets a hidden console.
 */
const KEEPER = `
const { spawn } = require('node:child_process')
const [command, taskkill] = process.argv.slice(1)
const hidden = { windowsHide: true }
const child = spawn(command, { ...hidden, shell: true, stdio: 'inherit' })
child.on('error', () => process.exit(1))
child.on('exit', (code) => process.exit(code ?? 1))
process.on('disconnect', () => {
  const killer = spawn(taskkill, ['/T', '/F', '/PID', String(child.pid)], { ...hidden, stdio: 'ignore' })
  killer.on('error', () => child.kill())
  killer.on('exit', (code) => code === 0 || child.kill())
})`

/** How long, in milliseconds, to wait for more output after a command has exited. */
const LAST_OUTPUT_MS = 200

/**
 * Starts a shell command on Windows. The command gets its own hidden console, so that Ctrl-C does not interrupt the
 * handling of accepted deliveries.
 */
export function spawnOnWindows(
  command: string,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
  { killOnExit }: { readonly killOnExit: boolean },
): ChildProcess {
  // All streams are pipes, because Node does not hide the console if the command inherits a stream.
  if (!killOnExit) return spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true, env, cwd })
  const words = ['-e', KEEPER, '--', command, systemProgram('taskkill.exe')]
  return spawn(process.execPath, words, { detached: true, stdio: ['pipe', 'pipe', 'pipe', 'ipc'], env, cwd })
}

/**
 * Waits until all output of an exited command has been read, but only briefly, because background processes may keep
 * the streams open.
 */
export async function outputEnd(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve))
  await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })])
}
