import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDirectory, NODE, PARTNER, type ProgramOptions, type Running, startProgram, TOOL } from './partner.ts'

export interface StartOptions extends ProgramOptions {
  readonly node?: string | undefined
  /** Code that Node runs before it starts the tool. */
  readonly preload?: string | undefined
}

/** Starts the tool without waiting for it to exit. */
export function startPartner(args: readonly string[], { node, preload, ...options }: StartOptions = {}): Running {
  if (node === undefined && preload === undefined) {
    const [program, ...before] = TOOL
    return startProgram(program, [...before, ...args], options)
  }
  // The executable in PARTNER_TEST_TOOL accepts no Node options, so Node itself starts the launcher.
  const before = preload === undefined ? [] : ['--require', writePreload(preload)]
  return startProgram(node ?? NODE, [...before, PARTNER, ...args], options)
}

/** Sends a signal to a whole process group, as a terminal does. */
export function signalGroup({ process: { pid } }: Running, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

/**
 * Suspends a process, sends it several different signals, and resumes it, so that the signals arrive together. On a
 * slow machine, the first of several separate signals could end the process before the others are sent.
 */
export function sendSignalsTogether(
  { process }: Pick<Running, 'process'>,
  ...signals: readonly NodeJS.Signals[]
): void {
  for (const signal of ['SIGSTOP', ...signals, 'SIGCONT'] as const) process.kill(signal)
}

/** Returns whether a process is running. A zombie does not count. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

function writePreload(code: string): string {
  const file = join(freshDirectory(), 'preload.cjs')
  writeFileSync(file, code)
  return file
}
