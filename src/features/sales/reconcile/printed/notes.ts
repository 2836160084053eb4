import { formatCount } from '../../../../base/counted.ts'
import { getClosingDay, getClosingInstant, isInDays } from '../closing.ts'
import type { Report } from '../compare.ts'
import type { Days, MapKey, PosFile } from '../ledger.ts'

/** Keys that a comparison needs, each with the note to print if the file lacks the key. */
const MISSING_KEY_NOTES: readonly (readonly [MapKey, string])[] = [
  ['closed', 'when a sale was closed, so the days are not compared'],
  ['bookingId', 'which booking a sale belongs to, so the links are not compared'],
  ['originalSaleId', 'which sale a refund is for, so refunds are not checked against their sales'],
]

/** Returns notes about a comparison, which are printed after its differences. */
export function buildNotes({ sales, keys }: PosFile, { counts, undecided }: Report): readonly string[] {
  const { withoutTotal, unlinkedOnBothSides, undated, otherDays } = counts
  const unsaid = MISSING_KEY_NOTES.flatMap(([key, what]) => (keys.has(key) ? [] : [`the file does not say ${what}`]))
  const currencies = [...new Set(sales.flatMap(({ currency }) => currency ?? []))].sort()
  const many = (count: number, rest: string) => (count === 0 ? [] : [`${formatCount(count, 'sale')} ${rest}`])
  return [
    'currency, type and original sale are taken from the file alone, as the service does not list them',
    ...unsaid,
    ...(currencies.length > 1
      ? [
          `the file has sales in ${currencies.join(', ')}: the totals add them together, as the service lists no currency`,
        ]
      : []),
    ...many(withoutTotal, 'excluded from both totals: no total in the file'),
    ...many(unlinkedOnBothSides, 'not counted as a difference: no booking in the service or in the file'),
    ...many(undated, 'skipped: listed only by the service, with no closing time'),
    ...many(otherDays, 'skipped: in the file, but closed on days that are not compared'),
    ...undecided.map(
      (saleId) => `${saleId} is missing, but its lines in the file contradict each other, so --fix omits it`,
    ),
  ]
}

/**
 * Returns the last closing time in the file within the compared days, in epoch milliseconds, or `null` if there is
 * none.
 */
export function findLastClosing({ sales }: PosFile, days: Days): number | null {
  const { timezone } = days
  const times = sales.flatMap(({ closed }) =>
    closed === null || !isInDays(getClosingDay(closed, timezone), days)
      ? []
      : [getClosingInstant(closed, timezone) ?? 0],
  )
  return times.length === 0 ? null : times.reduce((last, one) => Math.max(last, one))
}
