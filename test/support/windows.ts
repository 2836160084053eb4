import type { ChildProcess } from 'node:child_process'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Need } from './needs.ts'

/** The port of the bridge to Windows, with which `npm run test:windows` runs the tool in Node for Windows. */
const BRIDGE = process.env['PARTNER_TEST_BRIDGE']

/** Requires that the tool runs in Node for Windows. */
export const WINDOWS: Need = { isMet: BRIDGE !== undefined, lack: 'npm run test:windows runs these tests' }

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
