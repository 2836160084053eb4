import { dataDirectory } from '../../../base/storage/directories.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { savedViews } from '../../../features/sandbox/views/snapshots.ts'
import { wouldReplaceSnapshot, writeSnapshotFile } from '../../../sandbox/snapshot/files.ts'
import { resolveSavePath, snapshotsDirectory } from '../../../sandbox/snapshot/names.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxSnapshotSave extends PartnerCommand {
  static override summary = 'Save the whole state of the sandbox under a name, or as a file.'
  static override description =
    'A snapshot contains bookings, customers, sales, cards, subscriptions without their credentials, undelivered webhooks, faults and the clock, but not the journal. It is text with one record per line, so you can store it with a test suite. If a snapshot with that name exists, the command asks before replacing it; without a terminal, --yes is required.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> before-dinner',
    '<%= config.bin %> <%= command.id %> ./dinner.snapshot',
  ]
  static override args = { name: requiredArgument('a name, or a file path (contains a slash or ends in .snapshot)') }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, ask, host } = await this.open(SandboxSnapshotSave)
    const problems = new Problems()
    const directory = snapshotsDirectory(dataDirectory(host.env))
    const checked = problems.check(() => resolveSavePath(args.name, directory))
    const target = await findTarget(flags, host.env, problems)
    const place = problems.valueOrThrow(checked)
    if (wouldReplaceSnapshot(place.file, directory))
      await ask.confirm(`Replace the snapshot ${args.name} (${place.file})?`)
    const text = await target.use('to-read', (control) => control.saveSnapshot())
    writeSnapshotFile(place.file, text, directory)
    await show.one({ ...place }, savedViews)
  }
}
