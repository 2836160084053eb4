import { type ChildProcess, spawn } from 'node:child_process'
import { systemProgram } from './spawnable.ts'

/** How long, in milliseconds, Windows can take to end a process and its child processes. */
const LIMIT_MS = 5000

/**
 * Sends a signal to a child process that leads its own process group, and to its child processes. Windows has neither
 * groups nor signals, so any signal ends the process and its child processes immediately. Never throws.
 */
export function signalTree(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child
  if (pid === undefined) return
  if (process.platform === 'win32') endTree(child, pid)
  else
    try {
      process.kill(-pid, signal)
    } catch {
      // Signalling fails if the process has already exited.
    }
}

function endTree(child: ChildProcess, pid: number): void {
  // Once the process has exited, its ID might belong to a different process.
  if (child.exitCode !== null || child.signalCode !== null) return
  const killer = spawn(systemProgram('taskkill.exe'), ['/T', '/F', '/PID', String(pid)], {
    stdio: 'ignore',
    timeout: LIMIT_MS,
    windowsHide: true,
  })
  killer.on('error', () => child.kill())
  killer.on('exit', (code) => code === 0 || child.kill())
}
