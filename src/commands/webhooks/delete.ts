import { requiredArgument } from '../../cli/input/arguments.ts'
import { Problems } from '../../cli/input/problems.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { deleteWebhook } from '../../contract/webhooks.ts'
import { deletedWebhookCard, deletedWebhookList } from '../../views/webhooks.ts'
import { checkEvent } from './_input.ts'

export default class WebhooksDelete extends ApiCommand {
  static override summary = 'Delete the subscription for an event; its deliveries stop.'
  static override examples = ['<%= config.bin %> <%= command.id %> BOOKING_CREATED --yes']
  static override args = { event: requiredArgument('event, such as BOOKING_CREATED') }

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksDelete)
    const problems = new Problems()
    if (!this.skipsValidation) checkEvent(args.event, problems)
    problems.throwIfAny()
    const input = this.completed(deleteWebhook, { path: { event: args.event } })
    // The question names the service.
    await this.session()
    await this.confirm(`Delete the subscription for ${args.event}?`)
    await this.send(deleteWebhook, input, { check: 'partner webhooks list' })
    const views = { card: deletedWebhookCard, list: deletedWebhookList }
    await this.showOne({ event: args.event, deleted: true }, views)
  }
}
