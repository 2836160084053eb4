import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { monotonicMs } from '../../base/stopwatch.ts'
import { toWireTime } from '../../base/time/instant.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import type { Session } from '../../client/session.ts'
import type { Copy, Outlet, Target } from '../../sync/copy.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { openTarget, type TargetKind, targetKind } from '../../sync/open-target.ts'
import { type Reading, windowInput } from '../../sync/reading/read-window.ts'
import { ServiceClock } from '../../sync/reading/service-clock.ts'
import type { Resource } from '../../sync/resources.ts'
import { notStoredFailure } from '../../sync/running/not-stored.ts'
import { runRepeatedly } from '../../sync/running/repeat.ts'
import { runOnce } from '../../sync/running/run.ts'
import { summaryCounts, summaryLine } from '../../sync/running/summary.ts'
import type { Cause } from '../../sync/running/wakes.ts'
import { FIRST_CHANGE_MS, FIRST_WINDOW_MS } from '../../sync/running/windows.ts'
import { FailedRunNote } from '../../sync/watching/failed-run.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import { limitHeapGrowth } from '../../terminal/output/heap.ts'
import type { ListView } from '../../terminal/render/view.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, ONE_SOURCE, settingsOf, sourceName } from '../shared/copies.ts'
import { readSyncFlags, type SyncFlags } from './flags.ts'
import type { OpenWakes } from './wake.ts'

export interface Synced {
  readonly resource: Resource
  readonly view: ListView | null
  readonly query?: CallInput['query']
}

/** Runs a sync command. Throws USAGE before any request is sent. Also throws any error from `runRepeatedly`. */
export async function sync(opened: Opened<SyncFlags, object>, synced: Synced): Promise<void> {
  const note = await noteOf(opened, synced)
  try {
    await syncNoting(note, opened, synced)
  } catch (error) {
    if (error instanceof Failure) note?.write(error, opened.host)
    throw error
  }
}

/** Returns the note that records a failed run, or `null` in a dry run or if the source name is unknown. */
async function noteOf({ flags, host }: Opened<SyncFlags, object>, { resource }: Synced): Promise<FailedRunNote | null> {
  try {
    if (flags['dry-run']) return null
    const source = sourceName(flags.source, await targetKind(flags.to, false), copyOwner(settingsOf(host, flags)))
    return new FailedRunNote(host.env, { to: flags.to, source, resource: resource.name })
  } catch {
    // Ignore invalid flags here, because `syncNoting` reports them.
    return null
  }
}

async function syncNoting(
  note: FailedRunNote | null,
  opened: Opened<SyncFlags, object>,
  synced: Synced,
): Promise<void> {
  const { flags, connection, service, ask, host, say, debug } = opened
  const { resource } = synced
  const beganAtMs = monotonicMs()
  const read = readSyncFlags(flags, host.now())
  if (read.everyMs !== undefined) host.stderr.dropIfStalled()
  if (host.venue !== undefined) refuseForMany(flags, host, read.problems)
  const openWakes = flags.wake === undefined ? null : (await import('./wake.ts')).readWake(opened, read.problems)
  const kind = read.problems.valueOrThrow(await kindOf(flags.to, synced, read.problems))
  if (flags.reset && kind === 'file') await ask.confirmHere(`Empty ${flags.to} and start over?`)
  const extra = extraOf(opened, synced)
  const session = await connection.session('list')
  // Validating the time zone takes about as long as a request, so do it only if there is a time to parse.
  const sinceMs = flags.since === undefined ? null : read.sinceMs(await connection.timezone('list'))
  const { overlapMs = resource.overlapMs, everyMs = null, leaseMs } = read
  const open = () => openFor(opened, synced, kind, session)
  if (service.isDryRun) {
    const asked = { resource, sinceMs, overlapMs, nowMs: host.now() }
    const range = await firstRange(flags.reset ? null : open, asked)
    return service.showPlans(resource.endpoint, [windowInput({ resource, extra }, range)])
  }
  const target = await open()
  let woken: OpenWakes | undefined
  try {
    // Watch events before the first run starts, so that no change is missed in between.
    woken = await openWakes?.()
    const wakes = woken?.wakes ?? null
    const missing = () => void say("the service's responses have no date: using this machine's clock")
    const clock = new ServiceClock(host.now, missing)
    const reading = { caller: session.caller, resource, extra, clock, parses: kind === 'sqlite' }
    const { now, signal } = host
    const parts = { reading, overlapMs, sinceMs, now, beganAtMs, signal, say, onMany: limitHeapGrowth }
    const standby = flags.standby === true
    const command = `${resource.name} sync`
    // If one process serves many venues, runs take turns. A venue that waits on standby does not block the others.
    const inTurn = host.venue?.inTurn ?? ((work) => work())
    let held: Copy | null = null
    const hold = async () => {
      // If a run failed before its first commit, the copy has not been reset yet, so the next run resets it.
      const reset = flags.reset === true && (held?.cursorMs ?? null) === null
      const copy = await target.hold({ reset, standby, leaseMs, overlapMs, command, signal, say })
      held = copy
      if (copy.cursorMs !== null && flags.since !== undefined)
        await say(`--since applies only to the first sync: continuing from ${toWireTime(copy.cursorMs)}`)
      return copy
    }
    await runRepeatedly({
      ...{ everyMs, hold, now, signal, standby, wakes },
      run: async (copy: Copy) => {
        let cause: Cause | null = null
        const result = await inTurn(() => {
          cause = wakes?.begin() ?? null
          host.observer?.begin(cause?.isRegular)
          return runOnce(copy, parts)
        })
        wakes?.succeed(result.added + result.changed, pauseFor(session, resource, now()))
        const line = summaryLine(resource, result, cause)
        // If many venues are synced just once, a single line summarizes them all.
        if (host.venue === undefined || everyMs !== null) await say(line)
        else {
          host.venue.addUp(resource.name, summaryCounts(result))
          await debug(line)
        }
        const failure = notStoredFailure(resource, result.notStored)
        if (failure === null) note?.clear()
        if (everyMs === null) {
          if (failure !== null) throw failure
          return
        }
        if (failure !== null) {
          note?.write(failure, host)
          await host.stderr.writeEvenIfQuiet(`${resource.name}: ${failure.message}\n`)
        }
        host.observer?.end(failure?.exitCode ?? 0)
      },
      report: async (failure, waitMs) => {
        note?.write(failure, host)
        const seconds = Math.max(1, Math.round(waitMs / 1000))
        await host.stderr.writeEvenIfQuiet(`${resource.name}: ${failure.message}; retrying in ${seconds} s\n`)
        host.observer?.end(failure.exitCode)
      },
    })
  } finally {
    await woken?.close()
    await target.close()
  }
}

/**
 * Returns the minimum pause between two runs, in milliseconds. With this pause, runs use at most half of the rate limit
 * that the service has reported.
 */
function pauseFor({ caller }: Session, { endpoint }: Resource, now: number): number {
  const limit = caller.pace.limitOf(endpoint, now)
  return limit === null ? 0 : (2 * limit.windowMs) / limit.count
}

function refuseForMany({ to, source, every }: SyncFlags, { observer }: Host, problems: Problems): void {
  if (databaseKind(to) === null)
    problems.add(
      `--to ${to}: a file or a stream can contain only one venue, but --profiles names several`,
      'use a database: --to venues.db or --to postgres://USER@HOST/DATABASE',
    )
  if (source !== undefined) problems.add(ONE_SOURCE, 'omit it')
  if (every !== undefined && observer?.sharesPing)
    problems.add(
      'with --profiles and --every, each venue needs its own URL to ping',
      'put {profile} in the URL: it is replaced with the name of each profile',
    )
}

async function kindOf(to: string, { resource, view }: Synced, problems: Problems): Promise<TargetKind | undefined> {
  if (view === null && /\.(?:ndjson|csv)$|^-$/.test(to)) {
    problems.add(
      `--to ${to}: gift cards require a database, because a file cannot show which cards are gone`,
      `such as --to ${resource.name}.db`,
    )
    return undefined
  }
  return problems.checkAsync(() => targetKind(to, true))
}

/**
 * Returns the query parameters that the command line adds to the request. Throws USAGE for a parameter that sync itself
 * sets.
 */
function extraOf({ service }: Opened<SyncFlags, object>, { resource, query }: Synced): Reading['extra'] {
  const { extraQuery } = service.complete(resource.endpoint, {})
  const own = Object.keys(windowInput({ resource, extra: {} }, { fromMs: 0, toMs: 0 }).query ?? {})
  const taken = (extraQuery ?? []).map(([name]) => own.find((one) => one.toLowerCase() === name.toLowerCase()))
  const problems = taken
    .filter((name) => name !== undefined)
    .map((name) => `--param must not set ${name}: sync sets it`)
  if (problems.length > 0) throw usageFailure(problems)
  return { ...(query ? { query } : {}), ...(extraQuery ? { extraQuery } : {}) }
}

async function openFor(
  { flags, host, connection }: Opened<SyncFlags, object>,
  { resource, view }: Synced,
  kind: TargetKind,
  session: Session,
): Promise<Target> {
  const source = sourceName(flags.source, kind, { profile: session.caller.profile, service: session.service })
  const csv = flags.to.endsWith('.csv') && view ? await csvLines(view) : undefined
  const timezone = databaseKind(flags.to) === null ? null : await connection.timezone('list')
  const place = { resource: resource.name, source, timezone, isShared: host.venue !== undefined, env: host.env }
  return openTarget(flags.to, kind, { ...place, stdout: outletOf(host), ...(csv ? { csv } : {}) })
}

/** Returns an outlet that writes to standard output. When `flush` resolves, the reader has received everything. */
function outletOf({ stdout, signal }: Host): Outlet {
  let hasWritten = false
  return {
    write: (text) => {
      hasWritten ||= text !== ''
      return stdout.write(text)
    },
    flush: async () => {
      await stdout.flush()
      if (hasWritten) await (await import('../../terminal/output/pipe-empty.ts')).waitUntilPipeIsEmpty(1, signal)
      hasWritten = false
    },
  }
}

async function csvLines({ csvPaths }: ListView) {
  const [{ delimitedLines }, { WireRecord }] = await Promise.all([
    import('../../terminal/render/formats/delimited.ts'),
    import('../../base/json/list/wire-record.ts'),
  ])
  const { header, rowOf } = delimitedLines('csv', csvPaths, { columns: null, color: false })
  return { header, line: (text: string) => rowOf(new WireRecord(text).value) }
}

/** Returns the first time window that a run reads, or `null` if a run always reads everything. */
async function firstRange(
  open: (() => Promise<Target>) | null,
  asked: { resource: Resource; sinceMs: number | null; overlapMs: number; nowMs: number },
) {
  const { resource, sinceMs, overlapMs, nowMs } = asked
  if (resource.windowQuery === null) return null
  const target = await open?.()
  const cursorMs = (await target?.state())?.cursorMs ?? null
  await target?.close()
  const beginMs = cursorMs ?? sinceMs ?? FIRST_CHANGE_MS
  const fromMs = cursorMs === null ? beginMs : beginMs - overlapMs
  return { fromMs, toMs: Math.min(beginMs + FIRST_WINDOW_MS, Math.max(nowMs, beginMs)) }
}
