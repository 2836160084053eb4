import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

type Surroundings = { readonly env: Readonly<Record<string, string>>; readonly cwd: string }

/**
 * Runs a program without a terminal, as cron would, and yields the lines that it prints. Returns its exit code, or
 * `null` if a signal killed it.
 */
export async function* outputLinesOf(
  [program = '', ...args]: readonly string[],
  at: Surroundings,
  signal: AbortSignal,
) {
  signal.throwIfAborted()
  // A detached child has its own session and therefore no controlling terminal.
  const child = spawn(program, args, { ...at, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop, { once: true })
  const ended = once(child, 'close') as Promise<[number | null]>
  // Prevent an unhandled rejection before the promise is awaited.
  ended.catch(() => {})
  try {
    yield* createInterface({ input: child.stdout })
    const [code] = await ended
    signal.throwIfAborted()
    return code
  } finally {
    signal.removeEventListener('abort', stop)
    if (child.exitCode === null && child.signalCode === null) child.kill()
  }
}
