import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { checkExitCode } from './declared-exits.ts'
import { checkHints } from './known-hints.ts'
import { LIMIT_MS } from './limit.ts'
import { WarmProcesses, type WarmService } from './warm-process.ts'
import { endInWindows, killInWindows } from './windows.ts'
import { type Call, readCalls, readPlainLine, words } from './words.ts'

/** The root directory of the checkout. */
export const ROOT = join(import.meta.dirname, '..', '..')

/** The tool's launcher. PARTNER_TEST_BIN selects another build, and PARTNER_TEST_NODE another Node executable. */
export const PARTNER = process.env['PARTNER_TEST_BIN'] ?? join(ROOT, 'bin', 'run.js')
export const NODE = process.env['PARTNER_TEST_NODE'] ?? process.execPath

/**
 * The command that starts the tool: Node and the launcher, or the executable that PARTNER_TEST_TOOL names, such as one
 * from an archive.
 */
export const TOOL: readonly [program: string, ...before: string[]] = process.env['PARTNER_TEST_TOOL']
  ? [process.env['PARTNER_TEST_TOOL']]
  : [NODE, PARTNER]

/** The command that starts the tool, quoted for a shell. */
export const TOOL_IN_SHELL = TOOL.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')

export type Environment = Readonly<Record<string, string | undefined>>

export interface RunOptions {
  readonly env?: Environment | undefined
  /** The contents of standard input. Empty by default. */
  readonly input?: string | Buffer | undefined
  readonly cwd?: string | undefined
  /** Whether stderr is redirected to stdout, as with `2>&1`. Ignored if the run has its own process. */
  readonly isMerged?: boolean | undefined
}

/** The result of running the tool. */
export interface Run {
  /** The exit code, or `null` if a signal ended the run. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const home = mkdtempSync(join(tmpdir(), 'partner-home-'))
process.once('exit', () => rmSync(home, { recursive: true, force: true }))

/**
 * The variables that programs inherit from the test run: where sandboxes record their responses, the bridge to Windows,
 * and the clock set by scripts/clock/test-at.sh.
 */
const INHERITED = /^(?:PARTNER_SANDBOX_HAR|PARTNER_TEST_BRIDGE|LD_PRELOAD|FAKETIME.*)$/

function inheritedEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => INHERITED.test(name)))
}

/**
 * Returns an environment with PATH, an empty home directory that is removed when the process exits, the inherited
 * variables, and `env`.
 */
export function cleanEnvironment(env: Environment = {}): NodeJS.ProcessEnv {
  const path = `${dirname(NODE)}:${process.env['PATH'] ?? ''}`
  return Object.fromEntries(
    Object.entries({ PATH: path, HOME: home, ...inheritedEnvironment(), ...env }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as NodeJS.ProcessEnv
}

export interface Running {
  readonly process: ChildProcess
  /** The output so far. */
  readonly said: { readonly stdout: string; readonly stderr: string }
  /** Resolves when the program has exited for any reason. If the program runs for too long, kills it and rejects. */
  readonly ended: Promise<Run>
}

export interface ProgramOptions {
  readonly env?: Environment | undefined
  readonly cwd?: string | undefined
  /** The contents of standard input. Empty by default. With `null`, standard input stays open and receives nothing. */
  readonly input?: string | Buffer | null | undefined
  /** A file descriptor to use as standard output. `unread` means a pipe that only the test itself can read. */
  readonly stdout?: number | 'unread' | undefined
  /** A file descriptor to use as standard error. By default, standard error is a pipe that the test reads. */
  readonly stderr?: number | undefined
  /** How many characters of the output to retain. Everything by default. */
  readonly keptBytes?: number | undefined
  /** Whether the program is allowed to run until all tests in the file have finished. */
  readonly isService?: boolean | undefined
}

const running = new Set<ChildProcess>()
process.once('exit', () => running.forEach(killGroup))

/** Starts a program in its own process group, with a clean environment and without a terminal. */
export function startProgram(program: string, args: readonly string[], options: ProgramOptions = {}): Running {
  const { stdout, stderr = 'pipe' } = options
  const child = spawn(program, args, {
    cwd: options.cwd ?? home,
    env: cleanEnvironment(options.env),
    stdio: ['pipe', typeof stdout === 'number' ? stdout : 'pipe', stderr],
    detached: true,
  })
  running.add(child)
  if (program === NODE) killInWindows(child)
  const said = { stdout: '', stderr: '' }
  const { keptBytes = Number.POSITIVE_INFINITY } = options
  for (const name of ['stdout', 'stderr'] as const)
    if (name === 'stderr' || stdout !== 'unread')
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        if (said[name].length < keptBytes) said[name] += text
      })
  // Ignore the error from writing to a program that exits without reading its input.
  child.stdin?.on('error', () => {})
  if (options.input !== null) child.stdin?.end(options.input ?? '')
  const ended = new Promise<Run>((resolve, reject) => {
    const overdue = () => {
      killGroup(child)
      reject(new Error(`still running after ${LIMIT_MS} ms: ${args.join(' ')}\n${said.stdout}\n${said.stderr}`))
    }
    const limit = options.isService ? undefined : setTimeout(overdue, LIMIT_MS)
    child.on('error', reject)
    child.on('close', async (code) => {
      clearTimeout(limit)
      running.delete(child)
      const own = toolArguments(program, args)
      try {
        if (code === null) await endInWindows(child)
        if (own !== null) checkEnd(own, code, said.stderr)
        resolve({ code, ...said })
      } catch (error) {
        reject(error)
      }
    })
  })
  return { process: child, said, ended }
}

/** Returns the tool's arguments if the program is the tool, or `null` if it is another program. */
function toolArguments(program: string, args: readonly string[]): readonly string[] | null {
  const [tool, ...before] = TOOL
  if (program !== tool || before.some((word, at) => args[at] !== word)) return null
  return args.slice(before.length)
}

const warm = new WarmProcesses(NODE, PARTNER)
const merged = new WarmProcesses(NODE, PARTNER, true)

/**
 * Whether each run has its own process, as it does for users. This takes twenty times as long. CI runs the tests both
 * ways.
 */
const IS_COLD =
  process.env['PARTNER_TEST_COLD'] !== undefined ||
  process.env['PARTNER_TEST_TOOL'] !== undefined ||
  // With the bridge to Windows, runs share processes, because Node for Windows takes too long to start.
  (process.env['PARTNER_TEST_NODE'] !== undefined && process.env['PARTNER_TEST_BRIDGE'] === undefined)

/** Runs one command line to completion, in a clean environment without a terminal. A string is split at spaces. */
export async function runPartner(line: string | readonly string[], options: RunOptions = {}): Promise<Run> {
  const { env = {}, cwd = home, input = '' } = options
  const args = typeof line === 'string' ? words(line) : line
  // Node reads NODE_ variables only when it starts, so a warm process would ignore them.
  if (IS_COLD || Object.keys(env).some((name) => name.startsWith('NODE_'))) return runPartnerCold(args, options)
  const processes = options.isMerged ? merged : warm
  const run = await processes.run({ args, env: cleanEnvironment(env), cwd, input })
  checkEnd(args, run.code, run.stderr)
  return run
}

/** Starts a long-running command line in a warm process. Returns `null` if each run must have its own process. */
export function tryWarmService(args: readonly string[], env: Environment): WarmService | null {
  return IS_COLD ? null : warm.start({ args, env: cleanEnvironment(env), cwd: home, input: '' })
}

/**
 * Fails if a run exited with a code that its command does not declare, or suggested a command that cannot be pasted.
 */
function checkEnd(args: readonly string[], code: number | null, stderr: string): void {
  checkExitCode(ROOT, args, code, stderr)
  checkHints(ROOT, args, code, stderr)
}

/** Runs one command line in a new process. Tests use this if a warm process would affect their result. */
export function runPartnerCold(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const [program, ...before] = TOOL
  return runProgram(program, [...before, ...args], options)
}

/** Runs a shell line that calls the tool as `partner`. */
export function runShell(script: string, options: RunOptions = {}): Promise<Run> {
  const plain = IS_COLD ? null : readPlainLine(script)
  return plain ? runCalls([plain], options) : runInShell(script, options)
}

/**
 * Runs a shell line that only calls the tool, without starting a shell. Returns `null` for any other line, or if each
 * run must have its own process.
 */
export function tryWithoutShell(line: string, options: RunOptions = {}): Promise<Run> | null {
  const calls = IS_COLD ? null : readCalls(line)
  return calls && runCalls(calls, options)
}

/** Runs several calls of the tool in sequence, until one fails. */
async function runCalls(calls: readonly Call[], options: RunOptions): Promise<Run> {
  let all: Run = { code: 0, stdout: '', stderr: '' }
  for (const { env, args, input = options.input, file } of calls) {
    const own = { input, env: { ...options.env, ...env }, isMerged: options.isMerged && file === undefined }
    const { code, stdout, stderr } = await runPartner(args, { ...options, ...own })
    if (file !== undefined) writeFileSync(resolve(options.cwd ?? home, file), stdout)
    all = { code, stdout: all.stdout + (file === undefined ? stdout : ''), stderr: all.stderr + stderr }
    if (code !== 0) break
  }
  return all
}

function runInShell(script: string, options: RunOptions): Promise<Run> {
  const partner = `partner() { ${TOOL_IN_SHELL} "$@"; }`
  return runProgram('bash', ['-c', `${partner}\n${script}`], options)
}

/** Runs any program to completion, in a clean environment without a terminal. */
export function runProgram(program: string, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  return startProgram(program, args, options).ended
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process group has already ended.
  }
}

/** Creates a directory that is removed when the test has finished. */
export function freshDirectory(parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, 'partner-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Returns variables that make the tool keep its configuration, data and cache in fresh directories. */
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
