import { spawn, spawnSync } from 'node:child_process'
import { LIMIT_MS } from './limit.ts'
import type { Need } from './needs.ts'
import { cleanEnvironment, type Environment, TOOL } from './partner.ts'

/** A program from util-linux that runs a command in a terminal. */
const SCRIPT = 'script'

/** The requirement that a Linux terminal is available. Tests for Windows can start Wine in it. */
export const TERMINAL_OF_LINUX: Need = {
  isMet: spawnSync(SCRIPT, ['--version'], { stdio: 'ignore', timeout: LIMIT_MS }).status === 0,
  lack: `${SCRIPT}, which provides a terminal, is not installed`,
}

export const TERMINAL: Need =
  process.env['PARTNER_TEST_BRIDGE'] === undefined
    ? TERMINAL_OF_LINUX
    : { isMet: false, lack: 'the bridge to Windows has no terminal' }

/** A step in a dialogue that closes the terminal, as when the user closes its window or the connection is lost. */
export const HANG_UP = Symbol('hang up')

/** The strings to wait for on the screen, in order. Each is followed by the text to type or the action to perform. */
export type Dialogue = readonly (readonly [appears: string, typed: string | typeof HANG_UP | (() => void)])[]

interface TerminalRun {
  /** The exit code, or `null` if the terminal was closed. */
  readonly code: number | null
  /** Everything that was printed, without escape codes. */
  readonly screen: string
  /** The rows that remained on the screen. Erased text and empty rows are omitted. */
  readonly standing: readonly string[]
  /** Whether the output contained colours. */
  readonly isPainted: boolean
}

/** Returns a shell command that runs the tool with the given arguments. */
export function shellLine(args: readonly string[]): string {
  return [...TOOL, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
}

/** Runs the tool in a new terminal and replies to its output as the dialogue specifies. */
export function runInTerminal(
  args: readonly string[],
  dialogue: Dialogue,
  env: Environment = {},
): Promise<TerminalRun> {
  return runLineInTerminal(shellLine(args), dialogue, env)
}

export function runLineInTerminal(line: string, dialogue: Dialogue, env: Environment = {}): Promise<TerminalRun> {
  const child = spawn(SCRIPT, ['-qefc', `stty cols 100; ${line}`, '/dev/null'], {
    env: cleanEnvironment({ TERM: 'xterm', SHELL: '/bin/sh', ...env }),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  })
  let screen = ''
  let raw = ''
  let isPainted = false
  let answered = 0
  let readFrom = 0
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    isPainted ||= /\u001b\[[0-9;]*m/.test(text)
    raw += text
    screen += text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    const next = dialogue[answered]
    const at = next ? screen.indexOf(next[0], readFrom) : -1
    if (!next || at < 0) return
    readFrom = at + next[0].length
    answered++
    if (next[1] === HANG_UP) child.kill('SIGKILL')
    else if (typeof next[1] === 'function') next[1]()
    else child.stdin.write(next[1])
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (answered < dialogue.length) reject(new Error(`"${dialogue[answered]?.[0]}" never appeared:\n${screen}`))
      else resolve({ code, screen, standing: remainingRows(raw), isPainted })
    })
  })
}

function remainingRows(raw: string): string[] {
  const rows = raw.split('\n').map((row) => {
    return (row.split(/\r\u001b\[K/).at(-1) ?? '').replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r$/, '')
  })
  return rows.filter((row) => row !== '')
}
