import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Environment, freshHome, type Run, type Running, runPartner } from '../support/partner.ts'
import type { Row, TestServer } from '../support/postgres.ts'
import { type QueryProxy, startQueryProxy } from '../support/query-proxy.ts'
import { startPartner } from '../support/running.ts'
import { CARD, SIGNING_SECRET } from './cashier.ts'
import { type CommitServer, startCommitServer } from './commit-server.ts'
import { aged, rewriteRows } from './rows.ts'

export const KEY = 'till1-20261123:0042'
export const MINUTE_MS = 60_000

/** A machine with its own data directory. */
export interface TestHost {
  readonly env: Environment
  readonly operationsFile: string
  run(...args: readonly string[]): Promise<Run>
  /** Starts a process that the test can kill. */
  start(...args: readonly string[]): Running
  /** Returns the records that `operations list` prints. */
  operations(...flags: readonly string[]): Promise<readonly ListedOperation[]>
  /** Returns only this machine's own records, as if it had no ledger. */
  ownOperations(): Promise<readonly ListedOperation[]>
  /** Returns the same machine with different environment variables. `undefined` removes a variable. */
  with(variables: Environment): TestHost
}

export interface ListedOperation {
  readonly id: string
  readonly state: string
  readonly target: string
  readonly once: string | null
  readonly host: string
}

/** Two machines that share a service and a ledger. */
export interface Hosts {
  readonly server: CommitServer
  readonly a: TestHost
  readonly b: TestHost
  /** The URL of the ledger's database, without the proxy. */
  readonly url: string
  /** The proxy that all machines use to reach the ledger. */
  readonly proxy: QueryProxy
  /** Makes all writes on both machines and in the ledger look `ms` milliseconds older. */
  age(ms: number): Promise<void>
  /** Makes all writes in the ledger look `ms` milliseconds older, but not those in the machines' own records. */
  ageLedger(ms: number): Promise<void>
  query(sql: string): Promise<readonly Row[]>
}

const TIMES = ['claimed_ms', 'first_sent_ms', 'sent_ms', 'over_ms', 'ended_ms']

/** Opens two machines, a ledger, and a service with one card, which has a balance of 100.00. */
export async function openHosts(postgres: TestServer): Promise<Hosts> {
  const server = await startCommitServer()
  server.cards.set(CARD, { cents: 10_000n, status: 'Active' })
  const url = await postgres.database()
  const proxy = await startQueryProxy(postgres.port)
  const ledger = postgres.url(new URL(url).pathname.slice(1), 'postgres', proxy.port)
  const env = {
    ...server.env,
    PARTNER_SIGNING_SECRET: SIGNING_SECRET,
    PARTNER_NAME: 'pos',
    PARTNER_SIGNATURE_HEADER: 'X-Partner-Signature',
    PARTNER_LOCATION_ID: 'loc-1',
    PARTNER_LEDGER: ledger,
  }
  const [a, b] = [openHost(env), openHost(env)]
  const query = (sql: string) => postgres.query(url, sql)
  const ageLedger = async (ms: number) => {
    const earlier = (names: readonly string[]) => names.map((name) => `${name} = ${name} - ${ms}`).join(', ')
    await query(`UPDATE partner_ledger.operations SET ${earlier(TIMES)};
      UPDATE partner_ledger.keys SET ${earlier(['started_ms', 'ended_ms'])}`)
  }
  const age = async (ms: number) => {
    for (const { operationsFile } of [a, b]) ageRows(operationsFile, ms)
    await ageLedger(ms)
  }
  return { server, a, b, url, proxy, age, ageLedger, query }
}

/** Makes all writes in a machine's record look `ms` milliseconds older. Does nothing if the record does not exist. */
export function ageRows(file: string, ms: number): void {
  if (existsSync(file)) rewriteRows(file, (row) => aged(row, ms))
}

export function openHost(given: Environment): TestHost {
  return hostWith({ ...freshHome(), ...given })
}

function hostWith(env: Environment): TestHost {
  const run = (...args: readonly string[]) => runPartner(args, { env })
  const list = async (variables: Environment, flags: readonly string[]) => {
    const { stdout, stderr, code } = await runPartner(['operations', 'list', '--json', ...flags], { env: variables })
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as ListedOperation[]
  }
  return {
    env,
    operationsFile: join(env['PARTNER_DATA_DIR'] ?? '', 'operations.db'),
    run,
    start: (...args) => startPartner(args, { env }),
    operations: (...flags) => list(env, flags),
    ownOperations: () => list({ ...env, PARTNER_LEDGER: undefined }, []),
    with: (variables) => hostWith({ ...env, ...variables }),
  }
}

/** Expects a repeat to have printed the result of an earlier run without sending anything. */
export function expectRepeat(repeat: Run, first: Pick<Run, 'stdout'>): void {
  expect(repeat, repeat.stderr).toMatchObject({ code: 0, stdout: first.stdout })
  expect(repeat.stderr).toMatch(/^already done on \w{3} \d{4}-\d\d-\d\d \d\d:\d\d .*\(op_\w{10}\); nothing was sent\n$/)
}

export async function kill({ process, ended }: Running): Promise<void> {
  process.kill('SIGKILL')
  await ended
}
