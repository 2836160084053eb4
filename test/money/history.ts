import { expect, onTestFinished } from 'vitest'
import type { Operation } from '../../src/money/operations/operation.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { type Chance, chance } from './chance.ts'
import { type CommitServer, type Fault, startCommitServer } from './commit-server.ts'
import { type Fate, isElsewhere, isHere, withFate } from './fates.ts'
import { DEDUPLICATION_MS } from './ledger.ts'
import { quickDirectory } from './quick-directory.ts'
import { rewriteRows } from './rows.ts'
import type { MoneyCommand, Write } from './till.ts'
import { type Ending, TillRun } from './till-run.ts'
import { TillClock, Timeline } from './timeline.ts'

/** A write that the service must perform exactly once. */
export interface Intent {
  readonly write: Write
  /** The outcome that partner reported. `null` if the outcome is unknown or the write has not been attempted. */
  outcome: 'applied' | 'not-applied' | null
}

const A_MINUTE_AND_A_BIT = 61_000
const ATTEMPT_MS = 30_000

/**
 * Simulates a till, its service and their clocks, and compares what each run reports with what the service performed.
 * Money must never move twice. An outcome reported as known must be final, and a write with an unknown outcome must
 * stay open and must not be repeated.
 */
export class History {
  readonly random: Chance
  readonly timeline = new Timeline()
  readonly startedAt = this.timeline.now
  readonly clock: TillClock
  readonly server: CommitServer
  readonly directory: string
  readonly script: string[] = []
  readonly intents: Intent[] = []
  /** The reasons why outcomes may stay unknown. Without any reason, partner must determine every outcome. */
  readonly unresolvableReasons = new Set<string>()
  /** How long after the arrival of a request the service performs a late write, in milliseconds. */
  lateMs: number
  attemptMs = ATTEMPT_MS
  retries = 0
  /** Whether a clock was set or the machine was restarted. Partner may then delay or skip time-dependent steps. */
  isTimeUncertain = false
  /** Whether a 409 about another till's unlisted sale may convince partner that its own sale arrived. */
  mayMistakeAnotherSale = false
  /** Whether the clocks must always be correct, because partner looks up sales by time. */
  keepsTime = false
  #hasSlept = false
  /** Rejects if a callback fails during a run, so that the run does not wait forever. */
  readonly #trouble = Promise.withResolvers<never>()
  readonly #store: OperationStore

  private constructor(seed: number, directory: string, server: CommitServer) {
    this.random = chance(seed)
    this.clock = new TillClock(this.timeline, this.random.pick([5_000, 3_600_000, 9 * 86_400_000]))
    this.lateMs = this.random.integer(1, 59_000)
    this.directory = directory
    this.server = server
    this.#store = OperationStore.open(OperationStore.pathIn(directory))
    this.#trouble.promise.catch(() => {})
  }

  /** Starts a simulation that stops when the test ends. */
  static async begin(seed: number): Promise<History> {
    const directory = quickDirectory()
    let history: History | undefined
    const server = await startCommitServer(undefined, {
      now: () => history?.timeline.now ?? 0,
      late: (work) => void history?.timeline.later(history.lateMs, work),
      onHang: () => history?.timeline.pass(history.attemptMs),
      onTrouble: (error) => {
        if (history) history.#trouble.reject(error)
      },
    })
    const begun = new History(seed, directory, server)
    history = begun
    onTestFinished(() => begun.#store.close())
    return begun
  }

  get #file(): string {
    return OperationStore.pathIn(this.directory)
  }

  log(line: string): void {
    this.script.push(`+${((this.timeline.now - this.startedAt) / 1000).toFixed(1)} s  ${line}`)
  }

  /** Adds a write to perform. `balance` is a new card's balance in cents. */
  addIntent(command: MoneyCommand, more: Partial<Write> & { readonly balance?: bigint } = {}): Intent {
    const { balance = 100_000n, ...rest } = more
    const target = command === 'sales create' ? `S-${this.intents.length}` : 'HISTO-00000001-CARD'
    const cents = command === 'giftcards cancel' ? null : BigInt(this.random.integer(1_001, 20_000))
    const bookingId = command === 'sales create' && this.random.happens(0.5) ? 'BK-1' : null
    const write: Write = { command, target, cents, notes: `write ${this.intents.length}`, bookingId, ...rest }
    if (command !== 'sales create' && !this.server.cards.has(write.target))
      this.server.cards.set(write.target, { cents: balance, status: 'Active' })
    const intent: Intent = { write, outcome: null }
    this.intents.push(intent)
    return intent
  }

  get intent(): Intent {
    const [first] = this.intents
    if (!first) throw new Error('there is no intent yet')
    return first
  }

  run(): TillRun {
    return new TillRun(this, { retries: this.retries, attemptMs: this.attemptMs })
  }

  /** Sets the faults of the next requests for this write, in order. */
  faults(intent: Intent, ...faults: readonly (Fault | null)[]): void {
    this.server.setFaults('write', intent.write.target, faults)
    const words = faults.map((fault) => (fault === null ? 'no fault' : describeFault(fault)))
    this.log(
      `faults of its next writes: ${words.join(', ')}${words.some((word) => word.includes('late')) ? ` (${this.lateMs} ms)` : ''}`,
    )
  }

  passTime(ms: number): void {
    this.timeline.pass(ms)
    this.log(`(${ms} ms have passed)`)
  }

  /** Returns how many times the service performed a write. */
  committed({ write: { command, target, notes } }: Intent): number {
    const on = this.server.commits.filter((commit) => commit.target === target)
    if (command === 'giftcards cancel') return on.filter((commit) => commit.command === 'cancel').length
    return on.filter((commit) => commit.notes === notes).length
  }

  findOpen({ outcome, write: { command, target, cents } }: Intent): Operation | null {
    if (outcome === 'applied') return null
    const isIts = (one: Operation) => one.command === command && one.target === target && one.cents === cents
    return this.#store.list().find((one) => one.state === 'open' && isIts(one)) ?? null
  }

  /** Performs a write in a new run and compares what the run reports with what the service did. */
  async attempt(intent: Intent, run = this.run(), fate: Fate = 'gone'): Promise<Ending> {
    const { command, target, cents } = intent.write
    const open = this.findOpen(intent)
    const sent = this.#sentOf(intent)
    const lost = this.server.lostOn(target)
    const mustArrive = open !== null && this.#arrivesAgain(intent, open)
    const ending = await Promise.race([run.write(intent.write), this.#trouble.promise])
    this.log(`${command} ${target}${cents === null ? '' : ` of ${cents} cents`}: ${ending.said} (${ending.how})`)
    if (ending.said === 'killed' || this.findOpen(intent) !== null) this.setProcessFate(intent, fate)
    if (ending.said === 'killed') {
      const mayBeDone = this.committed(intent) + this.#underWayOf(intent) > 0
      this.#expect(!mayBeDone || this.findOpen(intent) !== null, 'a write that a killed run may have performed is open')
      return ending
    }
    this.#compare(intent, ending)
    if (ending.said === 'interrupted') {
      this.#expect(
        this.findOpen(intent)?.id === open?.id,
        'a write that was stopped before it was sent leaves no operation',
      )
      this.#expect(
        this.server.lostOn(target) === lost,
        'a write that may have been sent is not reported as interrupted',
      )
      if (open === null) this.#isNotDone(intent)
    }
    if (open !== null && command !== 'sales create' && ending.said !== 'interrupted') {
      this.#expect(ending.said === 'unknown', 'an identical write is refused while one is open')
      this.#expect(this.#sentOf(intent) === sent, 'a refused write is not sent')
    }
    if (mustArrive) this.#expect(ending.said === 'applied', 'a sale that is resent within ten minutes is settled')
    return ending
  }

  /** Resolves a write's operation. Returns `null` if the operation is not open. */
  async resolve(intent: Intent, run = this.run()): Promise<Ending | null> {
    const open = this.findOpen(intent)
    if (open === null) return null
    const sent = this.#sentOf(intent)
    const ending = await Promise.race([run.resolve(open.id), this.#trouble.promise])
    this.log(`resolve ${open.command} ${open.target}: ${ending.said} (${ending.how})`)
    this.#compare(intent, ending)
    const isSettled = ending.said === 'applied' || ending.said === 'not-applied'
    this.#expect(isSettled || this.findOpen(intent)?.id === open.id, 'an operation that was not settled is still open')
    this.#expect(this.#sentOf(intent) === sent, 'resolving makes only read requests')
    return ending
  }

  /** Sets how the process of an open write appears to other processes from now on. */
  setProcessFate({ write: { command, target, cents } }: Intent, fate: Fate): void {
    rewriteRows(this.#file, (row) => {
      const isIts = row.command === command && row.target === target && row.cents === cents
      return isIts && row.state === 'open' && isHere(row.owner) ? { ...row, owner: withFate(row.owner, fate) } : row
    })
    this.log(`its process is ${fate}`)
  }

  /** Switches the machine off for `offMs` milliseconds. All of its processes end. */
  restart(offMs: number, keepsTime: boolean): void {
    const hasBattery = keepsTime || this.keepsTime
    this.clock.restart(offMs, hasBattery)
    this.isTimeUncertain = true
    this.log(
      `the machine was off for ${offMs} ms${hasBattery ? '' : ', and its clock continues from where it stopped'}`,
    )
    rewriteRows(this.#file, (row) => ({ ...row, owner: { ...row.owner, boot: 'an earlier start' } }))
  }

  /**
   * Puts the machine to sleep for `ms` milliseconds. Does nothing if the machine's time is already uncertain, so that
   * at most one of its two clocks is wrong.
   */
  sleep(ms: number): void {
    if (this.isTimeUncertain) return
    this.#hasSlept = true
    this.clock.sleep(ms)
    this.log(`the machine slept for ${ms} ms`)
  }

  setClock(setByMs: number): void {
    if (this.keepsTime) return
    const byMs = this.#hasSlept ? Math.abs(setByMs) : setByMs
    this.clock.set(byMs)
    this.isTimeUncertain = true
    this.log(`the wall clock is set by ${byMs} ms`)
  }

  /**
   * Clears all faults, lets time pass, and resolves all open operations. Fails if an outcome that can be determined is
   * still unknown.
   */
  async finish(): Promise<void> {
    for (const { write } of this.intents) {
      this.server.setFaults('write', write.target, [])
      this.server.setFaults('read', write.target, [])
      this.server.lag(write.target, null)
    }
    this.server.setFaults('read', 'sales', [])
    this.server.proxy.kind = 'none'
    this.log('the service has no more faults')
    this.retries = 0
    this.passTime(this.attemptMs)
    const waits = [A_MINUTE_AND_A_BIT, A_MINUTE_AND_A_BIT, ...(this.isTimeUncertain ? [3_600_000, 3 * 86_400_000] : [])]
    for (const ms of waits) {
      this.passTime(ms)
      for (const intent of this.intents) await this.resolve(intent)
    }
    for (const intent of this.intents) {
      this.#expect(this.committed(intent) <= 1, 'money moves once')
      const open = this.findOpen(intent)
      if (open === null) continue
      this.#expect(this.#mayStayOpen(intent), 'every outcome that can be determined is determined')
      if (intent.write.command === 'sales create') continue
      await this.attempt(intent)
    }
  }

  expectOutcome({ said }: Ending, due: Ending['said']): void {
    this.#expect(said === due, `the outcome is ${due} here`)
  }

  expectSentOnce(intent: Intent): void {
    this.#expect(this.#sentOf(intent) === 1, 'the write is sent exactly once')
  }

  async expectNothingSent(intent: Intent, work: () => Promise<unknown>): Promise<void> {
    const sent = this.#sentOf(intent)
    await work()
    this.#expect(this.#sentOf(intent) === sent, 'nothing is sent here')
  }

  /** Returns whether the outcome of an open sale must become known if the sale is resent now. */
  #arrivesAgain(intent: Intent, open: Operation): boolean {
    const { command, target } = intent.write
    if (command !== 'sales create' || open.phase === 'redirected' || open.firstSent === null) return false
    if (isElsewhere(open.owner) && open.over === null) return false
    if (this.isTimeUncertain || this.unresolvableReasons.size > 0 || !this.server.hasNoFaults(target)) return false
    return this.timeline.now - open.firstSent.wallMs < DEDUPLICATION_MS
  }

  #mayStayOpen(intent: Intent): boolean {
    if (this.unresolvableReasons.size > 0) return true
    // The service lists only sales with a booking, so the list cannot prove that a sale never arrived.
    return intent.write.command === 'sales create' && (intent.write.bookingId === null || this.committed(intent) === 0)
  }

  #compare(intent: Intent, { said, exitCode }: Ending): void {
    this.#expect(this.committed(intent) <= 1, 'money moves once')
    const open = this.findOpen(intent)
    if (said === 'applied') {
      if (!this.mayMistakeAnotherSale)
        this.#expect(this.committed(intent) === 1, 'a write reported as applied took effect')
      this.#expect(open === null, 'a write reported as applied is not open')
      intent.outcome = said
    }
    if (said === 'not-applied') {
      this.#isNotDone(intent)
      this.#expect(open === null, 'a write reported as not applied is not open')
      intent.outcome = said
    }
    if (said === 'unknown') {
      this.#expect(open !== null || this.#isClaimedElsewhere(intent), 'a write with an unknown outcome is open')
      this.#expect(exitCode === 9 || open?.phase === 'redirected', 'an unknown outcome has exit code 9')
    }
  }

  /** Returns whether a process in another container has claimed the write and may be about to send it. */
  #isClaimedElsewhere({ write: { command, target, cents } }: Intent): boolean {
    const same = { command, target, cents, service: this.server.baseUrl, profile: null }
    const claimed = this.#store.findIdentical(same, this.clock.moment)
    return claimed?.phase === 'claimed' && isElsewhere(claimed.owner)
  }

  #isNotDone(intent: Intent): void {
    this.#expect(this.committed(intent) === 0, 'a write reported as not applied did not take effect')
    this.#expect(this.#underWayOf(intent) === 0, 'a write reported as not applied cannot take effect later')
  }

  #sentOf({ write: { command, target, notes } }: Intent): number {
    return this.server.writesOn(target, command === 'giftcards cancel' ? undefined : notes)
  }

  #underWayOf({ write: { command, target, notes } }: Intent): number {
    return this.server.underWayOn(target, command === 'giftcards cancel' ? undefined : notes)
  }

  #expect(isMet: boolean, rule: string): void {
    expect(isMet, `broken: ${rule}`).toBe(true)
  }
}

function describeFault(fault: Fault): string {
  if (fault.kind === 'slow') return 'slow'
  return fault.kind === 'lost' ? `${fault.loss} (${fault.phase})` : `${fault.status}`
}
