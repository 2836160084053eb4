import { expect, onTestFinished } from 'vitest'
import type { Operation } from '../../src/money/operations/operation.ts'
import { OperationStore } from '../../src/money/operations/store.ts'
import { type Chance, chance } from './chance.ts'
import { type CommitServer, type Fault, startCommitServer } from './commit-server.ts'
import { type Fate, isElsewhere, isHere, seenAs } from './fates.ts'
import { DEDUPLICATION_MS } from './ledger.ts'
import { quickDirectory } from './quick-directory.ts'
import { rewriteRows } from './rows.ts'
import type { MoneyCommand, Write } from './till.ts'
import { type Ending, TillRun } from './till-run.ts'
import { TillClock, Timeline } from './timeline.ts'

/** What somebody at a till wants to be done once. */
export interface Intent {
  readonly write: Write
  /** What is believed of it; null: nobody knows yet, or it has not been tried. */
  outcome: 'applied' | 'not-applied' | null
}

const A_MINUTE_AND_A_BIT = 61_000
const ATTEMPT_MS = 30_000

/**
 * A till, its service, and the time they live in. All that a run says is held against what the service did: money never moves
 * twice, "applied" and "not applied" are so for good, and what is not known stays open and is not made again.
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
  /** Why it may stay unknown for ever; empty: it has to be found out. */
  readonly untellable = new Set<string>()
  /** How long after it came, or its answer was lost, a late write is done. Milliseconds. */
  lateMs: number
  attemptMs = ATTEMPT_MS
  retries = 0
  /** A clock was set, or the machine restarted: what rests on time may take longer, or is not done for safety. */
  isTimeUncertain = false
  /** A 409 is taken for proof, though the sale that the service has is somebody else's and is not listed. */
  isTakenForAnother = false
  /** No clock is set: what is looked for by its time would not be found. */
  keepsTime = false
  #hasSlept = false
  /** What fails in the middle of a run fails the history: the run would wait for ever. */
  readonly #trouble = Promise.withResolvers<never>()
  readonly #store: OperationStore

  private constructor(seed: number, directory: string, server: CommitServer) {
    this.random = chance(seed)
    this.clock = new TillClock(this.timeline, this.random.of([5_000, 3_600_000, 9 * 86_400_000]))
    this.lateMs = this.random.whole(1, 59_000)
    this.directory = directory
    this.server = server
    this.#store = OperationStore.open(OperationStore.pathIn(directory))
    this.#trouble.promise.catch(() => {})
  }

  /** Begins a history, which ends with the test. */
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

  say(line: string): void {
    this.script.push(`+${((this.timeline.now - this.startedAt) / 1000).toFixed(1)} s  ${line}`)
  }

  /** Wants something; cards have 1000.00 on them, or `balance` cents. */
  want(command: MoneyCommand, more: Partial<Write> & { readonly balance?: bigint } = {}): Intent {
    const { balance = 100_000n, ...rest } = more
    const target = command === 'sales create' ? `S-${this.intents.length}` : 'HISTO-00000001-CARD'
    const cents = command === 'giftcards cancel' ? null : BigInt(this.random.whole(1_001, 20_000))
    const bookingId = command === 'sales create' && this.random.is(0.5) ? 'BK-1' : null
    const write: Write = { command, target, cents, notes: `write ${this.intents.length}`, bookingId, ...rest }
    if (command !== 'sales create' && !this.server.cards.has(write.target))
      this.server.cards.set(write.target, { cents: balance, status: 'Active' })
    const intent: Intent = { write, outcome: null }
    this.intents.push(intent)
    return intent
  }

  get intent(): Intent {
    const [first] = this.intents
    if (!first) throw new Error('nothing was wanted yet')
    return first
  }

  run(): TillRun {
    return new TillRun(this, { retries: this.retries, attemptMs: this.attemptMs })
  }

  /** What is to happen to the coming writes of an intent, one each. */
  faults(intent: Intent, ...faults: readonly (Fault | null)[]): void {
    this.server.faults('write', intent.write.target, faults)
    const words = faults.map((fault) => (fault === null ? 'answered' : wordsOf(fault)))
    this.say(
      `its next writes are to be: ${words.join(', ')}${words.some((word) => word.includes('late')) ? ` (${this.lateMs} ms)` : ''}`,
    )
  }

  pass(ms: number): void {
    this.timeline.pass(ms)
    this.say(`(${ms} ms have passed)`)
  }

  /** How often the service did it. */
  committed({ write: { command, target, notes } }: Intent): number {
    const on = this.server.commits.filter((commit) => commit.target === target)
    if (command === 'giftcards cancel') return on.filter((commit) => commit.command === 'cancel').length
    return on.filter((commit) => commit.notes === notes).length
  }

  openOf({ outcome, write: { command, target, cents } }: Intent): Operation | null {
    if (outcome === 'applied') return null
    const isIts = (one: Operation) => one.command === command && one.target === target && one.cents === cents
    return this.#store.list().find((one) => one.state === 'open' && isIts(one)) ?? null
  }

  /** Makes a write in a run of its own, and holds what is said of it against what was done. */
  async attempt(intent: Intent, run = this.run(), fate: Fate = 'gone'): Promise<Ending> {
    const { command, target, cents } = intent.write
    const open = this.openOf(intent)
    const sent = this.#sentOf(intent)
    const lost = this.server.lostOn(target)
    const mustArrive = open !== null && this.#arrivesAgain(intent, open)
    const ending = await Promise.race([run.write(intent.write), this.#trouble.promise])
    this.say(`${command} ${target}${cents === null ? '' : ` of ${cents} cents`}: ${ending.said} (${ending.how})`)
    if (ending.said === 'killed' || this.openOf(intent) !== null) this.bury(intent, fate)
    if (ending.said === 'killed') {
      const mayBeDone = this.committed(intent) + this.#underWayOf(intent) > 0
      this.#holds(!mayBeDone || this.openOf(intent) !== null, 'what a killed run may have done is open')
      return ending
    }
    this.#hold(intent, ending)
    if (ending.said === 'interrupted') {
      this.#holds(this.openOf(intent)?.id === open?.id, 'what was stopped before anything left is not open')
      this.#holds(this.server.lostOn(target) === lost, 'what may have left is not called stopped')
      if (open === null) this.#isNotDone(intent)
    }
    if (open !== null && command !== 'sales create' && ending.said !== 'interrupted') {
      this.#holds(ending.said === 'unknown', 'the same write is refused while it is open')
      this.#holds(this.#sentOf(intent) === sent, 'what is refused is not sent')
    }
    if (mustArrive) this.#holds(ending.said === 'applied', 'a sale that is sent again within ten minutes is settled')
    return ending
  }

  /** Asks what became of an intent that is open. Gives null when it is not. */
  async resolve(intent: Intent, run = this.run()): Promise<Ending | null> {
    const open = this.openOf(intent)
    if (open === null) return null
    const sent = this.#sentOf(intent)
    const ending = await Promise.race([run.resolve(open.id), this.#trouble.promise])
    this.say(`resolve ${open.command} ${open.target}: ${ending.said} (${ending.how})`)
    this.#hold(intent, ending)
    const isSettled = ending.said === 'applied' || ending.said === 'not-applied'
    this.#holds(isSettled || this.openOf(intent)?.id === open.id, 'what was not told is still open')
    this.#holds(this.#sentOf(intent) === sent, 'resolving only reads')
    return ending
  }

  /** The process that made a write which is open is seen so from now on. */
  bury({ write: { command, target, cents } }: Intent, fate: Fate): void {
    rewriteRows(this.#file, (row) => {
      const isIts = row.command === command && row.target === target && row.cents === cents
      return isIts && row.state === 'open' && isHere(row.owner) ? { ...row, owner: seenAs(row.owner, fate) } : row
    })
    this.say(`its process is ${fate}`)
  }

  /** The machine is switched off for so long, and everything that ran on it is gone. */
  restart(offMs: number, keepsTime: boolean): void {
    const hasBattery = keepsTime || this.keepsTime
    this.clock.restart(offMs, hasBattery)
    this.isTimeUncertain = true
    this.say(`the machine was off for ${offMs} ms${hasBattery ? '' : ', and its clock goes on from where it stood'}`)
    rewriteRows(this.#file, (row) => ({ ...row, owner: { ...row.owner, boot: 'an earlier start' } }))
  }

  /** The machine sleeps for so long. Not when its clock was set back: with the other one standing still, none could tell the time. */
  sleep(ms: number): void {
    if (this.isTimeUncertain) return
    this.#hasSlept = true
    this.clock.sleep(ms)
    this.say(`the machine slept for ${ms} ms`)
  }

  setClock(setByMs: number): void {
    if (this.keepsTime) return
    const byMs = this.#hasSlept ? Math.abs(setByMs) : setByMs
    this.clock.set(byMs)
    this.isTimeUncertain = true
    this.say(`the wall clock is set by ${byMs} ms`)
  }

  /** Everybody comes to rest, time passes, and whatever is still open is asked about. */
  async close(): Promise<void> {
    for (const { write } of this.intents) {
      this.server.faults('write', write.target, [])
      this.server.faults('read', write.target, [])
      this.server.lag(write.target, null)
    }
    this.server.faults('read', 'sales', [])
    this.server.proxy.kind = 'none'
    this.say('the service is well again')
    this.retries = 0
    this.pass(this.attemptMs)
    const waits = [A_MINUTE_AND_A_BIT, A_MINUTE_AND_A_BIT, ...(this.isTimeUncertain ? [3_600_000, 3 * 86_400_000] : [])]
    for (const ms of waits) {
      this.pass(ms)
      for (const intent of this.intents) await this.resolve(intent)
    }
    for (const intent of this.intents) {
      this.#holds(this.committed(intent) <= 1, 'money moves once')
      const open = this.openOf(intent)
      if (open === null) continue
      this.#holds(this.#mayStayOpen(intent), 'what can be told is found out')
      if (intent.write.command === 'sales create') continue
      await this.attempt(intent)
    }
  }

  must({ said }: Ending, due: Ending['said']): void {
    this.#holds(said === due, `it has to be ${due} here`)
  }

  sentOnce(intent: Intent): void {
    this.#holds(this.#sentOf(intent) === 1, 'it is sent once')
  }

  async sendsNothing(intent: Intent, work: () => Promise<unknown>): Promise<void> {
    const sent = this.#sentOf(intent)
    await work()
    this.#holds(this.#sentOf(intent) === sent, 'nothing is sent here')
  }

  /** Whether a sale that is open has to be settled by sending it again now, to a service that is well. */
  #arrivesAgain(intent: Intent, open: Operation): boolean {
    const { command, target } = intent.write
    if (command !== 'sales create' || open.phase === 'redirected' || open.firstSent === null) return false
    if (isElsewhere(open.owner) && open.over === null) return false
    if (this.isTimeUncertain || this.untellable.size > 0 || !this.server.isWell(target)) return false
    return this.timeline.now - open.firstSent.wallMs < DEDUPLICATION_MS
  }

  #mayStayOpen(intent: Intent): boolean {
    if (this.untellable.size > 0) return true
    // A list of sales has only those that are linked, and shows nothing of one that never came.
    return intent.write.command === 'sales create' && (intent.write.bookingId === null || this.committed(intent) === 0)
  }

  #hold(intent: Intent, { said, exitCode }: Ending): void {
    this.#holds(this.committed(intent) <= 1, 'money moves once')
    const open = this.openOf(intent)
    if (said === 'applied') {
      if (!this.isTakenForAnother) this.#holds(this.committed(intent) === 1, 'what is said to be done was done')
      this.#holds(open === null, 'what is said to be done is not open')
      intent.outcome = said
    }
    if (said === 'not-applied') {
      this.#isNotDone(intent)
      this.#holds(open === null, 'what is said not to be done is not open')
      intent.outcome = said
    }
    if (said === 'unknown') {
      this.#holds(open !== null || this.#isClaimedElsewhere(intent), 'what is not known is open')
      this.#holds(exitCode === 9 || open?.phase === 'redirected', 'what is not known has the exit code 9')
    }
  }

  /** A process that nobody here sees may be about to send it. */
  #isClaimedElsewhere({ write: { command, target, cents } }: Intent): boolean {
    const same = { command, target, cents, service: this.server.baseUrl, profile: null }
    const claimed = this.#store.openLike(same, this.clock.moment)
    return claimed?.phase === 'claimed' && isElsewhere(claimed.owner)
  }

  #isNotDone(intent: Intent): void {
    this.#holds(this.committed(intent) === 0, 'what is said not to be done was not done')
    this.#holds(this.#underWayOf(intent) === 0, 'what is said not to be done will not be done later')
  }

  #sentOf({ write: { command, target, notes } }: Intent): number {
    return this.server.writesOn(target, command === 'giftcards cancel' ? undefined : notes)
  }

  #underWayOf({ write: { command, target, notes } }: Intent): number {
    return this.server.underWayOn(target, command === 'giftcards cancel' ? undefined : notes)
  }

  #holds(isSo: boolean, rule: string): void {
    expect(isSo, `broken: ${rule}`).toBe(true)
  }
}

function wordsOf(fault: Fault): string {
  if (fault.kind === 'slow') return 'slow'
  return fault.kind === 'lost' ? `${fault.loss}, done ${fault.phase}` : `${fault.status}`
}
