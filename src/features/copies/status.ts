import type { ResourceName } from '../../sync/copy.ts'
import { openTarget, targetKind } from '../../sync/open-target.ts'
import { FailedRunNote } from '../../sync/watching/failed-run.ts'
import { syncStatus } from '../../sync/watching/status.ts'
import { type FlagValues, flag, MANY_FLAGS, PROFILE_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { copyOwner, DISCARDING_STREAM, ONE_SOURCE, settingsOf, sourceName, TARGET_FLAGS } from '../shared/copies.ts'
import { syncStatusCard, syncStatusList } from './views.ts'

/** Flags for commands that read a local copy and make no requests. */
export const READ_COPY_FLAGS = { ...MANY_FLAGS, ...PROFILE_FLAGS }

export const STATUS_FLAGS = {
  ...TARGET_FLAGS,
  prom: flag('FILE', "Also write a .prom file, for the textfile collector of Prometheus's node exporter."),
} as const

/**
 * Shows a copy's state without making requests. Throws INTERNAL if the `--prom` file cannot be written. Also throws
 * USAGE and any error from `Target.state`.
 */
export async function showStatus(
  opened: Opened<FlagValues<typeof STATUS_FLAGS>, object>,
  resource: ResourceName,
): Promise<void> {
  const { flags, show, host, connection } = opened
  const problems = new Problems()
  if (flags.prom !== undefined && !flags.prom.endsWith('.prom'))
    problems.add('--prom must name a file that ends in .prom: the node exporter reads no other files')
  else if (flags.prom !== undefined) {
    const { prom } = flags
    const { checkWritablePath } = await import('../shared/place.ts')
    problems.check(() => checkWritablePath(prom, true, { flag: '--prom', example: 'DIR/partner.prom' }))
  }
  if (host.venue !== undefined && flags.source !== undefined) problems.add(ONE_SOURCE, 'omit it')
  problems.throwIfAny()
  const kind = await targetKind(flags.to, false)
  const whose = copyOwner(settingsOf(host, flags))
  const source = sourceName(flags.source, kind, whose)
  const target = await openTarget(flags.to, kind, { resource, source, env: host.env, stdout: DISCARDING_STREAM })
  try {
    const status = syncStatus(await target.state(), { source, resource, nowMs: host.now() })
    const failed = new FailedRunNote(host.env, { to: flags.to, source, resource }).read()
    if (flags.prom !== undefined) {
      const [{ prometheusText }, { writeFileDurably }] = await Promise.all([
        import('../../sync/watching/prometheus.ts'),
        import('../../base/storage/durable-write.ts'),
      ])
      // The node exporter runs as another user, so every user must be able to read the file.
      writeFileDurably(promFile(flags.prom, host), prometheusText(status, target.name), 0o644)
    }
    connection.zone = await connection.zoneOf(whose.profile)
    await show.one(
      {
        ...{
          ...status,
          lastRun: status.lastRun && { ...status.lastRun },
          holder: status.holder && { ...status.holder },
        },
        ...(failed === null ? {} : { lastFailure: { ...failed } }),
      },
      { card: syncStatusCard, list: syncStatusList },
    )
  } finally {
    await target.close()
  }
}

/**
 * Returns the path of the .prom file. If the command runs for several venues, each has its own file, such as
 * `sync.city.prom`.
 */
function promFile(path: string, { venue }: Host): string {
  return venue === undefined ? path : path.replace(/\.prom$/, `.${venue.profile}.prom`)
}
