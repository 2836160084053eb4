import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

interface Apart {
  readonly words: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly signal: AbortSignal
}

/** Runs a program as cron would, and yields its lines. Returns its exit code, null after a signal. */
export async function* linesApart({ words, env, cwd, signal }: Apart): AsyncGenerator<string, number | null> {
  signal.throwIfAborted()
  const [program = '', ...args] = words
  // Its own session also has no controlling terminal.
  const child = spawn(program, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => child.kill()
  signal.addEventListener('abort', stop, { once: true })
  const ended = once(child, 'close') as Promise<[number | null]>
  // It is awaited below, and must not be reported as unhandled before.
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
