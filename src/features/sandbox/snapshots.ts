import { dataDirectory } from '../../base/storage/directories.ts'
import type { Snapshot } from '../../sandbox/snapshot/read.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { parseVenueFlags, type VenueFlags } from './flags.ts'

export type OpenedSnapshot = Awaited<ReturnType<typeof openSnapshot>>

/** Opens a snapshot by name or file. Fails: NOT_FOUND; USAGE when it is invalid. */
export async function openSnapshot(word: string, { env, signal }: Host) {
  const [{ findSnapshot }, { savedIn }, { readSnapshot }] = await Promise.all([
    import('../../sandbox/snapshot/files.ts'),
    import('../../sandbox/snapshot/names.ts'),
    import('../../sandbox/snapshot/read.ts'),
  ])
  const found = await findSnapshot(word, savedIn(dataDirectory(env)), signal)
  return { found, read: readSnapshot(found.text, found.name) }
}

/** The values of the flags, and the snapshot that they name. Fails: as {@link openSnapshot}. */
export async function readWishes(flags: VenueFlags, host: Host) {
  const snapshot = flags.snapshot === undefined ? null : await openSnapshot(flags.snapshot, host)
  // A time without a zone is in the venue's zone.
  const wishes = parseVenueFlags(flags, host.now(), new Problems(), snapshot?.read.header.venues[0].timezone)
  const { clock } = wishes
  // A frozen clock has the exact time of the snapshot.
  const startAt = clock?.startAt ?? (snapshot ? Date.parse(snapshot.read.header.clock) : undefined)
  return { wishes: { ...wishes, clock: clock && { ...clock, startAt }, fill: snapshot?.read.fill }, snapshot }
}

/** Says which subscriptions lost their credentials in a snapshot, as their webhooks come without. */
export async function tellWithoutCredentials(
  { withoutCredentials }: Snapshot,
  say: (text: string) => Promise<void>,
): Promise<void> {
  if (withoutCredentials.length === 0) return
  const [event] = withoutCredentials
  await say(
    `the credentials of ${withoutCredentials.join(', ')} are in no snapshot, so these webhooks come without; to give them again: partner webhooks update ${event} URL --security-key env:NAME`,
  )
}
