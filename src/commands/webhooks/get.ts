import { getWebhook } from '../../contract/webhooks.ts'
import { EVENT_ARGUMENT, requireEventName } from '../../features/webhooks/sending/input.ts'
import { webhookCard, webhookList } from '../../features/webhooks/subscription-views.ts'
import { CHECKED_CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class WebhooksGet extends PartnerCommand {
  static override summary = 'Show the subscription for an event.'
  static override examples = [
    '<%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED',
  ]
  static override args = { event: EVENT_ARGUMENT }
  static override baseFlags = { ...MANY_FLAGS, ...CHECKED_CALL_FLAGS }

  async run(): Promise<void> {
    const { args, flags, service, show } = await this.open(WebhooksGet)
    const event = requireEventName(args.event, !flags['no-validate'])
    const subscription = await service.send(getWebhook, { path: { event } })
    await show.answer(subscription, { card: webhookCard, list: webhookList })
  }
}
