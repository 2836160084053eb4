import { counted } from '../../../../base/counted.ts'
import { dayOf, instantOf, isAmong } from '../closing.ts'
import type { Report } from '../compare.ts'
import type { Days, MapKey, PosFile } from '../ledger.ts'

/** Keys without which something is not compared. */
const UNSAID: readonly (readonly [MapKey, string])[] = [
  ['closed', 'when a sale was closed: the days are not compared'],
  ['bookingId', 'which booking a sale belongs to: the links are not compared'],
  ['originalSaleId', 'which sale a refund gives back: refunds are not checked for it'],
]

/** Remarks about a comparison, besides the differences. */
export function notesOf({ sales, says }: PosFile, { counts, undecided }: Report): readonly string[] {
  const { withoutTotal, unlinkedAnyway, undated, otherDays } = counts
  const unsaid = UNSAID.flatMap(([key, what]) => (says.has(key) ? [] : [`the file does not say ${what}`]))
  const currencies = [...new Set(sales.flatMap(({ currency }) => currency ?? []))].sort()
  const many = (count: number, rest: string) => (count === 0 ? [] : [`${counted(count, 'sale')} ${rest}`])
  return [
    'judged from the file alone: currency, type and parent of a sale; the service lists none of them',
    ...unsaid,
    ...(currencies.length > 1
      ? [`the file has sales in ${currencies.join(', ')}: the sums put them together, as the service names no currency`]
      : []),
    ...many(withoutTotal, 'without a total in the file: not in the sums of either side'),
    ...many(unlinkedAnyway, 'linked to no booking, and the file names none: no difference'),
    ...many(undated, 'only at the service without a closing time: left out, as nobody knows the day'),
    ...many(otherDays, 'of the file closed on other days: left out'),
    ...undecided.map((saleId) => `${saleId} is missing, and stands in lines that differ: --fix leaves it out`),
  ]
}

/** The last closing in the file on these days, epoch milliseconds; null if there is none. */
export function lastClosing({ sales }: PosFile, days: Days): number | null {
  const { timezone } = days
  const times = sales.flatMap(({ closed }) =>
    closed === null || !isAmong(dayOf(closed, timezone), days) ? [] : [instantOf(closed, timezone) ?? 0],
  )
  return times.length === 0 ? null : times.reduce((last, one) => Math.max(last, one))
}
