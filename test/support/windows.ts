import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Need } from './needs.ts'

/** The port of the bridge to Windows, with which `npm run test:windows` runs the tool in Node for Windows. */
const BRIDGE = process.env['PARTNER_TEST_BRIDGE']

/** Requires that the tool runs in Node for Windows. */
export const WINDOWS: Need = { isMet: BRIDGE !== undefined, lack: 'npm run test:windows runs these tests' }

export const IS_WINDOWS = WINDOWS.isMet

/** Requires that the tool runs on this system. `lack` says what Windows, or Wine, lacks. */
export const unixOnly = (lack: string): Need => ({ isMet: BRIDGE === undefined, lack })

export const WITHOUT_MODES = unixOnly('files have no modes on Windows')
export const WITHOUT_LINKS = unixOnly('programs in Wine do not see symbolic links of Linux')

/** Returns the path by which the tool knows a file of Linux. */
export const toolPath = (path: string) => (IS_WINDOWS ? `Z:${path.replaceAll('/', '\\')}` : path)

/** Requires pipes with names. */
export const NAMED_PIPES = unixOnly('programs in Wine do not see pipes of Linux')

/** Returns the path on Linux of a file whose path the tool prints. */
export const linuxPath = (path: string) => (IS_WINDOWS ? path.replace(/^Z:/, '').replaceAll('\\', '/') : path)

/** Requires programs of Linux, such as `sh`, which the tool itself starts. */
export const LINUX_PROGRAMS = unixOnly('programs in Wine cannot start programs of Linux, such as sh')

/** Replaces a directory in the tool's output. Afterwards, paths in this directory have slashes on every system. */
export function replaceDirectory(text: string, directory: string, instead: string): string {
  const shown = toolPath(directory)
  const pieces = text.replaceAll(directory, () => instead).split(shown)
  return pieces.map((piece, at) => (at === 0 ? piece : instead + withSlashes(piece))).join('')
}

/** Replaces the backslashes in the path at the start of a text. In JSON, each of them is doubled. */
function withSlashes(text: string): string {
  return text.replace(/^(?:\\+[^\\\s"':]+)+/, (path) => path.replace(/\\+/g, '/'))
}

/** Expects a file or directory that only its owner can access. On Windows, its directory's permissions say that. */
export function expectPrivate(path: string): void {
  const stats = statSync(path)
  if (!IS_WINDOWS) expect((stats.mode & 0o777).toString(8)).toBe(stats.isDirectory() ? '700' : '600')
}

/** Requires that the tool's stdout is the pipe whose other end a test reads. */
export const LINUX_PIPES: Need = {
  isMet: BRIDGE === undefined,
  lack: 'the bridge to Windows reads what the tool prints',
}

/**
 * Makes `kill('SIGKILL')` kill the program in Windows instead of its client on Linux, which ends after it. Otherwise, what
 * the program prints just before it is killed would be lost, and it could still end by itself.
 */
export function killInWindows(client: ChildProcess): void {
  if (BRIDGE === undefined) return
  const kill = client.kill.bind(client)
  client.kill = (signal) => {
    if (signal !== 'SIGKILL') return kill(signal)
    void askBridge({ kill: client.pid }).then((wasKilled) => wasKilled === 'true' || kill(signal))
    return true
  }
}

/** Waits until the programs whose clients were killed have ended in Windows too. */
export async function endInWindows({ pid }: ChildProcess): Promise<void> {
  if (BRIDGE !== undefined) await askBridge({ gone: pid })
}

/** Returns the process ID that the tool itself sees, or `null` if it has ended. */
export async function ownPid({ pid }: ChildProcess): Promise<number | null> {
  return BRIDGE === undefined ? (pid ?? null) : JSON.parse(await askBridge({ pidOf: pid }))
}

function askBridge(question: object): Promise<string> {
  const socket = connect(Number(BRIDGE), '127.0.0.1')
  socket.write(`${JSON.stringify(question)}\n`)
  return text(socket)
}
