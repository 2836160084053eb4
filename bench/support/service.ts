import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')
/** The tool, as it was built here or elsewhere. */
export const bin = process.env['BENCH_BIN'] ?? join(root, 'bin', 'run.js')

/** A card with more on it than any bench takes. */
export const CARD = 'GIFT7-99999999-AAAA'

type Environment = Readonly<Record<string, string | undefined>>

/** A sandbox in a process of its own. */
export interface Sandbox {
  readonly baseUrl: string
  readonly apiKey: string
  /** Ends it, and waits until it has ended. */
  stop(): Promise<void>
}

/** Starts a sandbox, and waits until it listens. */
export async function startSandbox(args: readonly string[], env: Environment): Promise<Sandbox> {
  const child = spawn(process.execPath, [bin, 'sandbox', 'start', '--json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { baseUrl, apiKey } = JSON.parse(line) as { baseUrl: string; apiKey: string }
  const stop = async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  }
  return { baseUrl, apiKey, stop }
}

/** A service with very many bookings, like those of the sandbox, each with its guest. */
export interface BookingServer {
  readonly baseUrl: string
  /** How many requests came since the last time. */
  requestsSince(): Promise<number>
  close(): void
}

/** Starts a service with so many bookings, in a process of its own; `home`: where the bookings to start from are kept. */
export async function startBookingServer(count: number, home: string, env: Environment): Promise<BookingServer> {
  const args = ['bookings', 'list', '--profile', 'sandbox', '--from', '-30d', '--to', '+7d', '--include-customer']
  const listed = spawnSync(process.execPath, [bin, ...args, '-o', 'ndjson', '--limit', '64'], { env, encoding: 'utf8' })
  if (listed.status !== 0) throw new Error(listed.stderr)
  const forms = join(home, 'forms.ndjson')
  writeFileSync(forms, listed.stdout)
  const server = fork(join(root, 'bench', 'booking-server.ts'), [String(count), forms])
  const [port] = (await once(server, 'message')) as [number]
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requestsSince: async () => {
      const answered = once(server, 'message')
      server.send('how many?')
      return ((await answered) as [number])[0]
    },
    close: () => server.disconnect(),
  }
}
