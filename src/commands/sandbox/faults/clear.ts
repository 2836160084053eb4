import { Failure } from '../../../base/failure/failure.ts'
import { findTarget, TARGET_FLAGS } from '../../../features/sandbox/target.ts'
import { clearedViews } from '../../../features/sandbox/views/faults.ts'
import { optionalArgument } from '../../../terminal/input/arguments.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { PartnerCommand } from '../../../terminal/runtime/command.ts'

export default class SandboxFaultsClear extends PartnerCommand {
  static override summary = 'Remove one fault, or all of them.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> sandbox faults add --endpoint "GET /Bookings" --status 503 && <%= config.bin %> <%= command.id %> 1',
  ]
  static override args = {
    id: optionalArgument('number of the fault, as sandbox faults list prints it (default: all)'),
  }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(SandboxFaultsClear)
    const problems = new Problems()
    const id = problems.wholeNumber('ID', args.id, 1, Number.MAX_SAFE_INTEGER)
    const target = await findTarget(flags, host.env, problems)
    const cleared = await target.use('to-read', (control) => control.clearFaults(id))
    if (id !== undefined && cleared === 0)
      throw new Failure('NOT_FOUND', `${target.name} has no fault ${id}`, {
        hint: 'to list them: partner sandbox faults list',
      })
    await show.one({ cleared }, clearedViews)
  }
}
