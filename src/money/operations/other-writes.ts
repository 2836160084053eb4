import { balanceBefore } from '../card-reading.ts'
import { leastElapsedMs, type Moment } from './moment.ts'
import type { Movement } from './operation.ts'
import type { Row } from './row.ts'

/** A reading above what one's own writes left on a card is stale for so long after them. Milliseconds. */
export const STALE_MS = 5 * 60_000

/**
 * What the other writes on a card may have done to its balance since the reading before this one, which came somewhere between
 * its claim and its sending.
 */
export function movementsAmong(rows: readonly Row[], id: string): Movement[] {
  const own = rows.find((row) => row.id === id)
  if (!own) return []
  return rows.flatMap((row) => {
    const { cents } = row
    if (row.id === id || cents === null || row.sentStep === null || row.state === 'not-applied') return []
    if (row.state === 'open') return [{ cents, isCertain: false }]
    if ((row.endedStep ?? 0) < own.claimedStep) return []
    return [{ cents, isCertain: own.sentStep !== null && row.sentStep > own.sentStep }]
  })
}

/**
 * The most that can be left on a card after one's own recent writes on it, in cents; null when they do not tell. A reading above it
 * comes from a replica that lags behind, or somebody topped the card up: in both cases it says nothing about a write.
 * @param id a write that is not counted.
 */
export function ceilingAmong(rows: readonly Row[], id: string, now: Moment): bigint | null {
  const recent = rows
    .filter(
      ({ state, ended }) =>
        (state === 'done' || state === 'applied') && ended && leastElapsedMs(ended, now) <= STALE_MS,
    )
    .filter((row) => row.id !== id)
    .sort((a, b) => (a.endedStep ?? 0) - (b.endedStep ?? 0))
  let most: bigint | null = null
  for (const { before, cents } of recent) {
    if (cents === null) continue
    const read = balanceBefore(before)
    const start: bigint | null = most === null || (read !== null && read < most) ? read : most
    most = start === null ? null : start - cents
  }
  return most
}
