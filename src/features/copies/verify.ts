import { inBatches } from '../../base/json/list/in-batches.ts'
import type { RangeRule } from '../../base/time/window.ts'
import { openTarget, targetKind } from '../../sync/open-target.ts'
import { ServiceClock } from '../../sync/reading/service-clock.ts'
import { RESOURCES } from '../../sync/resources.ts'
import { parseMemo } from '../../sync/running/memo.ts'
import { notStoredFailure } from '../../sync/running/not-stored.ts'
import { differsFailure, firstRequest, verdictLine, verify } from '../../sync/verifying/verify.ts'
import { type FlagValues, flag, PING_FLAG, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { optionalRange, warnAboutClockChanges } from '../../terminal/input/values/time-range.ts'
import { limitHeapGrowth } from '../../terminal/output/heap.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { DISCARDING_STREAM, ONE_SOURCE, sourceName, TARGET_FLAGS } from '../shared/copies.ts'
import { DEFAULT_LEASE_MS } from './flags.ts'
import { differenceList } from './views.ts'

const BOOKED: RangeRule = { fromFlag: '--from', toFlag: '--to-date', openEnd: 'day' }

const NEEDS_RECORDS = 'use a copy in a .ndjson file, a .db file or PostgreSQL'

export const VERIFY_FLAGS = {
  ...TARGET_FLAGS,
  from: flag('TIME', 'Compare only bookings at TIME or later (without --to-date, only until the end of that day).'),
  'to-date': flag('TIME', 'Compare only bookings at TIME or earlier.'),
  repair: toggle('Repair the copy so that it matches the service.'),
  ...PING_FLAG,
} as const

/**
 * Shows the bookings that differ between a copy and the service. Throws PARTIAL_FAILURE if differences are
 * left unrepaired. Also throws USAGE and any error from `verify`.
 */
export async function showDifferences(opened: Opened<FlagValues<typeof VERIFY_FLAGS>, object>): Promise<void> {
  const { flags, connection, service, show, host, say, warn } = opened
  const now = host.now()
  const problems = new Problems()
  const read = optionalRange({ from: flags.from, to: flags['to-date'] }, BOOKED, now)
  problems.check(() => read(null))
  if (flags.to === '-') problems.add('--to - stores no records to compare', NEEDS_RECORDS)
  if (flags.to.endsWith('.csv'))
    problems.add(`${flags.to} cannot be compared: it contains only some columns of each booking`, NEEDS_RECORDS)
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'omit it')
  problems.throwIfAny()
  const kind = await targetKind(flags.to, flags.repair === true)
  const session = await connection.session('list')
  const timezone = await connection.timezone('list')
  await warnAboutClockChanges({ '--from': flags.from, '--to-date': flags['to-date'] }, { now, timezone }, warn)
  const resource = RESOURCES.bookings
  const source = sourceName(flags.source, kind, { profile: session.caller.profile, service: session.service })
  const place = { resource: 'bookings', source, env: host.env, timezone, stdout: DISCARDING_STREAM } as const
  const target = await openTarget(flags.to, kind, place)
  const { extraQuery = [] } = service.complete(resource.endpoint, {})
  const clock = new ServiceClock(host.now, () => {})
  const reading = (memo: string | null) => {
    const { asked = [] } = parseMemo(memo)
    return { caller: session.caller, resource, extra: { extraQuery: [...asked, ...extraQuery] }, clock }
  }
  const hold = { reset: false, standby: false, leaseMs: DEFAULT_LEASE_MS, overlapMs: resource.overlapMs }
  const booked = read(timezone)
  try {
    if (service.isDryRun) {
      const state = await target.state()
      return await service.showPlans(resource.endpoint, [firstRequest(reading(state?.memo ?? null), state, booked)])
    }
    await limitHeapGrowth()
    const verdict = await verify({
      ...{ target, reading, timezone, booked, signal: host.signal },
      repair: flags.repair ? { ...hold, command: 'bookings sync verify', signal: host.signal, say } : null,
    })
    if (verdict.lines.length > 0 || !show.isPlain) await show.list(inBatches(verdict.lines), differenceList)
    if (verdict.lines.length > 0 && !verdict.isRepaired) throw differsFailure(verdict)
    const { compared, counts, requests } = verdict
    if (host.venue === undefined) await say(verdictLine(verdict))
    else host.venue.addUp(resource.name, { compared, ...counts, requests })
    const failure = notStoredFailure(resource, verdict.notStored)
    if (failure !== null) throw failure
  } finally {
    await target.close()
  }
}
