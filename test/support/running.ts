import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, type Environment, freshDirectory, NODE, PARTNER, type Run } from './partner.ts'

/** A run of the tool that a test does something to meanwhile. */
export interface Running {
  readonly process: ChildProcess
  /** What it has said so far. */
  readonly said: { readonly stdout: string; readonly stderr: string }
  /** Comes when the process has ended, whoever ended it. */
  readonly ended: Promise<Run>
}

export interface StartOptions {
  readonly env?: Environment | undefined
  readonly node?: string | undefined
  /** Code that Node runs before the tool. */
  readonly preload?: string | undefined
  /** Whether its standard input stays open and empty; without it there is none. */
  readonly waitsForInput?: boolean | undefined
  /** A descriptor for standard output, in place of a pipe that is read. */
  readonly stdout?: number | undefined
}

/** Starts the tool, at the head of a process group of its own. It is killed after 15 s. */
export function startPartner(args: readonly string[], options: StartOptions = {}): Running {
  const { preload } = options
  const before = preload === undefined ? [] : ['--require', preloaded(preload)]
  const child = spawn(options.node ?? NODE, [...before, PARTNER, ...args], {
    env: cleanEnvironment(options.env),
    stdio: [options.waitsForInput ? 'pipe' : 'ignore', options.stdout ?? 'pipe', 'pipe'],
    detached: true,
  })
  const said = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 15_000)
  const ended = once(child, 'close').then(([code]): Run => {
    clearTimeout(limit)
    return { code: code as number | null, ...said }
  })
  return { process: child, said, ended }
}

/** Sends a signal to a whole process group, as a terminal does. */
export function signalGroup({ process: { pid } }: Running, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal)
}

function preloaded(code: string): string {
  const file = join(freshDirectory(), 'preload.cjs')
  writeFileSync(file, code)
  return file
}
