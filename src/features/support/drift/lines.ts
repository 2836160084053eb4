import { formatCount } from '../../../base/counted.ts'
import { Failure } from '../../../base/failure/failure.ts'
import type { DriftEntry } from '../output.ts'
import type { DriftReport } from './report.ts'

/** The values of `--fail-on`, which selects the contradictions that are failures. `assumed` includes `documented`. */
export const FAIL_ON = ['documented', 'assumed'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** Returns a summary, such as `212 confirmed, 1 contradicted, 0 unknown members, 40 not seen yet`. */
export function summaryLine({ counts, entries }: DriftReport): string {
  const accepted = entries.filter((entry) => entry.accepted).length
  const confirmed = `${counts.confirmed} confirmed${accepted > 0 ? ` (${accepted} as accepted)` : ''}`
  const unknown = formatCount(counts['unknown-member'], 'unknown member')
  return `${confirmed}, ${counts.contradicted} contradicted, ${unknown}, ${counts['not-seen']} not seen yet`
}

/** Returns the remarks on a report, which are printed to stderr. */
export function remarks({ troubles, recordedSince }: DriftReport): string[] {
  return [
    ...troubles.map(({ endpoint, message }) => `${endpoint} could not be checked: ${message}`),
    ...(recordedSince === null
      ? []
      : [`includes the responses that --record has collected since ${recordedSince.slice(0, 10)}`]),
  ]
}

/** Returns the entries that differ from the contract. */
export function differences(entries: readonly DriftEntry[]): DriftEntry[] {
  return entries.filter(
    ({ verdict, accepted }) => verdict === 'contradicted' || verdict === 'unknown-member' || accepted,
  )
}

/** Returns the failure (exit code 11) for the contradictions that `--fail-on` counts, or `null` if there are none. */
export function driftFailure({ entries, counts }: DriftReport, failOn: FailOn | undefined): Failure | null {
  if (failOn === undefined) return null
  const isCounted = ({ verdict, basis }: DriftEntry) =>
    verdict === 'contradicted' && (failOn === 'assumed' || basis === 'documented')
  const found = entries.filter(isCounted).length
  if (found === 0) return null
  const members = formatCount(found, failOn === 'documented' ? 'documented member' : 'member')
  return new Failure('PARTIAL_FAILURE', `the service contradicts the contract in ${members}`, {
    hint: 'to accept these differences where possible: partner drift accept',
    details: counts,
  })
}
