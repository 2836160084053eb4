import { dataDirectory } from '../../../base/storage/directories.ts'
import { openSnapshot, tellWithoutCredentials } from '../../../features/sandbox/snapshots.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { endOperations, servicesOf } from '../../../features/sandbox/venue-gone.ts'
import { loadedViews } from '../../../features/sandbox/views/snapshots.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxSnapshotLoad extends PartnerCommand {
  static override summary = "Put a snapshot in place of the sandbox's venue."
  static override description =
    'What the sandbox had is gone: bookings, cards, sales, subscriptions, faults, the clock and the journal. Its open operations end. A sandbox that is running has the new venue at once, and its time goes on from where it stood in the snapshot.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> busy-friday --yes',
    '<%= config.bin %> sandbox snapshot save ./dinner.snapshot && <%= config.bin %> <%= command.id %> ./dinner.snapshot --data ./venue --yes',
  ]
  static override args = { snapshot: requiredArgument('a name, as sandbox snapshot list prints it, or a file') }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, ask, host, say } = await this.open(SandboxSnapshotLoad)
    const target = await findTarget(flags, host.env)
    const snapshot = await openSnapshot(args.snapshot, host)
    await ask.confirm(`Replace ${target.name} by the snapshot ${args.snapshot}?`)
    const venue = await target.use('to-change', (control) => control.loadSnapshot(snapshot.found))
    const kept = venue.directory === null ? [] : servicesOf(venue.directory, host.env)
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
    await tellWithoutCredentials(snapshot.read, say)
  }
}
