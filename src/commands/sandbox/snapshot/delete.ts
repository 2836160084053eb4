import { dataDirectory } from '../../../base/storage/directories.ts'
import { deletedViews } from '../../../features/sandbox/views/snapshots.ts'
import { deleteSnapshot, findSavedFile } from '../../../sandbox/snapshot/files.ts'
import { snapshotsDirectory } from '../../../sandbox/snapshot/names.ts'
import { requiredArgument } from '../../../terminal/input/arguments.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxSnapshotDelete extends PartnerCommand {
  static override summary = 'Delete a snapshot that you saved.'
  static override examples = [
    '<%= config.bin %> sandbox snapshot save before-dinner && <%= config.bin %> <%= command.id %> before-dinner --yes',
  ]
  static override args = { name: requiredArgument('name of the snapshot, as sandbox snapshot list prints it') }

  async run(): Promise<void> {
    const { args, show, ask, host } = await this.open(SandboxSnapshotDelete)
    const file = findSavedFile(args.name, snapshotsDirectory(dataDirectory(host.env)))
    await ask.confirm(`Delete the snapshot ${args.name} (${file})?`)
    deleteSnapshot(file)
    await show.one({ name: args.name, file }, deletedViews)
  }
}
