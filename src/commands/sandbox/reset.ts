import { existsSync } from 'node:fs'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { operationsPath } from '../../money/operations/file.ts'
import { momentHere } from '../../money/operations/moment.ts'
import { resetSandbox } from '../../sandbox/reset.ts'
import { dataDirectory } from '../../storage/directories.ts'
import { resetCard, resetList } from '../../views/sandbox/venue.ts'
import { chooseDirectory, DATA_FLAG, sandboxDirectory } from './_target.ts'

export default class SandboxReset extends PartnerCommand {
  static override summary = "Delete the sandbox's venue; the next start makes a new one."
  static override description =
    'This deletes bookings, cards, subscriptions, faults, the clock and the journal, and ends open operations of the sandbox. A sandbox that is running on the same data has a new venue at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --yes --data ./venue',
  ]
  static override flags = DATA_FLAG

  async run(): Promise<void> {
    const { flags, show, ask, operations, host } = await this.open(SandboxReset)
    const problems = new Problems()
    const data = chooseDirectory(flags.data, host.env, problems)
    problems.throwIfAny()
    await ask.confirm(`Delete the sandbox in ${data}?`)
    const existed = resetSandbox(data)
    if (data === sandboxDirectory(host.env) && existsSync(operationsPath(dataDirectory(host.env)))) {
      // Their cards and sales are gone with the venue: nobody could find out what became of them.
      const store = await operations.open()
      store.endAll('sandbox', 'the sandbox was reset', momentHere())
    }
    await show.one({ reset: data, existed }, { card: resetCard, list: resetList })
  }
}
