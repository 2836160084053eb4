import { existsSync } from 'node:fs'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { operationsPath } from '../../money/operations/file.ts'
import { momentHere } from '../../money/operations/moment.ts'
import { resetSandbox } from '../../sandbox/reset.ts'
import { dataDirectory } from '../../storage/directories.ts'
import { resetCard, resetList } from '../../views/sandbox/venue.ts'
import { DATA_FLAG, dataOf, sandboxDirectory } from './_target.ts'

export default class SandboxReset extends PartnerCommand {
  static override summary = 'Throw the venue of the sandbox away; the next start makes a new one.'
  static override description =
    'Bookings, cards, subscriptions, faults, the clock and the journal go, and open operations of the sandbox end. A sandbox that is running on the data has a new venue at once.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --yes --data ./venue',
  ]
  static override flags = DATA_FLAG

  async run(): Promise<void> {
    const { flags, show, ask, operations, host } = await this.open(SandboxReset)
    const problems = new Problems()
    const data = dataOf(flags.data, host.env, problems)
    problems.throwIfAny()
    await ask.confirm(`Throw away the sandbox in ${data}?`)
    const existed = resetSandbox(data)
    if (data === sandboxDirectory(host.env) && existsSync(operationsPath(dataDirectory(host.env)))) {
      // Their cards and sales are gone with the venue, so that nobody could find out what became of them.
      const store = await operations.open()
      store.endAll('sandbox', 'the sandbox was reset', momentHere())
    }
    await show.one({ reset: data, existed }, { card: resetCard, list: resetList })
  }
}
