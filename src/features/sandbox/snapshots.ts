import { dataDirectory } from '../../base/storage/directories.ts'
import type { Snapshot } from '../../sandbox/snapshot/read.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { parseVenueFlags, type VenueFlags } from './flags.ts'

export type OpenedSnapshot = Awaited<ReturnType<typeof openSnapshot>>

/** Opens the snapshot with the given name or file. Throws NOT_FOUND if it does not exist, or USAGE if it is invalid. */
export async function openSnapshot(word: string, { env, signal }: Host) {
  const [{ findSnapshot }, { snapshotsDirectory }, { readSnapshot }] = await Promise.all([
    import('../../sandbox/snapshot/files.ts'),
    import('../../sandbox/snapshot/names.ts'),
    import('../../sandbox/snapshot/read.ts'),
  ])
  const found = await findSnapshot(word, snapshotsDirectory(dataDirectory(env)), signal)
  return { found, read: readSnapshot(found.text, found.name) }
}

/** Reads the flags and opens the snapshot that they name. Throws the same errors as {@link openSnapshot}. */
export async function readVenueOptions(flags: VenueFlags, host: Host) {
  const snapshot = flags.snapshot === undefined ? null : await openSnapshot(flags.snapshot, host)
  // A time without a zone is in the venue's time zone.
  const options = parseVenueFlags(flags, host.now(), new Problems(), snapshot?.read.header.venues[0].timezone)
  const { clock } = options
  // A frozen clock starts at the exact time of the snapshot.
  const startAt = clock?.startAt ?? (snapshot ? Date.parse(snapshot.read.header.clock) : undefined)
  return { options: { ...options, clock: clock && { ...clock, startAt }, fill: snapshot?.read.fill }, snapshot }
}

/**
 * Reports which subscriptions now send webhooks without credentials, because the loaded snapshot does not contain
 * credentials.
 */
export async function reportLostCredentials(
  { withoutCredentials }: Snapshot,
  say: (text: string) => Promise<void>,
): Promise<void> {
  if (withoutCredentials.length === 0) return
  const [event] = withoutCredentials
  await say(
    `snapshots do not contain the credentials of ${withoutCredentials.join(', ')}, so these webhooks are sent without credentials; to set them again: partner webhooks update ${event} URL --security-key env:NAME`,
  )
}
