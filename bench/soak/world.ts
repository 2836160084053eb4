import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { TestServer } from '../../test/support/postgres.ts'
import { freshHome } from '../support/home.ts'
import { clockEnvironment } from './clock.ts'
import { partner, Supervised, waitFor } from './process.ts'
import { Receivers } from './receivers.ts'

/** What the monitor remembers of a check. */
interface CheckState {
  readonly state: 'ok' | 'wrong' | 'unknown'
  readonly pendingSinceMs: number | null
  readonly checkedMs: number
  readonly message: string
}

/** The size of the disk with the log, in MiB. */
const DISK_MIB = 24

/** Everything that runs during a soak, in one temporary directory. */
export class World {
  readonly home: string
  readonly receivers = new Receivers()
  readonly postgres = new TestServer({})
  /** `null` if small disks cannot be mounted here. */
  disk: string | null
  processes: Supervised[] = []
  env: NodeJS.ProcessEnv
  baseUrl = ''
  apiKey = ''
  copyUrl = ''
  inboxUrl = ''
  hookUrl = ''
  log = ''

  constructor() {
    const { home, env } = freshHome()
    this.home = home
    this.env = { ...env, ...clockEnvironment(), TMPDIR: home }
    this.disk = mountDisk(join(home, 'disk'))
  }

  path(name: string): string {
    return join(this.home, name)
  }

  named(name: string): Supervised {
    return this.processes.find((one) => one.name === name) as Supervised
  }

  /** Starts the service, the database, and everything that is watched. */
  async start(): Promise<void> {
    await Promise.all([this.receivers.start(), this.postgres.create()])
    ;[this.copyUrl, this.inboxUrl] = [await this.postgres.database(), await this.postgres.database()]
    this.log = this.disk === null ? this.path('log.ndjson') : join(this.disk, 'log.ndjson')
    const [servicePort, hookPort, inboxPort] = [await freePort(), await freePort(), await freePort()]
    this.baseUrl = `http://127.0.0.1:${servicePort}`
    const data = ['--data', this.path('venue'), '--port', String(servicePort)]
    const sandbox = this.#supervise('sandbox', ['sandbox', 'start', '--json', '--no-page', ...data])
    sandbox.start()
    await waitFor('the sandbox starts', () => sandbox.said.includes('\n'))
    this.apiKey = (JSON.parse(sandbox.said.split('\n')[0] as string) as { apiKey: string }).apiKey
    this.env = { ...this.env, PARTNER_BASE_URL: this.baseUrl, PARTNER_API_KEY: this.apiKey }
    const hooks = this.path('hooks.ndjson')
    this.hookUrl = `http://127.0.0.1:${hookPort}/`
    const listen = ['webhooks', 'listen', '-o', 'ndjson', '--port']
    const forward = ['--forward-to', `http://127.0.0.1:${inboxPort}/`]
    this.#supervise('inbox-listener', [...listen, String(inboxPort), '--to', this.inboxUrl])
    this.#supervise('listener', [...listen, String(hookPort), '--journal', hooks, '--keep', '1d', ...forward])
    const handler = `sh ${this.#writeHandler()}`
    this.#supervise('worker', ['webhooks', 'work', '--from', this.inboxUrl, '--exec', handler, '--keep', '1d'])
    const targets = { 'sync-file': this.path('venue.db'), 'sync-postgres': this.copyUrl, 'sync-log': this.log }
    for (const [name, to] of Object.entries(targets)) {
      const ping = ['--ping', `${this.receivers.url}/ping/${name}`]
      const every = ['--every', '2s', '--wake', hooks, '--timeout', '5s', ...ping]
      this.#supervise(name, ['bookings', 'sync', '--source', 'soak', '--to', to, ...every])
    }
    // The worker starts last, because it needs the inbox that its listener creates.
    const worker = this.named('worker')
    for (const one of this.processes) if (one !== sandbox && one !== worker) one.start()
    for (const name of ['inbox-listener', 'listener'])
      await waitFor(`${name} listens`, () => this.named(name).said.includes('listening on'))
    worker.start()
    for (const event of ['BOOKING_CREATED', 'BOOKING_UPDATED', 'GIFTCARDS_REDEEMED'])
      await this.ask('POST', '/Webhooks', { event, webhookUrl: this.hookUrl })
  }

  /** Starts the monitor, once there is something to watch. */
  async startMonitor(): Promise<void> {
    const hooks = this.path('hooks.ndjson')
    const copy = { 'older-than': '15m', source: 'soak', for: '1m' }
    const checks = [
      { name: 'service', doctor: ['service', 'key'], for: '3s', timeout: '5s' },
      { name: 'clock', doctor: ['clock'], for: '1m' },
      { name: 'copy', copy: this.path('venue.db'), ...copy },
      { name: 'copy-postgres', copy: this.copyUrl, ...copy },
      { name: 'copy-log', copy: this.log, ...copy },
      { name: 'operations', operations: { 'open-longer-than': '15m' } },
      { name: 'silent', events: { journal: hooks, 'silent-for': '15m' }, for: '1m' },
      { name: 'inbox', events: { inbox: this.inboxUrl }, for: '3s' },
      {
        name: 'gaps',
        gaps: { journal: hooks, copy: this.path('venue.db'), source: 'soak', since: '-5h' },
        for: '1m',
        every: '2s',
      },
      { name: 'books', books: { sales: this.path('books.ndjson') }, for: '1m', every: '2s' },
      ...(this.disk === null ? [] : [{ name: 'disk', disk: { path: this.disk, 'free-below': '2MB' }, for: '3s' }]),
    ]
    const file = { every: '1s', alerts: [{ webhook: `${this.receivers.url}/alerts` }], checks }
    writeFileSync(this.path('checks.json'), JSON.stringify(file, null, 2))
    this.#supervise('monitor', ['monitor', this.path('checks.json'), '--state', this.path('monitor.db')]).start()
    await waitFor('the monitor checks everything', () => this.states().size >= checks.length)
  }

  #supervise(name: string, args: readonly string[]): Supervised {
    const one = new Supervised(name, args, this.env, this.path(`${name}.log`))
    this.processes.push(one)
    return one
  }

  /** A handler that notes each event it has handled, except those about the subject in the file `poison`. */
  #writeHandler(): string {
    const script = this.path('handle.sh')
    writeFileSync(this.path('poison'), '')
    writeFileSync(
      script,
      `cat > /dev/null
if grep -qxF "$PARTNER_WEBHOOK_SUBJECT" ${this.path('poison')}; then echo poison >&2; exit 1; fi
echo "$PARTNER_WEBHOOK_ID $PARTNER_WEBHOOK_EVENT $PARTNER_WEBHOOK_SUBJECT" >> ${this.path('handled')}
`,
    )
    return script
  }

  /** Returns what the monitor remembers. */
  states(): ReadonlyMap<string, CheckState> {
    try {
      const database = new DatabaseSync(this.path('monitor.db'), { readOnly: true, timeout: 5000 })
      try {
        const rows = database.prepare('SELECT name, state FROM checks').all()
        return new Map(rows.map(({ name, state }) => [String(name), JSON.parse(String(state)) as CheckState]))
      } finally {
        database.close()
      }
    } catch {
      return new Map()
    }
  }

  async ask(method: string, path: string, body?: object): Promise<unknown> {
    const headers = { 'x-api-key': this.apiKey, 'content-type': 'application/json' }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }), signal: AbortSignal.timeout(30_000) }
    const response = await fetch(`${this.baseUrl}${path}`, init)
    const text = await response.text()
    if (!response.ok && response.status !== 400) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  partner(args: readonly string[], expected?: readonly number[]) {
    return partner(args, this.env, expected)
  }

  faults(...args: readonly string[]) {
    return this.partner(['sandbox', 'faults', ...args, '--data', this.path('venue')])
  }

  addFault(endpoint: string, ...args: readonly string[]) {
    return this.faults('add', '--endpoint', endpoint, ...args)
  }

  async query(sql: string): Promise<readonly Readonly<Record<string, string | null>>[]> {
    return await this.postgres.query(this.inboxUrl, sql)
  }

  /** Returns how many bytes are free on the small disk. */
  freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.disk as string)
    return bavail * bsize
  }

  async end(): Promise<void> {
    for (const one of this.processes.toReversed()) await one.stop('SIGKILL')
    this.receivers.close()
    await this.postgres.remove()
    if (this.disk !== null) execFileSync('umount', ['-l', this.disk])
    if (process.env['SOAK_KEEP'] === undefined) rmSync(this.home, { recursive: true, force: true })
    else process.stdout.write(`kept ${this.home}\n`)
  }
}

function mountDisk(directory: string): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  mkdirSync(directory)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'partner-soak', directory], { stdio: 'ignore' })
    return directory
  } catch {
    return null
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
