import { Failure } from '../../../base/failure/failure.ts'
import type { Variables } from '../../../base/storage/directories.ts'
import { changeShapeFile, type Recorded, readShapeFile, type ShapeOwner } from '../../../client/shapes/shape-file.ts'
import { type Dialect, NO_DIALECT } from '../../../contract/answers/dialect.ts'
import { addShapes, type Shapes } from '../../../contract/answers/shape.ts'
import { getExpectedAnswers } from '../../../contract/shapes/expected.ts'
import type { DriftEntry } from '../output.ts'
import { compareShapes, type Finding } from './compare.ts'

/** A request that failed. */
export interface FailedRequest {
  /** The endpoint, such as `GET /Sales`. */
  readonly endpoint: string
  readonly message: string
}

/** The comparison of a service with the contract. */
export interface DriftReport extends ShapeOwner {
  /** The time of the comparison, in ISO 8601 format. */
  readonly at: string
  /**
   * The entries, with contradictions first. Entries that contradict documented facts come before entries that
   * contradict assumptions.
   */
  readonly entries: readonly DriftEntry[]
  readonly counts: Readonly<Record<DriftEntry['verdict'], number>>
  /** The requests that failed. Their responses could not be compared. */
  readonly troubles: readonly FailedRequest[]
  /** When the recording of the included shapes began, or `null` if no recorded shapes are included. */
  readonly recordedSince: string | null
}

/** A report. `saveProblem` is the reason why the report could not be saved, or `null` if it was saved. */
export type SavedReport = { readonly report: DriftReport; readonly saveProblem: string | null }

/** The responses to compare. */
interface ComparisonInput extends ShapeOwner {
  readonly env: Variables
  /** The current time, in milliseconds since 1970. */
  readonly nowMs: number
  readonly shapes: Shapes
  readonly troubles: readonly FailedRequest[]
  /** The service's accepted differences, or `null` if there are none. */
  readonly dialect: Dialect | null
  /** What to do with the shapes that `--record` collected. */
  readonly recorded: 'included' | 'ignored' | 'deleted'
}

const ORDER: readonly DriftEntry['verdict'][] = ['contradicted', 'unknown-member', 'not-seen', 'confirmed']

/**
 * Compares shapes with the contract and saves the shapes for `drift accept`. Returns a file error in `saveProblem`
 * instead of throwing it.
 */
export async function judgeAnswers(looked: ComparisonInput): Promise<SavedReport> {
  const { env, nowMs, shapes, profile, service, troubles } = looked
  const dialect = looked.dialect ?? NO_DIALECT
  const at = new Date(nowMs).toISOString()
  const whose = { profile, service }
  const [recorded, unread] = looked.recorded === 'included' ? readRecorded(env, whose) : [null, null]
  const all: Shapes = {}
  addShapes(all, shapes)
  addShapes(all, recorded?.shapes ?? {})
  const answers = await getExpectedAnswers()
  const compare = (some: Shapes) => compareShapes(answers, some, dialect)
  const entries = toEntries(compare(all), compare(shapes), recorded && compare(recorded.shapes))
  const lastRun: Recorded = { since: recorded?.since ?? at, until: at, shapes: all }
  const forgotten = looked.recorded === 'deleted' ? { recorded: null } : {}
  const save = () => changeShapeFile(env, whose, (file) => ({ ...file, ...forgotten, lastRun }))
  const saveProblem = unread ?? (await saveProblemOf(save))
  const counts = countVerdicts(entries)
  return {
    report: { ...whose, at, entries, counts, troubles, recordedSince: recorded?.since ?? null },
    saveProblem,
  }
}

/** Returns the recorded shapes, or the reason why they cannot be read. */
function readRecorded(env: Variables, whose: ShapeOwner): readonly [Recorded | null, string | null] {
  try {
    return [readShapeFile(env, whose).recorded, null]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [null, `the recorded responses are not included: ${withHint(error)}`]
  }
}

/** Returns the reason why a write failed, or `null` if it succeeded. Does not throw, so that the report is not lost. */
async function saveProblemOf(write: () => Promise<void>): Promise<string | null> {
  try {
    await write()
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return `this run was not saved for drift accept: ${withHint(error)}`
  }
}

function withHint({ message, hint }: Failure): string {
  return hint === undefined ? message : `${message}; ${hint}`
}

function toEntries(all: readonly Finding[], run: readonly Finding[], recorded: readonly Finding[] | null) {
  const keyOf = ({ endpoint, member, verdict }: Finding) => `${verdict} ${endpoint} ${member}`
  const inRun = new Set(run.map(keyOf))
  const inRecorded = new Set(recorded?.map(keyOf))
  const sourceOf = (finding: Finding): DriftEntry['source'] => {
    if (finding.verdict === 'not-seen') return null
    const key = keyOf(finding)
    if (inRun.has(key)) return inRecorded.has(key) ? 'both' : 'run'
    return inRecorded.has(key) ? 'recorded' : 'both'
  }
  return all
    .map((finding): DriftEntry => {
      const { endpoint, member, basis, verdict, expected, seen, times, accepted } = finding
      return { endpoint, member, basis, verdict, expected, seen, times, source: sourceOf(finding), accepted }
    })
    .sort((a, b) => rankOf(a) - rankOf(b))
}

/** Returns an entry's sort key. Entries with the same key keep their order. */
function rankOf({ verdict, basis }: DriftEntry): number {
  return ORDER.indexOf(verdict) * 2 + (basis === 'documented' ? 0 : 1)
}

function countVerdicts(entries: readonly DriftEntry[]): DriftReport['counts'] {
  const counts = { confirmed: 0, contradicted: 0, 'unknown-member': 0, 'not-seen': 0 }
  for (const { verdict } of entries) counts[verdict]++
  return counts
}
