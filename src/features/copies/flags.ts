import { usageFailure } from '../../base/failure/failure.ts'
import { type DurationLimits, formatDuration, parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import type { Resource } from '../../sync/resources.ts'
import { type FlagValues, flag, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { TARGET_FLAGS } from '../shared/copies.ts'

export const SYNC_FLAGS = {
  ...TARGET_FLAGS,
  every: flag('DUR', 'Run again after DUR, such as 60s, until interrupted.'),
  reset: toggle('Forget how far the copy goes, and read everything again; a file starts anew.'),
  lease: flag('DUR', 'How long a database is held without a sign of life (default: 30s).'),
  standby: toggle('Wait while another run holds the target, and take over then.'),
} as const

/** Flags for the part of the changes to read. */
export function windowFlags({ overlapMs }: Resource) {
  return {
    since: flag('TIME', 'Where the first sync begins (default: with the oldest change).'),
    overlap: flag('DUR', `How far to read again, against late writes (default: ${formatDuration(overlapMs)}).`),
  } as const
}

/** Flags of the window are absent if everything is read each time. */
export type SyncFlags = FlagValues<typeof SYNC_FLAGS> & Partial<FlagValues<ReturnType<typeof windowFlags>>>

/** Milliseconds. */
export const USUAL_LEASE_MS = 30_000
const LEASE = { minMs: 2000, maxMs: 3_600_000 } as const
const EVERY = { minMs: 1000, maxMs: 31 * DAY_MS } as const
const OVERLAP = { minMs: 0, maxMs: 366 * DAY_MS } as const

/** Collects problems. `sinceMs` reads its time in a zone. Durations in milliseconds, absent if not given. */
export function readSyncFlags(flags: Partial<SyncFlags>, now: number) {
  const problems = new Problems()
  const duration = (flag: string, text: string | undefined, limits: DurationLimits) =>
    text === undefined ? undefined : problems.check(() => parseDuration(text, flag, limits))
  const everyMs = duration('--every', flags.every, EVERY)
  const overlapMs = duration('--overlap', flags.overlap, OVERLAP)
  const leaseMs = duration('--lease', flags.lease, LEASE) ?? USUAL_LEASE_MS
  const sinceMs = (timezone: string | null): number | null => {
    if (flags.since === undefined) return null
    const ms = parseInstant(flags.since, { now, timezone, edge: 'lower', flag: '--since' })
    if (ms > now) throw usageFailure([`--since ${flags.since} is in the future`], 'name a time that has been')
    return ms
  }
  if (flags.source?.trim() === '') problems.add('--source must not be empty')
  // Once without a zone, so that mistakes are reported before a profile is needed.
  problems.check(() => sinceMs(null))
  return { problems, everyMs, overlapMs, leaseMs, sinceMs }
}
