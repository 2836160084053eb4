import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The top of the checkout. */
export const ROOT = join(import.meta.dirname, '..', '..')

/** The tool as users run it; PARTNER_TEST_BIN and PARTNER_TEST_NODE name another build and another Node. */
export const PARTNER = process.env['PARTNER_TEST_BIN'] ?? join(ROOT, 'bin', 'run.js')
export const NODE = process.env['PARTNER_TEST_NODE'] ?? process.execPath

export type Environment = Readonly<Record<string, string | undefined>>

export interface RunOptions {
  readonly env?: Environment | undefined
  /** What standard input holds; without it there is none. */
  readonly input?: string | undefined
  readonly cwd?: string | undefined
  /** The run is killed, and the test fails, after this long. 20 s unless given. */
  readonly timeoutMs?: number | undefined
}

/** What a run of the tool left behind. */
export interface Run {
  /** Null when a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const home = mkdtempSync(join(tmpdir(), 'partner-home-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

/** Nothing of this machine but where programs are, and a home that is empty and goes away. */
export function cleanEnvironment(env: Environment = {}): NodeJS.ProcessEnv {
  const path = `${dirname(NODE)}:${process.env['PATH'] ?? ''}`
  return Object.fromEntries(
    Object.entries({ PATH: path, HOME: home, ...env }).filter(([, value]) => value !== undefined),
  ) as NodeJS.ProcessEnv
}

/** Runs one command line to its end, in a clean environment, with no terminal. */
export function runPartner(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return runProgram(NODE, [PARTNER, ...args], options)
}

/** Runs a line of shell in which `partner` is the tool. */
export function runShell(script: string, options: RunOptions = {}): Promise<Run> {
  const partner = `partner() { ${JSON.stringify(NODE)} ${JSON.stringify(PARTNER)} "$@"; }`
  return runProgram('bash', ['-c', `${partner}\n${script}`], options)
}

/** Runs any program as {@link runPartner} runs the tool. */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(program, args, {
    cwd: options.cwd ?? home,
    env: cleanEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own, so that the limit below ends whatever it has started as well.
    detached: true,
  })
  const timeoutMs = options.timeoutMs ?? 20_000
  return new Promise((resolve, reject) => {
    const out = collected(child)
    const limit = setTimeout(() => {
      killGroup(child)
      reject(new Error(`still running after ${timeoutMs} ms: ${args.join(' ')}\n${out.stdout}\n${out.stderr}`))
    }, timeoutMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ code, stdout: out.stdout, stderr: out.stderr })
    })
    // A tool that ends without reading its input closes the pipe.
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input ?? '')
  })
}

function collected(child: ChildProcess): { stdout: string; stderr: string } {
  const out = { stdout: '', stderr: '' }
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out.stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    out.stderr += text
  })
  return out
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended by itself.
  }
}

/** A fresh directory that is gone after the test. */
export function freshDirectory(parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, 'partner-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Variables that keep configuration, data and cache in a fresh directory each. */
export function freshHome(): {
  readonly PARTNER_CONFIG_DIR: string
  readonly PARTNER_DATA_DIR: string
  readonly PARTNER_CACHE_DIR: string
} {
  const directory = freshDirectory()
  return {
    PARTNER_CONFIG_DIR: join(directory, 'config'),
    PARTNER_DATA_DIR: join(directory, 'data'),
    PARTNER_CACHE_DIR: join(directory, 'cache'),
  }
}
