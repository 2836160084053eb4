import { dataDirectory } from '../../base/storage/directories.ts'
import type { Snapshot } from '../../sandbox/snapshot/read.ts'
import type { Store } from '../../sandbox/store/store.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import { parseVenueFlags, type VenueFlags } from './flags.ts'

/** A snapshot that was found, read and checked. */
export type OpenedSnapshot = Awaited<ReturnType<typeof openSnapshot>>

/**
 * Opens a snapshot by what a person calls it; `fill` fills empty tables with it.
 * Fails: NOT_FOUND; USAGE when it is none, or has a line that is wrong.
 */
export async function openSnapshot(word: string, { env, signal }: Host) {
  const [{ findSnapshot }, { savedIn }, { readSnapshot }, { fillFrom }] = await Promise.all([
    import('../../sandbox/snapshot/files.ts'),
    import('../../sandbox/snapshot/names.ts'),
    import('../../sandbox/snapshot/read.ts'),
    import('../../sandbox/snapshot/fill.ts'),
  ])
  const found = await findSnapshot(word, savedIn(dataDirectory(env)), signal)
  const read = readSnapshot(found.text, found.name)
  return { found, read, fill: (store: Store) => fillFrom(store, read) }
}

/** What the flags ask for, which have been found right, and the snapshot that they name. Fails: as {@link openSnapshot}. */
export async function readWishes(flags: VenueFlags, host: Host) {
  const snapshot = flags.snapshot === undefined ? null : await openSnapshot(flags.snapshot, host)
  // A time without a zone is meant in that of the venue.
  const wishes = parseVenueFlags(flags, host.now(), new Problems(), snapshot?.read.header.venues[0].timezone)
  const { clock } = wishes
  // Frozen, the clock has the time of the snapshot, to the millisecond.
  const startAt = clock?.startAt ?? (snapshot ? Date.parse(snapshot.read.header.clock) : undefined)
  return { wishes: { ...wishes, clock: clock && { ...clock, startAt }, fill: snapshot?.fill }, snapshot }
}

/** Says which subscriptions of a snapshot had credentials, as their webhooks now come without. */
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
