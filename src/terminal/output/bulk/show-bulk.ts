import { Failure } from '../../../base/failure/failure.ts'
import { Interrupted } from '../../../base/failure/interrupted.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { WireRecord } from '../../../base/json/list/wire-record.ts'
import type { BulkOutcome, BulkResult, Tally } from '../../../client/bulk/result.ts'
import { type BulkRun, runLines } from '../../../client/bulk/run-lines.ts'
import type { CommonFlags } from '../../input/command-line.ts'
import type { ListView } from '../../render/view.ts'
import type { RunParts } from '../../runtime/run.ts'
import type { Printing } from '../many/venue.ts'
import { openProgressBar } from './progress-bar.ts'

/** How the results of a bulk are shown. */
export interface BulkShown {
  readonly printer: Printing
  readonly view: ListView
  /** How many lines there are. */
  readonly total: number
  readonly recordOf: (result: BulkResult) => JsonObject
  /** What the summary calls each outcome, in its order; null: there is no summary. */
  readonly words: Readonly<Record<BulkOutcome | 'skipped', string>> | null
  /** `could not be unsubscribed`, of lines that failed. */
  readonly failedWords: string
  /** What the lines are: `customers`. */
  readonly many: string
  /** What to do when some failed. */
  readonly hint: string
}

/**
 * Runs a bulk and prints its results as they come, then a summary on stderr.
 * Fails: PARTIAL_FAILURE when a line failed; INTERRUPTED; with what ended the run.
 */
export async function showBulk<T>(
  { host, say }: Pick<RunParts, 'host' | 'say'>,
  flags: CommonFlags,
  run: BulkRun<T>,
  shown: BulkShown,
): Promise<void> {
  const { tally, stop } = run
  const { printer, view, total, recordOf, many, failedWords, hint } = shown
  const bar = await openProgressBar(host, flags.quiet === true || flags['no-input'] === true, total)
  bar.update(0, '')
  const ended: unknown[] = []
  const records = async function* () {
    try {
      for await (const results of runLines(run)) {
        // Told twice to stop: what is not printed yet is in the journal.
        host.signal.throwIfAborted()
        if (results.length > 0) yield results.map((result) => WireRecord.of(recordOf(result)))
        // Afterwards, as whatever is printed erases it.
        bar.update(tally.done, tally.failed === 0 ? '' : `, ${tally.failed} failed`)
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
    const left = isInDoubt ? `, and ${tally.of('unknown')} may or may not be` : ''
    const words = `${cause.message}: ${tally.done - tally.of('unknown')} of ${total} ${many} were dealt with${left}`
    throw new Failure(isInDoubt ? 'OUTCOME_UNKNOWN' : 'INTERRUPTED', words, {
      hint: run.journal ? 'run it again: it finds out, and goes on where it stopped' : hint,
      ...about(tally, total),
    })
  } finally {
    bar.end()
    if (shown.words) await say(summaryOf(tally, shown.words))
  }
  if (tally.failed === 0) return
  throw new Failure('PARTIAL_FAILURE', `${tally.failed} of ${total} ${many} ${failedWords}`, {
    hint,
    ...about(tally, total),
  })
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
