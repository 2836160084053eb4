import { Failure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import type { BulkOutcome, BulkResult, Tally } from '../../../client/bulk/result.ts'
import { type BulkRun, runLines } from '../../../client/bulk/run-lines.ts'
import type { CommonFlags } from '../../input/command-line.ts'
import type { ListView } from '../../render/view.ts'
import type { Host } from '../../runtime/host.ts'
import type { RunParts } from '../../runtime/run.ts'
import type { Printing } from '../many/venue.ts'

const MIN_REDRAW_MS = 100

const SHAPE = {
  format: '{bar} {percentage}% | {value} of {total}{remark}{left}',
  barCompleteString: '='.repeat(24),
  barIncompleteString: '-'.repeat(24),
  barGlue: '',
  barsize: 24,
  align: 'left',
  autopaddingChar: '',
} as const

interface BulkShown {
  readonly printer: Printing
  readonly view: ListView
  readonly total: number
  readonly recordOf: (result: BulkResult) => JsonObject
  /** The words for each outcome in the summary, in display order. `null` means no summary. */
  readonly words: Readonly<Record<BulkOutcome | 'skipped', string>> | null
  readonly failedWords: string
  readonly many: string
  readonly hint: string
}

/**
 * Runs a bulk operation and prints its results and a summary. Throws PARTIAL_FAILURE if some items failed, and
 * INTERRUPTED or OUTCOME_UNKNOWN if the operation was stopped. Also throws the operation's own errors.
 */
export async function showBulk<T>(
  { host, say }: Pick<RunParts, 'host' | 'say'>,
  flags: CommonFlags,
  run: BulkRun<T>,
  shown: BulkShown,
): Promise<void> {
  const { tally, stop } = run
  const { printer, view, total, recordOf, many, failedWords, hint } = shown
  const hasBar = !flags.quiet && !flags['no-input'] && total > 0
  const bar = hasBar ? await openProgressBar(host, total) : null
  bar?.update(0, '')
  const ended: unknown[] = []
  const records = async function* () {
    try {
      for await (const results of runLines(run)) {
        // After a second signal to stop, the remaining results are recorded only in the journal.
        host.signal.throwIfAborted()
        if (results.length > 0) yield results.map((result) => WireRecord.of(recordOf(result)))
        // Printing the results erases the bar, so redraw it afterwards.
        bar?.update(tally.done, tally.failed === 0 ? '' : `, ${tally.failed} failed`)
      }
      stop.signal.throwIfAborted()
    } catch (error) {
      ended.push(error)
      throw error
    }
  }
  try {
    await printer.list(records(), view)
  } catch (error) {
    if (ended.length === 0) throw error
    const [cause] = ended
    if (!(cause instanceof Interrupted)) throw cause
    const isInDoubt = tally.of('unknown') > 0
    const left = isInDoubt ? `; the outcome of ${tally.of('unknown')} is unknown` : ''
    const words = `${cause.message}: ${tally.done - tally.of('unknown')} of ${total} ${many} were processed${left}`
    throw new Failure(isInDoubt ? 'OUTCOME_UNKNOWN' : 'INTERRUPTED', words, {
      hint: run.journal ? 'run the command again to check unknown outcomes and to resume where it stopped' : hint,
      ...about(tally, total),
    })
  } finally {
    bar?.end()
    if (shown.words) await say(summaryOf(tally, shown.words))
  }
  if (tally.failed === 0) return
  const words = `${tally.failed} of ${total} ${many} ${failedWords}`
  throw new Failure('PARTIAL_FAILURE', words, { hint, ...about(tally, total) })
}

const KINDS = ['accepted', 'skipped', 'already-there', 'rejected', 'invalid', 'unknown'] as const

function about(tally: Tally, total: number) {
  const counts = KINDS.map((kind) => [kind, tally.of(kind)] as const).filter(([, count]) => count > 0)
  return {
    outcome: tally.of('unknown') > 0 ? 'unknown' : 'none',
    details: { failed: tally.failed, of: total, ...Object.fromEntries(counts) },
  } as const
}

function summaryOf(tally: Tally, words: Readonly<Record<(typeof KINDS)[number], string>>): string {
  const parts = KINDS.filter((kind) => kind === 'accepted' || tally.of(kind) > 0)
  return parts.map((kind) => `${tally.of(kind)} ${words[kind]}`).join(', ')
}

/** Opens a progress bar. Returns `null` unless stderr is a terminal that can erase text. */
async function openProgressBar(host: Host, total: number) {
  if (host.stderrScreen.columns === null || host.env['TERM'] === 'dumb') return null
  const { Format } = await import('cli-progress')
  const startTime = host.now()
  // Printing results on the same terminal erases the bar, so redraw it after each batch.
  const everyMs = host.stdoutScreen.columns === null ? MIN_REDRAW_MS : 0
  let drawnAt = Number.NEGATIVE_INFINITY
  let over: (() => void) | null = null
  return {
    update: (done: number, remark: string) => {
      const now = host.now()
      if (now - drawnAt < everyMs) return
      drawnAt = now
      const eta = done === 0 ? 0 : ((now - startTime) / 1000 / done) * (total - done)
      const left = done === 0 ? '' : `, ${timeText(eta)} left`
      const params = { progress: done / total, eta, startTime, total, value: done, maxWidth: 0 }
      const next = host.waiting.begin(Format.Formatter(SHAPE, params, { remark, left }), 'news')
      over?.()
      over = next
    },
    end: () => over?.(),
  }
}

function timeText(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 100 ? `${whole} s` : `${Math.ceil(whole / 60)} min`
}
