import { dataDirectory } from '../../../base/storage/directories.ts'
import { endOperations, listServiceNames } from '../../../features/sandbox/open-operations.ts'
import { openSnapshot, reportLostCredentials } from '../../../features/sandbox/snapshots.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { loadedViews } from '../../../features/sandbox/views/snapshots.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxSnapshotLoad extends PartnerCommand {
  static override summary = "Replace the sandbox's venue with a snapshot."
  static override description =
    "Loading a snapshot deletes the sandbox's bookings, cards, sales, subscriptions, faults and journal, resets its clock, and ends its open operations. A running sandbox immediately switches to the new venue, and its clock continues from the time in the snapshot."
  static override examples = [
    '<%= config.bin %> <%= command.id %> busy-friday --yes',
    '<%= config.bin %> sandbox snapshot save ./dinner.snapshot && <%= config.bin %> <%= command.id %> ./dinner.snapshot --data ./venue --yes',
  ]
  static override args = {
    snapshot: requiredArgument('name of the snapshot, as sandbox snapshot list prints it, or a file'),
  }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, ask, host, say } = await this.open(SandboxSnapshotLoad)
    const target = await findTarget(flags, host.env)
    const snapshot = await openSnapshot(args.snapshot, host)
    await ask.confirm(`Replace ${target.name} with the snapshot ${args.snapshot}?`)
    const venue = await target.use('to-change', (control) => control.loadSnapshot(snapshot.found))
    const kept = venue.directory === null ? [] : listServiceNames(venue.directory, host.env)
    const services = target.origin === null ? kept : [...kept, target.origin]
    endOperations(dataDirectory(host.env), services, 'a snapshot was loaded into the sandbox')
    const { counts } = snapshot.read
    const loaded = {
      name: args.snapshot,
      clock: venue.now,
      frozen: venue.frozen,
      bookings: counts['booking'] ?? 0,
      customers: counts['customer'] ?? 0,
      sales: counts['sale'] ?? 0,
      giftcards: counts['card'] ?? 0,
      subscriptions: counts['subscription'] ?? 0,
      withoutCredentials: [...snapshot.read.withoutCredentials],
    }
    await show.one(loaded, loadedViews)
    await reportLostCredentials(snapshot.read, say)
  }
}
