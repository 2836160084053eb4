import { Failure } from '../../base/failure/failure.ts'
import type { JsonObject } from '../../base/json/exact.ts'
import { findTarget, TARGET_FLAGS } from '../../features/sandbox/target.ts'
import { deliveryViews } from '../../features/sandbox/views/deliveries.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class SandboxDeliveries extends PartnerCommand {
  static override summary = "List the sandbox's webhook deliveries, or the attempts of one delivery."
  static override description =
    'A delivery that gets no 2xx response within five seconds is retried after 10 s, 1 min, 5 min, 30 min, 2 h, 6 h and 24 h of sandbox time. After that, the sandbox gives up. Webhooks are delivered while a sandbox is running, and at the end of each command with --profile sandbox.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json --columns id,event,status',
    '<%= config.bin %> sandbox clock advance 10s && <%= config.bin %> <%= command.id %>',
  ]
  static override args = {
    id: optionalArgument('number of a delivery, to show its attempts (default: list all deliveries)'),
  }
  static override flags = TARGET_FLAGS

  async run(): Promise<void> {
    const { args, flags, show, host } = await this.open(SandboxDeliveries)
    const problems = new Problems()
    const id = problems.wholeNumber('ID', args.id, 1, Number.MAX_SAFE_INTEGER)
    const target = await findTarget(flags, host.env, problems)
    const deliveries = await target.use('to-read', (control) => control.listDeliveries())
    const records = deliveries as unknown as readonly JsonObject[]
    if (id === undefined) return show.all(records, deliveryViews.list)
    const one = records.find((delivery) => delivery['id'] === id)
    if (!one)
      throw new Failure('NOT_FOUND', `${target.name} has no delivery ${id}`, {
        hint: 'to list them: partner sandbox deliveries',
      })
    await show.one(one, deliveryViews)
  }
}
