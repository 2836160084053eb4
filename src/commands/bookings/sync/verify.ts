import { inBatches } from '../../../base/json/list/in-batches.ts'
import type { RangeRule } from '../../../base/time/window.ts'
import { USUAL_LEASE_MS } from '../../../features/copies/flags.ts'
import { differenceList } from '../../../features/copies/views.ts'
import { NOWHERE, ONE_SOURCE, sourceOf, TARGET_FLAGS } from '../../../features/shared/copies.ts'
import { openTarget, targetKind } from '../../../sync/open-target.ts'
import { RESOURCES } from '../../../sync/resources.ts'
import { parseMemo } from '../../../sync/running/memo.ts'
import { CALL_FLAGS, flag, MANY_FLAGS, toggle } from '../../../terminal/input/flags.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { noteClockChanges, optionalRange } from '../../../terminal/input/values/time-range.ts'
import { keepHeapSteady } from '../../../terminal/output/heap.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

const BOOKED: RangeRule = { fromFlag: '--from', toFlag: '--to-date', openEnd: 'day' }

const NEEDS_RECORDS = 'a copy in .ndjson, .db or PostgreSQL can be compared'

export default class BookingsSyncVerify extends PartnerCommand {
  static override summary = 'Compare a copy of bookings with the service, booking by booking.'
  static override description =
    `It reads all that the service has and names each booking that the copy lacks (missing), has in an older version or with other content (stale), or has and the service does not (extra). What changed after the last sync is not due yet. It ends with exit 11 when something differs, and writes nothing: a sync may run meanwhile. With --repair it holds the copy, writes the difference, and ends with 0.

A copy in .csv has columns and not the whole bookings, and - has nothing: these cannot be compared.`
  static override examples = [
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --to venue.db',
    '<%= config.bin %> bookings sync --to venue.db && <%= config.bin %> <%= command.id %> --to venue.db --from today --to-date +7d --repair',
  ]
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }
  static override flags = {
    ...TARGET_FLAGS,
    from: flag('TIME', 'Only bookings for TIME or later; to the end of that day without --to-date.'),
    'to-date': flag('TIME', 'Only bookings for TIME or earlier.'),
    repair: toggle('Write what differs into the copy.'),
  }

  async run(): Promise<void> {
    const { flags, connection, service, show, host, say, warn } = await this.open(BookingsSyncVerify)
    const now = host.now()
    const problems = new Problems()
    const given = { from: flags.from, to: flags['to-date'] }
    const read = optionalRange(given, BOOKED, now)
    problems.check(() => read(null))
    if (flags.to === '-') problems.add('--to - keeps no records to compare', NEEDS_RECORDS)
    if (flags.to.endsWith('.csv'))
      problems.add(
        `${flags.to} has columns of the bookings, not the whole bookings: it cannot be compared`,
        NEEDS_RECORDS,
      )
    if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'leave it out')
    problems.throwIfAny()
    const kind = await targetKind(flags.to)
    const session = await connection.session('list')
    const timezone = await connection.timezone('list')
    await noteClockChanges({ '--from': flags.from, '--to-date': flags['to-date'] }, { now, timezone }, warn)
    const resource = RESOURCES.bookings
    const source = sourceOf(flags.source, kind, { profile: session.caller.profile, service: session.service })
    const target = await openTarget(flags.to, {
      resource: 'bookings',
      source,
      env: host.env,
      timezone,
      stdout: NOWHERE,
    })
    const [{ verify, firstRequest }, { ServiceClock }, { differsFailure, verdictLine }, { notStoredFailure }] =
      await Promise.all([
        import('../../../sync/verifying/verify.ts'),
        import('../../../sync/reading/service-clock.ts'),
        import('../../../sync/verifying/words.ts'),
        import('../../../sync/running/not-stored.ts'),
      ])
    const { extraQuery = [] } = service.complete(resource.endpoint, {})
    const clock = new ServiceClock(host.now, () => {})
    const reading = (memo: string | null) => {
      const { asked = [] } = parseMemo(memo)
      return { caller: session.caller, resource, extra: { extraQuery: [...asked, ...extraQuery] }, clock }
    }
    const hold = { reset: false, standby: false, leaseMs: USUAL_LEASE_MS, overlapMs: resource.overlapMs }
    const booked = read(timezone)
    try {
      if (service.isDryRun) {
        const state = await target.state()
        return await service.showPlans(resource.endpoint, [firstRequest(reading(state?.memo ?? null), state, booked)])
      }
      await keepHeapSteady()
      const verdict = await verify({
        ...{ target, reading, timezone, booked, signal: host.signal },
        repair: flags.repair ? { ...hold, command: 'bookings sync verify', signal: host.signal, say } : null,
      })
      if (verdict.lines.length > 0 || !show.isPlain) await show.list(inBatches(verdict.lines), differenceList)
      if (verdict.lines.length > 0 && !verdict.isMended) throw differsFailure(verdict)
      const { compared, counts, requests } = verdict
      if (host.venue === undefined) await say(verdictLine(verdict))
      else host.venue.addUp(resource.name, { compared, ...counts, requests })
      const failure = notStoredFailure(resource, verdict.notStored)
      if (failure !== null) throw failure
    } finally {
      await target.close()
    }
  }
}
