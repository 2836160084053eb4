import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')
/** The launcher of the build to measure. */
export const bin = process.env['BENCH_BIN'] ?? join(root, 'bin', 'run.js')

/** A card whose balance is larger than what any benchmark redeems. */
export const CARD = 'GIFT7-99999999-AAAA'

type Environment = Readonly<Record<string, string | undefined>>

/** A sandbox in a separate process. */
export interface Sandbox {
  readonly baseUrl: string
  readonly apiKey: string
  /** Stops the sandbox, and waits until its process has exited. */
  stop(): Promise<void>
}

/** Starts a sandbox, and waits until it is listening. */
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

/** A service with very many bookings, which look like the sandbox's and include their guests. */
export interface BookingServer {
  readonly baseUrl: string
  /** Returns the number of requests since the previous call. */
  requestsSince(): Promise<number>
  close(): void
}

/** Starts a service with `count` bookings in a separate process. The template bookings are stored in `home`. */
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
