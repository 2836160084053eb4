import { balanceBefore } from '../card-reading.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Movement } from './operation.ts'
import type { Row } from './row.ts'

/** How long after one of our writes, in milliseconds, a balance that is too high counts as stale. */
export const STALE_MS = 5 * 60_000

/**
 * Returns the other writes that might have changed a card's balance since the write `id` was claimed. `rows` contains
 * all writes on the card. `ended` contains the IDs of the writes that had ended when the balance was last requested.
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
 * Returns the highest balance, in cents, that a card can have after our recent writes other than `id`, or `null` if it
 * is unknown. A higher balance comes from a lagging replica or a top-up, so it proves nothing about a write. `rows`
 * contains all writes on the card.
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
    // The balance was read before the write was sent, so it cannot include writes that were sent later.
    const later = recent.filter((other) => other === row || (other.sentStep ?? 0) > (row.sentStep ?? 0))
    const left = later.reduce((sum, { cents }) => sum - (cents ?? 0n), read)
    if (most === null || left < most) most = left
  }
  return most
}
