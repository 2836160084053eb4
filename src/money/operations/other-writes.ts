import { balanceBefore } from '../card-reading.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Movement } from './operation.ts'
import type { Row } from './row.ts'

/** How long a reading counts as stale if it is higher than our writes can have left, in milliseconds. */
export const STALE_MS = 5 * 60_000

/**
 * Returns the other writes that may have changed the balance since the first reading of the write `id`, which was made
 * after the write was claimed and before it was sent. `rows` are all writes on the card. `ended` are the IDs of the
 * writes that had ended when the current reading was requested.
 */
export function findMovements(rows: readonly Row[], id: string, ended: ReadonlySet<string>): Movement[] {
  const own = rows.find((row) => row.id === id)
  if (!own) return []
  return rows.flatMap((row) => {
    const { cents } = row
    if (row.id === id || cents === null || row.sentStep === null || row.state === 'not-applied') return []
    if (row.state === 'open') return [{ cents, isCertain: false }]
    if ((row.endedStep ?? 0) < own.claimedStep) return []
    const wasAfterOwn = own.sentStep !== null && row.sentStep > own.sentStep
    return [{ cents, isCertain: wasAfterOwn && ended.has(row.id) }]
  })
}

/**
 * Returns the highest balance, in cents, that our recent writes except `id` can have left on a card, or `null` if
 * unknown. A higher balance comes from a lagging replica or a top-up, and proves nothing about a write. `rows` are all
 * writes on the card.
 */
export function findHighestBalance(rows: readonly Row[], id: string, now: Moment): bigint | null {
  const recent = rows.filter(
    ({ state, ended, cents, ...row }) =>
      row.id !== id &&
      cents !== null &&
      (state === 'done' || state === 'applied') &&
      ended !== null &&
      leastElapsedMs(ended, now) <= STALE_MS,
  )
  let most: bigint | null = null
  for (const row of recent) {
    const read = balanceBefore(row.before)
    if (read === null) continue
    // A reading precedes its write, so it certainly does not reflect writes that were sent later.
    const later = recent.filter((other) => other === row || (other.sentStep ?? 0) > (row.sentStep ?? 0))
    const left = later.reduce((sum, { cents }) => sum - (cents ?? 0n), read)
    if (most === null || left < most) most = left
  }
  return most
}
