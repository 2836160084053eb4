import { arch, platform, release } from 'node:os'
import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import type { HarFile } from '../../../client/har-file.ts'
import { describeProfile } from '../../../client/profiles/describe.ts'
import { describeService } from '../../../client/profiles/effective.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import { readReadableSecrets } from '../../../client/profiles/readable-secrets.ts'
import type { Settings } from '../../../client/profiles/settings.ts'
import { isSameService } from '../../../client/same-service.ts'
import { describeOperation } from '../../../money/operations/describe.ts'
import type { Operation } from '../../../money/operations/operation.ts'
import { DEFAULT_STEP_MS, parseEffort } from '../../../terminal/input/command-line.ts'
import { surroundingsOf } from '../../../terminal/runtime/host.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { settingsOf } from '../../shared/copies.ts'
import { describeMachine, describeRun } from '../../shared/settings.ts'
import { examine } from '../doctor/doctor.ts'
import { findDrift } from '../drift/ask-service.ts'
import type { DoctorRow } from '../output.ts'
import type { RecordedDelivery } from './cleaning/traffic.ts'
import type { HarEntry, LazyHarEntry } from './given/har.ts'
import { ownPart, type Part } from './part.ts'

export interface BundleContext extends Pick<RunParts, 'host' | 'connection' | 'operations' | 'show'> {
  readonly flags: Parameters<typeof describeRun>[0]
  readonly argv: readonly string[]
  /** The start of the period that the bundle covers, in milliseconds since 1970, or `null` for everything. */
  readonly sinceMs: number | null
}

/** Returns whether a time in milliseconds is in a bundle's period. NaN counts only if the period is unlimited. */
export function isInPeriod(timeMs: number, { sinceMs }: Pick<BundleContext, 'sinceMs'>): boolean {
  return sinceMs === null || timeMs >= sinceMs
}

/**
 * Returns the settings, or `null` if they are invalid, so that the doctor can report why. Throws NO_PROFILE if the
 * profile in `--profile` does not exist.
 */
function settingsOrNull({ host, flags }: BundleContext): Settings | null {
  try {
    return settingsOf(host, flags)
  } catch (error) {
    if (error instanceof Failure && error.code === 'NO_PROFILE' && flags.profile !== undefined) throw error
    return null
  }
}

function profilePart(settings: Settings | null, { host }: BundleContext): Part {
  return ownPart('profile.json', 'the profile in use, without secrets', () => {
    const name = settings?.profile?.value ?? (settings?.kind === 'sandbox' ? SANDBOX_PROFILE : null)
    if (name === null) return null
    return { ...describeProfile(name, readProfiles(profilesPath(host.env)), host.env) } as unknown as JsonValue
  })
}

function settingsPart({ host, flags, argv, show }: BundleContext): Part {
  return ownPart('settings.json', 'the settings in effect, and where each comes from', () => {
    const service = describeService(settingsOf(host, flags), host.env)
    const all = [...service, ...describeRun(flags, argv, show.format, host), ...describeMachine(host)]
    return all.map((setting) => ({ ...setting }))
  })
}

/** Returns the part with the service's open operations and all operations that started in the bundle's period. */
function operationsPart(settings: Settings | null, here: BundleContext): Part {
  const profile = settings?.profile?.value ?? null
  // If the service is unknown, the operations of all services are included.
  const service = settings?.kind === 'sandbox' ? SANDBOX_PROFILE : settings?.baseUrl?.value.href.replace(/\/+$/, '')
  return {
    name: 'operations.json',
    about: 'money writes whose outcome is or was unknown',
    collect: async () => {
      const store = await here.operations.open()
      const isHere = (operation: Operation) =>
        service === undefined || isSameService(operation.service, service) || operation.profile === profile
      const isWanted = (one: Operation) => isHere(one) && (one.state === 'open' || isInPeriod(one.startedAt, here))
      const found = store.list().filter(isWanted).toArray()
      const cards = found.filter(({ command }) => !command.startsWith('sales')).map(({ target }) => target)
      return { kind: 'own', value: found.map(shownInBundle), cards }
    },
  }
}

/** Describes an operation without the name of its machine. */
function shownInBundle(operation: Operation) {
  const { host, ...shown } = describeOperation(operation, null)
  return shown
}

/** Returns a bundle's parts in collection order. `given` contains the files that the user passed. */
export function bundleParts(
  here: BundleContext,
  given: { exchanges: LazyHarEntry[]; journals: RecordedDelivery[][] },
): Part[] {
  const settings = settingsOrNull(here)
  const versions = ownPart('versions.json', 'the versions of partner, Node and the operating system', () => ({
    ...{ partner: here.host.version, node: process.version, openssl: process.versions['openssl'] ?? null },
    ...{ platform: platform(), release: release(), arch: arch() },
  }))
  const texts: string[] = []
  const journals = given.journals.map(
    (deliveries, at): Part => ({
      name: at === 0 ? 'journal.ndjson' : `journal-${at + 1}.ndjson`,
      about: `recorded webhook deliveries: ${deliveries.length}`,
      collect: async () => ({ kind: 'deliveries', deliveries }),
    }),
  )
  return [
    ...[versions, profilePart(settings, here), settingsPart(here), operationsPart(settings, here)],
    ...serviceParts(here, { add: (entry) => void texts.push(JSON.stringify(entry)), close: () => null }),
    ...journals,
    trafficPart(given.exchanges, () => texts.map(lazyEntry)),
  ]
}

/** Returns the parts with the results of doctor and drift. Records the requests that they make. */
function serviceParts(here: BundleContext, recorder: HarFile): Part[] {
  const { host, flags, connection, argv } = here
  const { timeoutMs } = parseEffort(flags, argv)
  connection.recordWith(recorder)
  const examination = {
    ...{ around: surroundingsOf(host, flags.verbose === true), profile: flags.profile, baseUrl: flags['base-url'] },
    ...{ timeoutMs: timeoutMs ?? DEFAULT_STEP_MS, syncTargets: [], recorder },
  }
  const seen: DoctorRow[] = []
  return [
    ownPart('doctor.json', 'the results of partner doctor', async () => {
      for await (const row of examine(examination)) seen.push(row)
      return { rows: seen }
    }),
    // Like `partner drift`, this saves the results for `drift accept`.
    ownPart('drift.json', 'how the service differs from the contract', async () => {
      requireReachedService(seen)
      const { report } = await findDrift(await connection.session(), host)
      return JSON.parse(JSON.stringify(report)) as JsonValue
    }),
  ]
}

function lazyEntry(text: string): LazyHarEntry {
  const read = () => JSON.parse(text) as HarEntry
  return { startedDateTime: read().startedDateTime, read, bytes: text.length }
}

/** Returns the part with the traffic from `--har` files and the traffic recorded in this run, sorted by time. */
function trafficPart(given: readonly LazyHarEntry[], recorded: () => readonly LazyHarEntry[]): Part {
  const read = given.length === 0 ? '' : `, and ${given.length} more from --har`
  const timeOf = (entry: LazyHarEntry) => Date.parse(entry.startedDateTime) || 0
  const entries = () => [...given, ...recorded()].sort((a, b) => timeOf(a) - timeOf(b))
  return {
    ...{ name: 'traffic.har', about: `requests and responses of the checks above${read}` },
    collect: async () => ({ kind: 'traffic', entries: entries() }),
  }
}

/** Returns all secrets that can be read without prompting the user, and any others that have already been read. */
export async function readableSecrets({ host }: Pick<BundleContext, 'host'>): Promise<readonly string[]> {
  const read = () => readProfiles(profilesPath(host.env)).byName
  const profiles = await Promise.resolve()
    .then(read)
    .catch(() => new Map<string, never>())
  const named = await readReadableSecrets(profiles, host.env)
  return [...host.stderr.hidden, ...named.map(({ secret }) => secret)]
}

/** Throws if the doctor could not reach the service, so that drift does not run into the same timeout. */
function requireReachedService(seen: readonly DoctorRow[]): void {
  if (seen.length === 0 || seen.some(({ name, status }) => name === 'service' && status === 'ok')) return
  const cause = seen.find(({ status }) => status === 'fail')
  throw new Error(
    `no request was sent, because the doctor could not reach the service${cause ? `: ${cause.name} failed` : ''}`,
  )
}
