import { balanceBefore } from '../card-reading.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Movement } from './operation.ts'
import type { Row } from './row.ts'

/** How long a reading above what our writes left counts as stale. Milliseconds. */
export const STALE_MS = 5 * 60_000

/**
 * The other writes on a card that may have moved its balance since the reading before a write. That reading was made some
 * time between the claim of the write and its sending.
 * @param rows all rows of the card.
 * @param id the write.
 * @param ended the IDs of those that were over when the reading now was asked for.
 */
export function movementsAmong(rows: readonly Row[], id: string, ended: ReadonlySet<string>): Movement[] {
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
 * The most that our own recent writes can have left on a card, in cents; null when they do not tell. A higher balance comes
 * from a replica that lags behind, or somebody topped the card up: either way it says nothing about a write.
 * @param rows all rows of the card.
 * @param id a write that does not count.
 */
export function ceilingAmong(rows: readonly Row[], id: string, now: Moment): bigint | null {
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
    // Each reading was made before its write left. Of the others, only those that left later are certainly not in it.
    const later = recent.filter((other) => other === row || (other.sentStep ?? 0) > (row.sentStep ?? 0))
    const left = later.reduce((sum, { cents }) => sum - (cents ?? 0n), read)
    if (most === null || left < most) most = left
  }
  return most
}
