import { usageFailure } from '../../base/failure/failure.ts'
import { SANDBOX_PROFILE } from '../../client/profiles/profile.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { resolveSettings } from '../../client/profiles/resolve.ts'
import type { Settings } from '../../client/profiles/settings.ts'
import type { ResourceName, Target } from '../../sync/copy.ts'
import { openTarget, type TargetKind, targetKind } from '../../sync/open-target.ts'
import { flag, MANY_FLAGS, PROFILE_FLAGS, requiredFlag } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { Opened } from '../../terminal/runtime/run.ts'

/** Where a copy is kept, on every command of sync. */
export const TARGET_FLAGS = {
  to: requiredFlag('TARGET', 'x.ndjson, x.csv, x.db, postgres://…, or - for stdout.'),
  source: flag('NAME', "Whose records these are, in the target (default: the profile's name)."),
} as const

/** The service that a copy is of: by its profile, or by its address. */
export interface Whose {
  readonly profile: string | null
  /** Null: nobody says. */
  readonly service: string | null
}

/** Whose records a copy has, by name. Fails: USAGE when a database would have nothing to tell them from others by. */
export function sourceOf(named: string | undefined, kind: TargetKind, { profile, service }: Whose): string {
  if (named?.trim() === '') throw usageFailure(['--source must not be empty'])
  if (named !== undefined) return named
  const isDatabase = kind === 'postgres' || kind === 'sqlite'
  const source = profile ?? (isDatabase ? null : service)
  if (source !== null) return source
  // A file knows by itself whose records it has.
  if (kind === 'file') return ''
  throw usageFailure(
    ['--source is needed: without a profile, nothing says whose records these are'],
    'give it a name, such as --source city-venue, and the same one each time',
  )
}

/** Why `--source` is not for many venues. */
export const ONE_SOURCE = '--source is the name of one venue: with --profiles each profile is a source of its own'

/** The profile that a command line means, without its key. Fails: NO_PROFILE, USAGE. */
export function settingsOf({ env }: Host, flags: NamedProfile): Settings {
  return resolveSettings({
    flags: { profile: flags.profile, baseUrl: flags['base-url'] },
    env,
    profiles: () => readProfiles(profilesPath(env)),
  })
}

interface NamedProfile {
  readonly profile?: string | undefined
  readonly 'base-url'?: string | undefined
}

/** Whose records they are, without opening anything. Fails: NO_PROFILE, USAGE. */
export function whoseOf({ kind, profile, baseUrl }: Settings): Whose {
  const name = profile?.value ?? (kind === 'sandbox' ? SANDBOX_PROFILE : null)
  return { profile: name, service: baseUrl?.value.href.replace(/\/+$/, '') ?? null }
}

/** Opens a copy to look at it, and says whose it is. Fails: USAGE, NO_PROFILE. */
async function openToLook(
  { flags, host }: Opened<CopyFlags, object>,
  resource: ResourceName,
): Promise<{ readonly target: Target; readonly source: string; readonly profile: string | null }> {
  const kind = await targetKind(flags.to)
  const whose = whoseOf(settingsOf(host, flags))
  const source = sourceOf(flags.source, kind, whose)
  const target = await openTarget(flags.to, { resource, source, env: host.env, stdout: NOWHERE })
  return { target, source, profile: whose.profile }
}

/** A stream that is only asked how far it goes. */
export const NOWHERE = { write: async () => {}, flush: async () => {} }

/** The values of the flags of `sync status`. */
export interface CopyFlags {
  readonly to: string
  readonly source?: string | undefined
  readonly prom?: string | undefined
}

/** On commands that look at a copy and call nobody. */
export const LOOK_AT_COPY_FLAGS = { ...MANY_FLAGS, ...PROFILE_FLAGS }

/** Of `sync status`. */
export const STATUS_FLAGS = {
  ...TARGET_FLAGS,
  prom: flag('FILE', "Also write it for Prometheus: a .prom file for the node exporter's textfile collector."),
} as const

/** Shows how a copy stands. It needs no service. Fails: USAGE; as `Target.state`; INTERNAL when FILE cannot be written. */
export async function showStatus(opened: Opened<CopyFlags, object>, resource: ResourceName): Promise<void> {
  const { flags, show, host, connection } = opened
  const problems = new Problems()
  if (flags.prom !== undefined && !flags.prom.endsWith('.prom'))
    problems.add('--prom must name a file that ends in .prom: the node exporter reads no other')
  else if (flags.prom !== undefined) {
    const { prom } = flags
    const { checkPlace } = await import('./place.ts')
    problems.check(() => checkPlace(prom, true, { flag: '--prom', example: 'DIR/partner.prom' }))
  }
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'leave it out')
  problems.throwIfAny()
  const { target, source, profile } = await openToLook(opened, resource)
  const [{ syncStatus }, { syncStatusCard, syncStatusList }] = await Promise.all([
    import('../../sync/watching/status.ts'),
    import('../copies/views.ts'),
  ])
  try {
    const status = syncStatus(await target.state(), { source, resource, nowMs: host.now() })
    if (flags.prom !== undefined) {
      const [{ prometheusText }, { writeFileDurably }] = await Promise.all([
        import('../../sync/watching/prometheus.ts'),
        import('../../base/storage/durable-write.ts'),
      ])
      // The exporter is another user.
      writeFileDurably(promFile(flags.prom, host), prometheusText(status, target.name), 0o644)
    }
    connection.zone = await connection.zoneOf(profile)
    await show.one(
      { ...status, lastRun: status.lastRun && { ...status.lastRun }, holder: status.holder && { ...status.holder } },
      { card: syncStatusCard, list: syncStatusList },
    )
  } finally {
    await target.close()
  }
}

/** The file of one venue of many has its name before the end: `sync.city.prom`. */
function promFile(path: string, { venue }: Host): string {
  return venue === undefined ? path : path.replace(/\.prom$/, `.${venue.profile}.prom`)
}
