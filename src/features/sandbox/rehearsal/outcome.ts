import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import type { Rehearsal } from '../../../studio/rehearsal/rehearsal.ts'
import type { CopyReport } from '../../../sync/comparing/compare-copy.ts'
import type { Show } from '../../../terminal/output/show.ts'
import type { Found } from './catching-up.ts'
import type { RehearsalWishes } from './flags.ts'
import { differenceList, rehearsalViews } from './views.ts'

/** How a rehearsal went. */
export interface RehearsalOutcome {
  /** What a program reads of it. */
  readonly result: JsonObject
  /** What became of the copy; null: nobody asked. */
  readonly found: Found | null
  /** How the command beside it ended by itself; null: it did not, or there was none. */
  readonly exitCode: number | null
}

/** Puts together what is told of a rehearsal. Call it before that is closed. */
export function outcomeOf(
  rehearsal: Rehearsal,
  { day, seed }: RehearsalWishes,
  ended: { readonly found: Found | null; readonly exitCode: number | null; readonly hasCommand: boolean },
): RehearsalOutcome {
  const { found, exitCode, hasCommand } = ended
  const parts = {
    journalHash: rehearsal.journalHash,
    day: day.date,
    seed,
    requests: rehearsal.ownRequests,
    happened: { ...rehearsal.tally, currency: rehearsal.currency },
    integration: rehearsal.attendance(),
    ...(hasCommand ? { command: { exitCode } } : {}),
    ...(found === null ? {} : { report: reportOf(found) }),
  }
  return { result: parts as unknown as JsonObject, found, exitCode }
}

function reportOf(found: Found): CopyReport | null {
  return 'report' in found ? found.report : null
}

/** Shows how a rehearsal went. Fails: PARTIAL_FAILURE when the copy differs or the command failed; as the copy that cannot be read. */
export async function showOutcome({ result, found, exitCode }: RehearsalOutcome, show: Show): Promise<void> {
  await show.one(result, rehearsalViews)
  if (found !== null && 'failure' in found) throw found.failure
  if (found !== null && !found.report.agrees) {
    const differences = differencesOf(found.report)
    if (show.isPlain) await show.all(differences.slice(0, MOST_SHOWN), differenceList)
    const isCut = show.isPlain && differences.length > MOST_SHOWN
    throw differsFailure(found.report, isCut ? [`the first ${MOST_SHOWN} are shown; --json prints all of them`] : [])
  }
  if (exitCode !== null && exitCode !== 0)
    throw new Failure('PARTIAL_FAILURE', `the command ended with exit code ${exitCode} before the day was over`, {
      hint: 'a command that runs beside the day is ended with it',
    })
}

/** What a person reads of differences; a program reads all. */
const MOST_SHOWN = 50

function differencesOf({ missing, extra, stale }: CopyReport): JsonObject[] {
  return [
    ...missing.map((one) => ({ difference: 'missing', ...one, fields: [] })),
    ...stale.map((one) => ({ difference: 'stale', ...one })),
    ...extra.map((one) => ({ difference: 'extra', ...one, fields: [] })),
  ]
}

function differsFailure({ missing, stale, extra }: CopyReport, lines: readonly string[]): Failure {
  const counts = `${missing.length} missing, ${stale.length} stale, ${extra.length} extra`
  return new Failure('PARTIAL_FAILURE', `the copy differs from the venue: ${counts}`, {
    hint: 'run it again with the same --seed and --day once it is mended: the same happens',
    lines,
  })
}
