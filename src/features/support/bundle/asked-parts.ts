import { Failure } from '../../../base/failure/failure.ts'
import type { JsonValue } from '../../../base/json/exact.ts'
import { describeProfile } from '../../../client/profiles/describe.ts'
import { describeService, type EffectiveSetting } from '../../../client/profiles/effective.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../../client/profiles/read.ts'
import { readReadableSecrets } from '../../../client/profiles/readable-secrets.ts'
import type { Settings } from '../../../client/profiles/settings.ts'
import { parseEffort, USUAL_STEP_MS } from '../../../terminal/input/command-line.ts'
import { surroundingsOf } from '../../../terminal/runtime/host.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { settingsOf } from '../../shared/copies.ts'
import { describeMachine, describeRun } from '../../shared/settings.ts'
import { examine } from '../doctor/doctor.ts'
import type { DoctorRow } from '../doctor/finding.ts'
import { lookForDrift } from '../drift/look.ts'
import type { Part } from './part.ts'
import { operationsPart, ownPart } from './parts.ts'
import type { TrafficRecorder } from './recorder.ts'

/** The row of the doctor that says whether the service answers at all. */
const SERVICE = 'service'

/** The run that parts are collected in. */
export interface Here extends Pick<RunParts, 'host' | 'connection' | 'operations' | 'show'> {
  readonly flags: Parameters<typeof describeRun>[0]
  readonly argv: readonly string[]
  /** Epoch milliseconds; null: everything. */
  readonly sinceMs: number | null
}

/**
 * The settings in effect; null when they cannot be read, which is for the doctor to tell. Fails: NO_PROFILE for a profile that a
 * flag names and that is not there.
 */
export function settingsHere({ host, flags }: Here): Settings | null {
  try {
    return settingsOf(host, flags)
  } catch (error) {
    if (error instanceof Failure && error.code === 'NO_PROFILE' && flags.profile !== undefined) throw error
    return null
  }
}

/** The profile in use, as profiles show has it; nothing without one. */
function profilePart(settings: Settings | null, { host }: Here): Part {
  return ownPart('profile.json', 'the profile in use, without secrets', () => {
    const name = settings?.profile?.value ?? (settings?.kind === 'sandbox' ? SANDBOX_PROFILE : null)
    if (name === null) return null
    return { ...describeProfile(name, readProfiles(profilesPath(host.env)), host.env) } as unknown as JsonValue
  })
}

/** What config shows. */
function settingsPart({ host, flags, argv, show }: Here): Part {
  return ownPart('settings.json', 'the settings in effect, and where each comes from', () => {
    const all: EffectiveSetting[] = [
      ...describeService(settingsOf(host, flags), host.env),
      ...describeRun(flags, argv, show.format, host),
      ...describeMachine(host),
    ]
    return all.map((setting) => ({ ...setting }))
  })
}

/** The parts that this machine has by itself, for which nobody is asked. */
export function partsOfThisMachine(settings: Settings | null, here: Here): Part[] {
  const service = settings?.kind === 'sandbox' ? SANDBOX_PROFILE : settings?.baseUrl?.value.href.replace(/\/+$/, '')
  return [
    profilePart(settings, here),
    settingsPart(here),
    operationsPart({
      profile: settings?.profile?.value ?? null,
      service: service ?? null,
      sinceMs: here.sinceMs,
      list: async () => (await here.operations.open()).list(),
    }),
  ]
}

/** What the doctor and drift find; their requests go to the recorder, too. */
export function partsOfTheService(here: Here, recorder: TrafficRecorder): Part[] {
  const { host, flags, connection, argv } = here
  const { timeoutMs } = parseEffort(flags, argv)
  connection.recordWith(recorder)
  const examination = {
    ...{ around: surroundingsOf(host, flags.verbose === true), profile: flags.profile, baseUrl: flags['base-url'] },
    ...{ timeoutMs: timeoutMs ?? USUAL_STEP_MS, syncTargets: [], recorder },
  }
  const seen: DoctorRow[] = []
  return [
    ownPart('doctor.json', 'what partner doctor finds', async () => {
      for await (const row of examine(examination)) seen.push(row)
      return { rows: seen.map((row) => ({ ...row })) }
    }),
    // This counts as a run of drift.
    ownPart('drift.json', 'how the service differs from the contract', async () => {
      refuseUnreached(seen)
      const { report } = await lookForDrift(await connection.session(), { env: host.env, now: host.now })
      return JSON.parse(JSON.stringify(report)) as JsonValue
    }),
  ]
}

/** Every secret that can be read without asking anybody, and those that were read so far. */
export async function secretsHere({ host }: Pick<Here, 'host'>): Promise<readonly string[]> {
  const read = () => readProfiles(profilesPath(host.env)).byName
  const profiles = await Promise.resolve()
    .then(read)
    .catch(() => new Map<string, never>())
  const named = await readReadableSecrets(profiles, host.env)
  return [...host.stderr.hidden, ...named.map(({ secret }) => secret)]
}

/** A service that the doctor did not reach is not asked again: whoever waits for a bundle has waited for that once. */
function refuseUnreached(seen: readonly DoctorRow[]): void {
  if (seen.length === 0 || seen.some(({ name, status }) => name === SERVICE && status === 'ok')) return
  const cause = seen.find(({ status }) => status === 'fail')
  throw new Error(`the service was not asked, as the doctor did not reach it${cause ? `: ${cause.name} failed` : ''}`)
}
