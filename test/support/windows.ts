import type { ChildProcess } from 'node:child_process'
import { statSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { Need } from './needs.ts'

/** The port of the bridge that `npm run test:windows` uses to run the tool in Node for Windows. */
const BRIDGE = process.env['PARTNER_TEST_BRIDGE']

/** The requirement that the tool runs in Node for Windows. */
export const WINDOWS: Need = { isMet: BRIDGE !== undefined, lack: 'npm run test:windows runs these tests' }

export const IS_WINDOWS = WINDOWS.isMet

/** Returns the requirement that the tool does not run in Node for Windows. `lack` is the reason. */
export const unixOnly = (lack: string): Need => ({ isMet: BRIDGE === undefined, lack })

export const WITHOUT_MODES = unixOnly('files have no modes on Windows')
export const WITHOUT_LINKS = unixOnly('programs in Wine do not see Linux symbolic links')

/** Returns a Linux path as the tool sees it. On Windows, it is on drive Z. */
export const toolPath = (path: string) => (IS_WINDOWS ? `Z:${path.replaceAll('/', '\\')}` : path)

export const NAMED_PIPES = unixOnly('programs in Wine do not see Linux pipes')

/** Returns the Linux path for a path that the tool has printed. */
export const linuxPath = (path: string) => (IS_WINDOWS ? path.replace(/^Z:/, '').replaceAll('\\', '/') : path)

export const LINUX_PROGRAMS = unixOnly('programs in Wine cannot start Linux programs such as sh')

/** Replaces a directory in the tool's output with `instead`. Converts backslashes to slashes in the paths below it. */
export function replaceDirectory(text: string, directory: string, instead: string): string {
  const shown = toolPath(directory)
  const pieces = text.replaceAll(directory, () => instead).split(shown)
  return pieces.map((piece, at) => (at === 0 ? piece : instead + withSlashes(piece))).join('')
}

/** Converts backslashes to slashes in the path at the start of `text`. JSON doubles each backslash. */
function withSlashes(text: string): string {
  return text.replace(/^(?:\\+[^\\\s"':]+)+/, (path) => path.replace(/\\+/g, '/'))
}

/** Expects that only the owner can access a file or directory. Checks nothing on Windows, where files have no modes. */
export function expectPrivate(path: string): void {
  const stats = statSync(path)
  if (!IS_WINDOWS) expect((stats.mode & 0o777).toString(8)).toBe(stats.isDirectory() ? '700' : '600')
}

/** The requirement that the test itself can read the tool's stdout from a pipe. */
export const LINUX_PIPES: Need = {
  isMet: BRIDGE === undefined,
  lack: 'the bridge to Windows reads what the tool prints',
}

/**
 * Makes `kill('SIGKILL')` kill the program on Windows, after which its client on Linux exits. If only the client were
 * killed, the program's last output would be lost, and the program might finish before it is killed.
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

/** Waits until the program on Windows has exited after its client was killed. */
export async function endInWindows({ pid }: ChildProcess): Promise<void> {
  if (BRIDGE !== undefined) await askBridge({ gone: pid })
}

/** Returns the tool's process ID as the tool itself sees it, or `null` if it has exited. */
export async function ownPid({ pid }: ChildProcess): Promise<number | null> {
  return BRIDGE === undefined ? (pid ?? null) : JSON.parse(await askBridge({ pidOf: pid }))
}

function askBridge(question: object): Promise<string> {
  const socket = connect(Number(BRIDGE), '127.0.0.1')
  socket.write(`${JSON.stringify(question)}\n`)
  return text(socket)
}
