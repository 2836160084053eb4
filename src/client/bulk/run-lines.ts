import { Failure } from '../../base/failure/failure.ts'
import { Interrupted } from '../../base/failure/interrupted.ts'
import type { JournalMoment, LineKey } from './journal/entry.ts'
import type { Journal } from './journal/journal.ts'
import type { Known } from './journal/reading.ts'
import { type Ended, type Judgement, judge } from './judge.ts'
import type { BulkOutcome, BulkResult, Tally } from './result.ts'

/** A parsed input line, or the reason why it cannot be sent. */
export type BulkLine<T> =
  | (LineKey & { readonly item: T })
  | {
      readonly line: number
      readonly id: string | null
      readonly invalid: string
      /**
       * A digest of the line, used to recognize a line that an earlier run sent. Absent if the line itself is invalid.
       */
      readonly digest?: string
    }

export type SendableLine<T> = LineKey & { readonly item: T }

/** A write from an earlier run, with an unknown outcome. */
export type Doubt = Extract<Known, { state: 'in-doubt' }>

export interface LineWriter<T> {
  /**
   * Performs the write and calls `onSend` right before each attempt. `doubt` is set if an earlier run may already have
   * performed the write. Throws Failure or Interrupted.
   */
  write(line: SendableLine<T>, doubt: Doubt | null, onSend: (operation: string | null) => Promise<void>): Promise<Ended>
  /** Called after the journal has recorded that the service accepted the write. Never throws. */
  settled?(line: SendableLine<T>): void
}

export interface BulkRun<T> {
  readonly lines: AsyncIterable<readonly BulkLine<T>[]>
  readonly writer: LineWriter<T>
  readonly concurrency: number
  /** The run's journal. If `null`, nothing is recorded, and a stopped run cannot be continued. */
  readonly journal: Journal | null
  readonly now: () => JournalMoment
  /** Once aborted, no more lines are sent. The run aborts it if the caller stops reading results. */
  readonly stop: AbortController
  readonly tally: Tally
  /** Whether to resend a line that has an unknown outcome and was changed after it was sent. */
  readonly force: boolean
}

/**
 * The number of unknown outcomes in a row after which the run stops, because the service is evidently not responding.
 */
const MAX_IN_DOUBT = 10

/**
 * Sends the writes of all lines in input order and yields results as they arrive. Sends the first line alone, so that a
 * wrong key causes only one rejected request. Waits for pending requests, even if the caller stops reading results. If
 * an error would affect every line (such as a rejected key, an exhausted limit or a full disk), sends nothing more and
 * throws the error after the pending requests have finished. Also throws any error from `lines`.
 */
export async function* runLines<T>(run: BulkRun<T>): AsyncGenerator<readonly BulkResult[]> {
  const { tally, concurrency } = run
  const stop = run.stop.signal
  const underWay = new Set<Promise<void>>()
  const end = new RunEnd()
  let isFirst = true
  const ended: BulkResult[] = []
  const start = (line: SendableLine<T>) => {
    const work = writeLine(line, run, end).then((result) => {
      underWay.delete(work)
      if (result === null) return
      tally.add(result, false)
      ended.push(result)
    })
    underWay.add(work)
  }
  /**
   * Waits until a write has finished, and for one more turn of the event loop. Returning several results at once lets
   * the next lines share a commit of the journal.
   */
  const take = async () => {
    await Promise.race(underWay)
    await new Promise((resolve) => setImmediate(resolve))
    return ended.splice(0)
  }
  try {
    for await (const batch of run.lines) {
      const known: BulkResult[] = []
      for (const line of batch) {
        if (stop.aborted || end.isReached) break
        const old = resultWithoutSending(line, run)
        if (old) {
          tally.add(old.result, old.isOld)
          known.push(old.result)
          continue
        }
        if (known.length > 0) yield known.splice(0)
        while (underWay.size >= (isFirst ? 1 : concurrency)) {
          yield await take()
          isFirst = false
        }
        if (stop.aborted || end.isReached) break
        start(line as SendableLine<T>)
      }
      if (known.length + ended.length > 0) yield [...known, ...ended.splice(0)]
      if (stop.aborted || end.isReached) break
    }
    while (underWay.size > 0) yield await take()
    if (ended.length > 0) yield ended.splice(0)
  } finally {
    if (underWay.size > 0) run.stop.abort(new Interrupted('the end of its output'))
    await Promise.all(underWay)
  }
  if (end.isReached) throw end.cause
}

class RunEnd {
  #causes: unknown[] = []
  #inDoubt = 0
  known = 0

  get isReached(): boolean {
    return this.#causes.length > 0
  }

  get cause(): unknown {
    return this.#causes[0]
  }

  because(cause: unknown): void {
    this.#causes.push(cause)
  }

  count(isInDoubt: boolean): void {
    this.#inDoubt = isInDoubt ? this.#inDoubt + 1 : 0
    if (!isInDoubt) this.known++
    if (this.#inDoubt < MAX_IN_DOUBT) return
    const words = `stopped: the outcome of the last ${this.#inDoubt} lines is unknown`
    const hint =
      'check that the service is up, then run the command again within ten minutes: it determines these outcomes and continues'
    this.because(new Failure('OUTCOME_UNKNOWN', words, { hint, outcome: 'unknown' }))
  }
}

/**
 * Returns the result of a line that must not be sent, or `null` if the line must be sent. `isOld` means that the result
 * comes from an earlier run.
 */
function resultWithoutSending<T>(given: BulkLine<T>, { journal, force }: BulkRun<T>) {
  const { line, id } = given
  const result = (outcome: BulkOutcome, message: string | null, isOld: boolean, status: number | null = null) => {
    return { result: { line, id, outcome, status, message }, isOld }
  }
  const known = id === null || given.digest === undefined ? null : (journal?.known(id) ?? null)
  const isDealtWith = known !== null && known.state !== 'rejected' && known.digest === given.digest
  if ('invalid' in given && !isDealtWith) return result('invalid', given.invalid, false)
  if (known === null || known.state === 'rejected') return null
  const isSame = known.digest === given.digest
  if (known.state === 'in-doubt') {
    const notKnown = `(as line ${known.line}); its outcome is unknown, so it was not sent again`
    if ('invalid' in given) return result('unknown', `the line was sent earlier ${notKnown}: ${given.invalid}`, true)
    if (isSame || force) return null
    const next = 'restore it, or use --force'
    return result('unknown', `the line was changed after it was sent ${notKnown}: ${next}`, true)
  }
  const { state, status } = known
  if (isSame) return result(state, state === 'accepted' ? 'in an earlier run' : known.message, true, status)
  const has = state === 'accepted' ? 'was accepted with different content' : 'already exists in the service'
  const message = `${id} ${has} (as line ${known.line}), so this line was not sent; a new record needs a new ID`
  return result('invalid', message, false)
}

/**
 * Performs one write. Never throws: if an error must end the whole run, passes it to `end`. Returns `null` if the write
 * was not performed and the line has no result.
 */
async function writeLine<T>(line: SendableLine<T>, run: BulkRun<T>, end: RunEnd): Promise<BulkResult | null> {
  const { journal, writer, now } = run
  const known = journal?.known(line.id)
  const doubt = known?.state === 'in-doubt' ? known : null
  let hasBegun = false
  const onSend = async (operation: string | null) => {
    const { signal } = run.stop
    if (signal.aborted) throw signal.reason
    if (end.isReached) throw new Interrupted('the end of the run')
    if (!hasBegun) await journal?.begin(line, now(), operation)
    hasBegun = true
  }
  const { ended, cause } = await retryRateLimited(end, () =>
    writer.write(line, doubt, onSend).then((done) => ({ ended: done, cause: null }), judge),
  )
  if (cause !== null) end.because(cause)
  try {
    // If `ended` is `null`, the write certainly did not happen.
    if (hasBegun && ended === null && doubt === null) await journal?.end(line, 'rejected', null, 'not done')
    if (ended !== null && (hasBegun || ended.outcome !== 'unknown'))
      await journal?.end(line, ended.outcome, ended.status, ended.message)
    if (ended?.outcome === 'accepted') writer.settled?.(line)
  } catch (error) {
    end.because(error)
  }
  if (ended === null) return null
  if (hasBegun) end.count(ended.outcome === 'unknown')
  return { line: line.line, id: line.id, ...ended }
}

/**
 * Retries a rate-limited write as long as other writes succeed. Several attempts may be needed, because other writes
 * may use up the next rate-limit windows.
 */
async function retryRateLimited(end: RunEnd, work: () => Promise<Judgement>): Promise<Judgement> {
  for (;;) {
    const { known } = end
    const judgement = await work()
    const isRefused = judgement.cause instanceof Failure && judgement.cause.code === 'RATE_LIMITED'
    if (!isRefused || end.isReached || end.known === known) return judgement
  }
}
