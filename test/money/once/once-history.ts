import { existsSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { Ledger } from '../../../src/money/ledger/ledger.ts'
import { KeyTable } from '../../../src/money/once/keys.ts'
import type { Operation } from '../../../src/money/operations/operation.ts'
import type { Row } from '../../../src/money/operations/row.ts'
import { OperationStore } from '../../../src/money/operations/store.ts'
import { parseAddress } from '../../../src/postgres/address.ts'
import type { TestServer } from '../../support/postgres.ts'
import { type Chance, chance } from '../chance.ts'
import { type CommitServer, type Fault, startCommitServer } from '../commit-server.ts'
import { type Fate, isHere, withFate } from '../fates.ts'
import { quickDirectory } from '../quick-directory.ts'
import { rewriteRows } from '../rows.ts'
import type { Write } from '../till.ts'
import { type Ending, type Place, TillRun } from '../till-run.ts'
import { TillClock, Timeline } from '../timeline.ts'
import { type LedgerLine, startLedgerLine } from './ledger-line.ts'

export const ATTEMPT_MS = 30_000
/** How long, in milliseconds, a sale may be resent after it was first sent. */
const REMEMBERED_MS = 10 * 60_000
/** The exit codes that tell a till that a payment was refused. */
const REFUSED = [3, 5, 6, 10]

/** One of the hosts whose tills share a ledger. */
export interface TillHost extends Place {
  readonly name: string
  readonly clock: TillClock
}

/** A payment with its `--once` key, which all of its repeats use. */
export interface Payment {
  readonly key: string
  readonly write: Write
}

/** The orders and receipts of one `--once` key. */
interface KeyHistory {
  /** All orders that used the key. Only one of them may ever be sent. */
  readonly orders: Write[]
  /** The receipts that the runs printed, in order. */
  readonly printed: { readonly host: TillHost; readonly text: string }[]
  /** The hosts whose printed receipt may be missing from the ledger. */
  readonly apart: Set<TillHost>
  firstSentAt: number | null
}

interface Parts {
  readonly timeline: Timeline
  readonly server: CommitServer
  readonly line: LedgerLine
  readonly url: string
  readonly database: TestServer
}

export interface PaidEnding extends Ending {
  readonly printed: string | null
}

/** Simulates two hosts, a service and a ledger, and compares what each run reports with what the service performed. */
export class OnceHistory {
  readonly random: Chance
  readonly timeline: Timeline
  readonly server: CommitServer
  readonly line: LedgerLine
  readonly hosts: readonly [TillHost, TillHost]
  readonly payments: Payment[] = []
  readonly script: string[] = []
  /** The delay before the service performs a late write, in milliseconds. */
  lateMs: number
  /** Whether all payments are for the same amount. If so, an outcome may stay unknown. */
  isAmbiguous = false
  /** Whether a clock was set or a host was restarted. Partner may then refuse to resend a sale. */
  isTimeUncertain = false
  readonly #startedAt: number
  readonly #keys = new Map<string, KeyHistory>()
  /** Rejects if a callback fails during a run, so that the run does not wait forever. */
  readonly #trouble = Promise.withResolvers<never>()
  readonly #database: TestServer
  /** Resolves when the ledger's database is running again. Runs do not wait for this. */
  #restarted = Promise.resolve()
  #depth = 0
  /** Work that callbacks started during a run. It may take longer than the run. */
  readonly #nested: Promise<void>[] = []

  private constructor(seed: number, { timeline, server, line, url, database }: Parts) {
    this.random = chance(seed)
    this.timeline = timeline
    this.#startedAt = timeline.now
    this.server = server
    this.line = line
    this.#database = database
    this.lateMs = this.random.integer(1, 59_000)
    this.#trouble.promise.catch(() => {})
    this.hosts = [this.#addHost('A', url), this.#addHost('B', url)]
  }

  /** Starts a simulation that stops when the test ends. `url` is the URL of an empty database on the server. */
  static async begin(seed: number, url: string, database: TestServer): Promise<OnceHistory> {
    const timeline = new Timeline()
    let history: OnceHistory | undefined
    const server = await startCommitServer((target) => history?.noteSent(target), {
      now: () => timeline.now,
      late: (work) => void timeline.later(history?.lateMs ?? 0, work),
      onHang: () => timeline.pass(ATTEMPT_MS),
      onTrouble: (error) => history?.fail(error),
    })
    const line = await startLedgerLine(database.port, () => timeline.now)
    const made = new OnceHistory(seed, { timeline, server, line, url, database })
    history = made
    onTestFinished(() => made.#restarted)
    return made
  }

  #addHost(name: string, url: string): TillHost {
    const { server, timeline, line } = this
    const directory = quickDirectory()
    const clock = new TillClock(timeline, this.random.pick([5_000, 3_600_000, 9 * 86_400_000]))
    const openLedger = (store: OperationStore, { name: run, ledgerSignal }: TillRun) => {
      const own = new URL(url)
      own.port = String(line.port)
      own.searchParams.set('application_name', run)
      const address = parseAddress(own.href, {}, '--ledger')
      return new Ledger({ address, store, dataDirectory: directory, signal: ledgerSignal, clock: () => clock.moment })
    }
    return { name, server, directory, timeline, clock, openLedger }
  }

  /** Makes the current run fail with an error that a callback threw. */
  fail(error: unknown): void {
    this.#trouble.reject(error)
  }

  noteSent(target: string): void {
    for (const key of this.#keys.values())
      if (key.orders.some((write) => write.target === target)) key.firstSentAt ??= this.timeline.now
  }

  log(line: string): void {
    const seconds = ((this.timeline.now - this.#startedAt) / 1000).toFixed(1)
    if (process.env['TRACE']) process.stderr.write(`${line}\n`)
    this.script.push(`+${seconds} s  ${'  '.repeat(this.#depth)}${line}`)
  }

  passTime(ms: number): void {
    this.timeline.pass(ms)
    this.log(`(${ms} ms have passed)`)
  }

  newRun(host: TillHost): TillRun {
    return new TillRun(host, { retries: 0, attemptMs: ATTEMPT_MS })
  }

  /** Makes a payment in a new run and compares what the run reports with what the service performed. */
  async pay(host: TillHost, payment: Payment, run = this.newRun(host), fate: Fate = 'gone'): Promise<PaidEnding> {
    const { key, write } = payment
    const known = this.#known(key)
    if (!known.orders.some((one) => isDeepStrictEqual(one, write))) known.orders.push(write)
    const isSale = write.command === 'sales create'
    const mayNotSend = isSale ? this.#isDoneFor(known, host) : this.#committed(known) > 0
    const before = { sent: this.#sent(known), committed: this.committed(write) + this.underWay(write) }
    const depth = this.#depth
    const others = this.#openOn(host)
    this.log(`${host.name}: ${describeWrite(write)} --once ${key}  [${run.name}`)
    this.#depth++
    const ending = await Promise.race([run.pay(write, key), this.#trouble.promise]).finally(() => {
      this.#depth = depth
    })
    // Wait for nested runs before the clock advances again. Otherwise, their attempts would time out.
    if (depth === 0) await Promise.race([Promise.all(this.#nested.splice(0)), this.#trouble.promise])
    const { said, exitCode, how, trouble = null } = ending
    this.log(`${run.name}] ${host.name}: ${said} ${exitCode ?? ''} (${how})${trouble === null ? '' : `; ${trouble}`}`)
    if (said === 'killed') this.line.cut(run.name)
    this.#setFate(host, said === 'killed' ? fate : 'gone', others)
    const { printed } = run
    if (trouble !== null || (said === 'killed' && printed !== null)) known.apart.add(host)
    if (printed !== null) known.printed.push({ host, text: printed })
    this.#compare(payment, host, { ...ending, printed })
    if (mayNotSend) this.#expect(this.#sent(known) === before.sent, 'an order that took effect is not sent again')
    const isAlone = depth === 0 && !this.script.some((line) => line.includes(`during ${run.name}`))
    if (isAlone && said === 'not-applied')
      this.#expect(
        this.committed(write) + this.underWay(write) === before.committed,
        'a write reported as not applied did not take effect',
      )
    if (isAlone) this.#expect(exitCode !== 1, 'nothing is wrong with the record')
    return { ...ending, printed }
  }

  /** Runs `operations resolve` for the open operation of a payment, if the host has one. */
  async resolve(host: TillHost, { key, write }: Payment, run = this.newRun(host)): Promise<Ending | null> {
    const operation = this.#operationOf(host, key)
    if (operation === null) return null
    const { id, phase } = operation
    const known = this.#known(key)
    const sent = this.#sent(known)
    const depth = this.#depth
    const others = this.#openOn(host)
    this.log(`${host.name}: operations resolve ${id}  [${run.name}`)
    this.#depth++
    const ending = await Promise.race([run.resolve(id), this.#trouble.promise]).finally(() => {
      this.#depth = depth
    })
    this.log(`${run.name}] ${host.name}: ${ending.said} ${ending.exitCode ?? ''} (${ending.how})`)
    if (ending.said === 'killed') this.line.cut(run.name)
    this.#setFate(host, 'gone', others)
    if (ending.said === 'applied')
      this.#expect(this.#committed(known) === 1, 'an operation reported as applied took effect')
    // Check this only if the payment was sent once, because a later attempt with the key may have succeeded.
    const isSent = phase !== 'claimed' && this.#sent(known) === 1
    if (ending.said === 'not-applied' && ending.exitCode === 0 && isSent) this.#isNotDone(write)
    if (this.#depth === 0 && sent !== this.#sent(known)) this.#expect(false, 'resolving makes only read requests')
    return ending
  }

  /** Sets the faults for the next writes to a payment's card or sale. */
  faults({ write: { target } }: Payment, ...faults: readonly Fault[]): void {
    this.server.setFaults('write', target, faults)
  }

  /** Reads the ledger as `operations list --once` does. */
  async list(host: TillHost, key: string): Promise<void> {
    const run = this.newRun(host)
    await run.list(key)
    this.log(`${host.name}: operations list --once ${key}`)
  }

  /** Returns a callback that calls `work` while the run is in progress. If `work` fails, so does the run. */
  during(run: TillRun, work: () => Promise<unknown>): () => Promise<void> {
    return () => {
      this.log(`(during ${run.name})`)
      const done = work().then(
        () => {},
        (error: unknown) => this.fail(error),
      )
      this.#nested.push(done)
      return done
    }
  }

  /** Restarts the ledger's database, which closes all connections. */
  restartLedger(): Promise<void> {
    this.log('the ledger is restarted')
    const restart = async () => {
      await this.#database.stop()
      await this.#database.start()
    }
    this.#restarted = this.#restarted.then(restart)
    return this.#restarted
  }

  restart(host: TillHost, offMs: number, keepsTime: boolean): void {
    host.clock.restart(offMs, keepsTime)
    this.isTimeUncertain = true
    this.log(`${host.name} was off for ${offMs} ms`)
    if (existsSync(fileOf(host)))
      rewriteRows(fileOf(host), (row) => ({ ...row, owner: { ...row.owner, boot: 'an earlier start' } }))
  }

  setClock(host: TillHost, byMs: number): void {
    host.clock.set(byMs)
    this.isTimeUncertain = true
    this.log(`the wall clock of ${host.name} is set by ${byMs} ms`)
  }

  /**
   * Removes all faults and repeats the payments while time passes. Fails if an outcome that can be determined is still
   * unknown.
   */
  async finish(): Promise<void> {
    this.line.state = 'up'
    this.line.onMessage = () => 'pass'
    for (const { write } of this.payments)
      for (const kind of ['read', 'write'] as const) this.server.setFaults(kind, write.target, [])
    this.server.setFaults('read', 'sales', [])
    await this.#restarted
    this.log('nothing is disturbed any more')
    const waiting = new Set(this.payments)
    for (let round = 0; round < 6 && waiting.size > 0; round++) {
      this.passTime(ATTEMPT_MS + (round < 4 ? 61_000 : REMEMBERED_MS))
      const host = this.hosts[round % 2] as TillHost
      for (const payment of waiting) {
        const { said, exitCode } = await this.pay(host, payment)
        const isRefused = said === 'not-applied' && REFUSED.includes(exitCode ?? 0)
        if (said === 'applied' || isRefused) waiting.delete(payment)
        // Exit code 2 means that the key was used for a different order.
        if (exitCode === 2) waiting.delete(payment)
      }
    }
    for (const payment of waiting)
      this.#expect(this.#mayStayUnknown(payment), `a repeat of ${payment.key} ends in a known outcome`)
    for (const payment of this.payments.filter((one) => !waiting.has(one)))
      for (const host of this.hosts) await this.pay(host, payment)
  }

  /** Returns how many times the service performed an order. */
  committed({ command, target, notes, cents }: Write): number {
    const on = this.server.commits.filter((commit) => commit.target === target)
    if (command === 'giftcards cancel') return on.filter((commit) => commit.command === 'cancel').length
    return on.filter((commit) => commit.notes === notes && (commit.cents ?? cents) === cents).length
  }

  underWay({ command, target, notes }: Write): number {
    return this.server.underWayOn(target, command === 'giftcards cancel' ? undefined : notes)
  }

  #known(key: string): KeyHistory {
    const known = this.#keys.get(key) ?? { orders: [], printed: [], apart: new Set(), firstSentAt: null }
    this.#keys.set(key, known)
    return known
  }

  #compare({ key, write }: Payment, host: TillHost, { said, exitCode, how, printed }: PaidEnding): void {
    const known = this.#known(key)
    for (const one of this.#keys.values()) this.#expect(this.#committed(one) <= 1, 'an order takes effect at most once')
    if (said === 'applied' || printed !== null) {
      this.#expect(this.committed(write) === 1, 'a payment reported as applied took effect')
      this.#expect(printed !== null, 'the receipt of an applied payment is printed')
    }
    if (exitCode === 2) {
      this.#expect(how.includes('was used for another order'), 'the key is the only mistake in the command line')
      this.#expect(
        known.orders.some((other) => !isDeepStrictEqual(other, write)),
        'a key is refused only if it belongs to a different order',
      )
    }
    if (said === 'unknown') this.#expect(exitCode === 9 || exitCode === 5, 'an unknown outcome has exit code 9 or 5')
    if (said === 'not-applied' && REFUSED.includes(exitCode ?? 0)) this.#isNotDone(write)
    const own = known.printed.filter((one) => one.host === host).map(({ text }) => text)
    this.#expect(new Set(own).size <= 1, `a host prints one receipt: ${own.join(' ')}`)
    if (known.apart.size > 0) return
    const all = known.printed.map(({ text }) => text)
    this.#expect(new Set(all).size <= 1, `all hosts print one receipt: ${all.join(' ')}`)
  }

  #isNotDone(write: Write): void {
    this.#expect(this.committed(write) === 0, 'a payment reported as not applied did not take effect')
    this.#expect(this.underWay(write) === 0, 'a payment reported as not applied cannot take effect later')
  }

  /** Returns whether a host must report that an order took effect, because the host or the ledger has the receipt. */
  #isDoneFor({ printed, apart }: KeyHistory, host: TillHost): boolean {
    return printed.some((one) => one.host === host || !apart.has(one.host))
  }

  #mayStayUnknown({ key, write }: Payment): boolean {
    if (write.command !== 'sales create') return this.isAmbiguous
    const { firstSentAt } = this.#known(key)
    const isLate = firstSentAt !== null && this.timeline.now - firstSentAt > REMEMBERED_MS
    return isLate || this.isTimeUncertain
  }

  #committed({ orders }: KeyHistory): number {
    return orders.reduce((sum, write) => sum + this.committed(write), 0)
  }

  #sent({ orders }: KeyHistory): number {
    const sent = ({ command, target, notes }: Write) =>
      this.server.writesOn(target, command === 'giftcards cancel' ? null : notes)
    return orders.reduce((sum, write) => sum + sent(write), 0)
  }

  #operationOf(host: TillHost, key: string): Operation | null {
    const store = OperationStore.open(fileOf(host))
    const row = new KeyTable(store.table).find(this.server.baseUrl, key)
    const operation = row?.state === 'open' ? store.find(row.operation) : null
    store.close()
    return operation
  }

  /** Returns the IDs of a host's own open writes. */
  #openOn(host: TillHost): Set<string> {
    const store = OperationStore.open(fileOf(host))
    const ids = store.table
      .rows("state = 'open'")
      .filter(isOwn)
      .map(({ id }) => id)
    store.close()
    return new Set(ids)
  }

  /**
   * Changes the recorded owner of a run's open writes to match `fate`. Skips `others`, the writes that were open before
   * the run, because another run may be working on them.
   */
  #setFate(host: TillHost, fate: Fate, others: ReadonlySet<string>): void {
    if (existsSync(fileOf(host)))
      rewriteRows(fileOf(host), (row) =>
        row.state === 'open' && isOwn(row) && !others.has(row.id) ? { ...row, owner: withFate(row.owner, fate) } : row,
      )
  }

  #expect(isMet: boolean, rule: string): void {
    expect(isMet, `broken: ${rule}`).toBe(true)
  }
}

function fileOf({ directory }: TillHost): string {
  return OperationStore.pathIn(directory)
}

function isOwn({ owner }: Pick<Row, 'owner'>): boolean {
  return isHere(owner) && owner.otherHost === undefined
}

function describeWrite({ command, target, cents, notes }: Write): string {
  return `${command} ${target}${cents === null ? '' : ` of ${cents} cents`} (${notes})`
}
