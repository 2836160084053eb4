import { dataDirectory } from '../../../base/storage/directories.ts'
import { snapshotList } from '../../../features/sandbox/views/snapshots.ts'
import { listSnapshots } from '../../../sandbox/snapshot/files.ts'
import { snapshotsDirectory } from '../../../sandbox/snapshot/names.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxSnapshotList extends PartnerCommand {
  static override summary = 'List the ready-made snapshots and those that you saved.'
  static override description =
    'Each snapshot can be used with sandbox snapshot load, sandbox start --snapshot and sandbox exec --snapshot. Snapshots that you saved as files elsewhere are not listed.'
  static override examples = ['<%= config.bin %> <%= command.id %>', '<%= config.bin %> <%= command.id %> --json']

  async run(): Promise<void> {
    const { show, host } = await this.open(SandboxSnapshotList)
    const snapshots = listSnapshots(snapshotsDirectory(dataDirectory(host.env))).map((one) => ({ ...one }))
    await show.all(snapshots, snapshotList)
  }
}
