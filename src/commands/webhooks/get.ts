import { requiredArgument } from '../../cli/input/arguments.ts'
import { Problems } from '../../cli/input/problems.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { getWebhook } from '../../contract/webhooks.ts'
import { webhookCard, webhookList } from '../../views/webhooks.ts'
import { checkEvent } from './_input.ts'

export default class WebhooksGet extends ApiCommand {
  static override summary = 'Show the subscription for one event.'
  static override examples = ['<%= config.bin %> <%= command.id %> BOOKING_CREATED']
  static override args = { event: requiredArgument('event, such as BOOKING_CREATED') }

  async run(): Promise<void> {
    const { args } = await this.input(WebhooksGet)
    const problems = new Problems()
    if (!this.skipsValidation) checkEvent(args.event, problems)
    problems.throwIfAny()
    const subscription = await this.send(getWebhook, { path: { event: args.event } })
    await this.showAnswer(subscription, { card: webhookCard, list: webhookList })
  }
}
