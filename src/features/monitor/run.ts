import { formatCommand } from '../../base/failure/suggested.ts'
import { lockedFailure, tryLock } from '../../base/storage/lock.ts'
import { Courier } from '../../monitor/alerts/courier.ts'
import type { Destination } from '../../monitor/alerts/destination.ts'
import { openDestinations } from '../../monitor/alerts/open-destinations.ts'
import type { AlertEntry, Given } from '../../monitor/file/monitor-file.ts'
import { OWN_NAME } from '../../monitor/file/read-checks.ts'
import { type ReadFile, readMonitorFile } from '../../monitor/file/read-file.ts'
import { StateStore } from '../../monitor/state/state-store.ts'
import type { FlagValues } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { stopGracefully } from '../../terminal/output/bulk/graceful-stop.ts'
import { environmentOfChild } from '../../terminal/runtime/child/child-environment.ts'
import { Turns } from '../../terminal/runtime/many/turns.ts'
import type { Opened, RunParts } from '../../terminal/runtime/run.ts'
import { counted } from '../shared/views/wording.ts'
import type { MONITOR_FLAGS, VenueChoice } from './flags.ts'
import { Monitor } from './monitor.ts'
import { ensureStateDirectory, statePath } from './place.ts'
import { checkPromFile } from './prom-file.ts'
import { chooseVenues, existingProfiles, requireFilePerVenue } from './venues.ts'
import { changeLine, checkName, deliveryLine, waitingLine } from './words.ts'

const DEFAULT_JOBS = 4
const MOST_JOBS = 100
/** The time limit, in milliseconds, for writing an alert to stderr. */
const STDERR_LIMIT_MS = 5000

type MonitorRun = Opened<FlagValues<typeof MONITOR_FLAGS> & VenueChoice, { readonly file: string }>

/**
 * Runs a monitor once or until it is stopped. Returns the exit code. Throws LOCKED if another monitor uses the
 * same state. Also throws USAGE, NO_PROFILE and INTERNAL.
 */
export async function monitor(opened: MonitorRun): Promise<number> {
  const { args, flags, host } = opened
  const problems = new Problems()
  const jobs = problems.wholeNumber('--jobs', flags.jobs, 1, MOST_JOBS) ?? DEFAULT_JOBS
  checkPromFile(flags.prom, problems)
  problems.throwIfAny()
  const file = await readMonitorFile(args.file, host.signal)
  const venues = chooseVenues(flags, host)
  requireFilePerVenue(file, venues)
  const path = statePath(flags.state, file, host.env)
  ensureStateDirectory(path)
  const lockPath = `${path}.lock`
  const lock = tryLock(lockPath, { command: 'monitor' })
  if (lock === null) throw await lockedFailure(lockPath, args.file)
  try {
    const store = StateStore.open(path)
    try {
      const commandEnv = await environmentOfChild(host, variablesIn(file.alerts))
      const destinations = await openFor(file, commandEnv, opened)
      await prepare(store, destinations, file, opened)
      const context = { directory: file.directory, commandEnv }
      const parts = { ...opened, store, destinations, venues, context }
      return await watch(parts, { file, jobs, promFile: flags.prom, isOnce: flags.once === true })
    } finally {
      store.close()
    }
  } finally {
    lock.release()
  }
}

type Parts = Pick<ConstructorParameters<typeof Monitor>[0], 'store' | 'destinations' | 'venues' | 'context'> & RunParts
type HowToWatch = Readonly<{ file: ReadFile; jobs: number; promFile: string | undefined; isOnce: boolean }>

async function watch(parts: Parts, { file, jobs, promFile, isOnce }: HowToWatch): Promise<number> {
  const { host, say, store, destinations, venues } = parts
  const courier: Courier = new Courier({
    ...{ store, destinations, now: host.now },
    report: (news) => void say(deliveryLine(news)),
    onTrouble: (error) => void running.reportTrouble(error),
  })
  const statusCommand = formatCommand`monitor status ${file.path}`
  const { checks } = file
  const running = new Monitor({ ...parts, checks, courier, turns: new Turns(jobs), promFile, statusCommand })
  if (!isOnce) {
    const stop = stopGracefully(host)
    host.stderr.dropIfStalled()
    const where = venues.length === 1 ? '' : ` of ${venues.length} venues`
    await say(`watching ${counted(checks.length, 'check', 'checks')}${where}; Ctrl-C to stop`)
    await running.runUntil(AbortSignal.any([stop.signal, host.signal]))
    return 0
  }
  const bad = await running.runOnce()
  if (bad.length === 0) return 0
  const names = bad.map((one) => checkName(one, venues.length > 1)).join(', ')
  await say(`${bad.length} of ${counted(checks.length * venues.length, 'check', 'checks')} not ok: ${names}`)
  return 11
}

/** Opens the destinations. Throws NO_PROFILE if a secret cannot be read. */
export function openFor(
  { alerts, directory }: ReadFile,
  commandEnv: NodeJS.ProcessEnv,
  { host, warn }: RunParts,
): Promise<readonly Destination[]> {
  const { env, version, stderr } = host
  return openDestinations(alerts, {
    ...{ env, version, directory, commandEnv },
    hide: (secret) => stderr.hide(secret),
    warn: (line) => void warn(line),
    write: (bytes) => stderr.writeEvenIfQuiet(bytes),
    deliverToStderr: (line) => stderr.deliver(line, STDERR_LIMIT_MS),
  })
}

/** Returns the names of the environment variables that contain alert secrets. Commands must not inherit them. */
export function variablesIn(alerts: readonly AlertEntry[]): readonly string[] {
  const variableOf = (given: Given) => ('secret' in given && 'env' in given.secret ? [given.secret.env] : [])
  return alerts.flatMap((entry) =>
    entry.kind === 'webhook' ? [entry.url, ...Object.values(entry.headers)].flatMap(variableOf) : [],
  )
}

/**
 * Updates the state to match the file: stores the destinations and removes checks and profiles that no longer exist.
 */
async function prepare(
  store: StateStore,
  destinations: readonly Destination[],
  file: ReadFile,
  { host, say, warn }: RunParts,
) {
  const dropped = store.useDestinations(destinations)
  if (dropped > 0)
    await warn(`dropped ${counted(dropped, 'alert', 'alerts')} for a destination that is no longer in the file`)
  const names = [...file.checks.map(({ name }) => name), OWN_NAME]
  const exists = existingProfiles(host)
  const reasonOf = ({ name, profile }: { readonly name: string; readonly profile: string | null }) => {
    if (!names.includes(name)) return 'the check was removed from the file'
    return exists(profile) ? null : `the profile ${profile} no longer exists`
  }
  const options = { nowMs: host.now(), destinations: destinations.map(({ key }) => key) }
  for (const alert of store.forget(reasonOf, options)) await say(changeLine(alert, alert.profile !== null))
  for (const backlog of store.backlog()) {
    const destination = destinations.find(({ key }) => key === backlog.destination)
    if (destination) await say(waitingLine(destination, backlog))
  }
}
