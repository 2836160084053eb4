import { dataDirectory } from '../../base/storage/directories.ts'
import { endOperations, forgetAddresses, listServiceNames } from '../../features/sandbox/open-operations.ts'
import { chooseDirectory, DATA_FLAG } from '../../features/sandbox/target.ts'
import { resetViews } from '../../features/sandbox/views/venue.ts'
import { resetSandbox } from '../../sandbox/reset.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SandboxReset extends PartnerCommand {
  static override summary = "Delete the sandbox's venue; the next start creates a new one."
  static override description =
    "A reset deletes the sandbox's bookings, cards, subscriptions, faults and journal, resets its clock, and ends its open operations. A sandbox that is running on the same data immediately switches to a new venue."
  static override examples = [
    '<%= config.bin %> <%= command.id %> --yes',
    '<%= config.bin %> <%= command.id %> --yes --data ./venue',
  ]
  static override flags = DATA_FLAG

  async run(): Promise<void> {
    const { flags, show, ask, host } = await this.open(SandboxReset)
    const problems = new Problems()
    const data = chooseDirectory(flags.data, host.env, problems)
    problems.throwIfAny()
    await ask.confirm(`Delete the sandbox in ${data}?`)
    const services = listServiceNames(data, host.env)
    const existed = resetSandbox(data)
    endOperations(dataDirectory(host.env), services, 'the sandbox was reset')
    forgetAddresses(data)
    await show.one({ reset: data, existed }, resetViews)
  }
}
