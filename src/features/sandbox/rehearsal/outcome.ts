import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { monotonicMs } from '../../../base/stopwatch.ts'
import type { Rehearsal } from '../../../studio/rehearsal/rehearsal.ts'
import type { CopyReport } from '../../../sync/comparing/compare-copy.ts'
import type { Show } from '../../../terminal/output/show.ts'
import type { Host } from '../../../terminal/runtime/host.ts'
import type { RehearsalSettings } from './flags.ts'
import { differenceList, rehearsalViews } from './views.ts'

/** The final comparison of the copy with the venue, or the reason why the copy cannot be read. */
type CopyComparison = { readonly report: CopyReport } | { readonly failure: Failure }

/**
 * The comparison, if any, and the exit code of the integration's command. The exit code is `null` without a command, or
 * if a signal killed the command.
 */
type Ended = { readonly found: CopyComparison | null; readonly exitCode: number | null }

/** The results of a rehearsal. `result` is the record that is printed. */
export type RehearsalOutcome = Ended & { readonly result: JsonObject }

const LOOK_EVERY_MS = 500

/**
 * Compares a copy with the venue repeatedly, until they agree or the time limit is reached. `where` names the copy.
 * Throws the signal's reason if the signal is aborted.
 */
export async function waitUntilCopyAgrees(
  rehearsal: Rehearsal,
  { env, signal }: Host,
  where: string,
  source: string | null,
  settleMs: number,
): Promise<CopyComparison> {
  const [{ readCopy }, { compareCopy }] = await Promise.all([
    import('../../../sync/comparing/read-copy.ts'),
    import('../../../sync/comparing/compare-copy.ts'),
  ])
  const compare = async (): Promise<CopyComparison> => {
    try {
      const copy = await readCopy({ where, source, env, signal })
      return { report: compareCopy(copy, await rehearsal.truth()) }
    } catch (error) {
      // The integration might not have created the copy yet.
      if (error instanceof Failure) return { failure: error }
      throw error
    }
  }
  const end = monotonicMs() + settleMs
  for (;;) {
    const found = await compare()
    const left = end - monotonicMs()
    if (('report' in found && found.report.agrees) || left <= 0) return found
    await rehearsal.wait(Math.min(LOOK_EVERY_MS, left))
  }
}

/** Collects a rehearsal's results. Must be called while the rehearsal is still open. */
export function collectOutcome(
  rehearsal: Rehearsal,
  { day, seed }: RehearsalSettings,
  { found, exitCode, hasCommand }: Ended & { readonly hasCommand: boolean },
): RehearsalOutcome {
  const result = {
    journalHash: rehearsal.journalHash,
    day: day.date,
    seed,
    requests: rehearsal.ownRequests,
    happened: { ...rehearsal.tally, currency: rehearsal.currency },
    integration: rehearsal.attendance(),
    ...(hasCommand ? { command: { exitCode } } : {}),
    ...(found === null ? {} : { report: 'report' in found ? found.report : null }),
  }
  return { result: result as unknown as JsonObject, found, exitCode }
}

/**
 * Prints the results. Throws PARTIAL_FAILURE if the copy differs or the command failed. If the copy cannot be read,
 * throws the original error.
 */
export async function showOutcome({ result, found, exitCode }: RehearsalOutcome, show: Show): Promise<void> {
  await show.one(result, rehearsalViews)
  if (found !== null && 'failure' in found) throw found.failure
  if (found !== null && !found.report.agrees) await showDifferences(found.report, show)
  if (exitCode !== null && exitCode !== 0)
    throw new Failure('PARTIAL_FAILURE', `the command exited with code ${exitCode} before the day was over`, {
      hint: 'the command must keep running: it is stopped when the day ends',
    })
}

/** The maximum number of differences shown in a table. Other formats include all differences. */
const MAX_SHOWN = 50
const KINDS = ['missing', 'stale', 'extra'] as const

async function showDifferences(report: CopyReport, show: Show): Promise<never> {
  const differences = KINDS.flatMap((difference) =>
    report[difference].map((one) => ({ difference, fields: [], ...one })),
  )
  if (show.isPlain) await show.all(differences.slice(0, MAX_SHOWN), differenceList)
  const isCut = show.isPlain && differences.length > MAX_SHOWN
  const counts = KINDS.map((kind) => `${report[kind].length} ${kind}`).join(', ')
  throw new Failure('PARTIAL_FAILURE', `the copy differs from the venue: ${counts}`, {
    hint: 'after you have fixed the integration, run the same day again with the same --seed and --day',
    lines: isCut ? [`only the first ${MAX_SHOWN} differences are shown; --json prints all`] : [],
  })
}
