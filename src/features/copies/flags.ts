import { usageFailure } from '../../base/failure/failure.ts'
import { type DurationLimits, formatDuration, parseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { DAY_MS } from '../../base/time/units.ts'
import type { Resource } from '../../sync/resources.ts'
import { type FlagValues, flag, PING_FLAG, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { TARGET_FLAGS } from '../shared/copies.ts'

export const SYNC_FLAGS = {
  ...TARGET_FLAGS,
  every: flag('DUR', 'Run again after DUR, such as 60s, until interrupted.'),
  reset: toggle('Start over: read everything again. If the target is a file, empty it first.'),
  lease: flag('DUR', 'How long the lock on a database lasts unless it is renewed (default: 30s).'),
  standby: toggle('Wait while another run is using the target, then take over.'),
  ...PING_FLAG,
} as const

export const WAKE_FLAG = {
  wake: flag(
    'FILE',
    'With --every, also run when webhooks listen stores a booking event in this journal or inbox (postgres://…).',
  ),
} as const

/** Returns the flags that select which changes a sync reads. */
export function windowFlags({ overlapMs }: Resource) {
  return {
    since: flag('TIME', 'In the first sync, read only changes since TIME (default: all changes).'),
    overlap: flag('DUR', `Read the last DUR again, to catch late writes (default: ${formatDuration(overlapMs)}).`),
  } as const
}

/**
 * The flags of a sync command. A sync that always reads everything has no `--since` and no `--overlap`. Only a sync of
 * bookings has `--wake`.
 */
export type SyncFlags = FlagValues<typeof SYNC_FLAGS> &
  Partial<FlagValues<ReturnType<typeof windowFlags> & typeof WAKE_FLAG>>

/** The default value of `--lease`, in milliseconds. */
export const DEFAULT_LEASE_MS = 30_000
const LEASE = { minMs: 2000, maxMs: 3_600_000 } as const
const EVERY = { minMs: 1000, maxMs: 31 * DAY_MS } as const
const OVERLAP = { minMs: 0, maxMs: 366 * DAY_MS } as const

/**
 * Parses the flags and collects problems. The returned function `sinceMs` parses `--since` in a given time zone.
 * `everyMs` and `overlapMs` are `undefined` if their flags were omitted.
 */
export function readSyncFlags(flags: Partial<SyncFlags>, now: number) {
  const problems = new Problems()
  const duration = (flag: string, text: string | undefined, limits: DurationLimits) =>
    text === undefined ? undefined : problems.check(() => parseDuration(text, flag, limits))
  const everyMs = duration('--every', flags.every, EVERY)
  const overlapMs = duration('--overlap', flags.overlap, OVERLAP)
  const leaseMs = duration('--lease', flags.lease, LEASE) ?? DEFAULT_LEASE_MS
  const sinceMs = (timezone: string | null): number | null => {
    if (flags.since === undefined) return null
    const ms = parseInstant(flags.since, { now, timezone, edge: 'lower', flag: '--since' })
    if (ms > now) throw usageFailure([`--since ${flags.since} is in the future`], 'name a time in the past')
    return ms
  }
  if (flags.source?.trim() === '') problems.add('--source must not be empty')
  // Parse `--since` without a time zone first, so that mistakes are reported before a profile is needed.
  problems.check(() => sinceMs(null))
  return { problems, everyMs, overlapMs, leaseMs, sinceMs }
}
