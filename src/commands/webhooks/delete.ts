import { deleteWebhook } from '../../contract/webhooks.ts'
import { EVENT_ARGUMENT, requireEventName } from '../../features/webhooks/sending/input.ts'
import { deletedWebhookCard, deletedWebhookList } from '../../features/webhooks/subscription-views.ts'
import { CHECKED_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class WebhooksDelete extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Delete the subscription for an event.'
  static override examples = [
    '<%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED --yes',
  ]
  static override args = { event: EVENT_ARGUMENT }
  static override baseFlags = CHECKED_CALL_FLAGS

  async run(): Promise<void> {
    const { args, flags, connection, service, show, ask } = await this.open(WebhooksDelete)
    const event = requireEventName(args.event, !flags['no-validate'])
    const input = service.complete(deleteWebhook, { path: { event } })
    // Opens the session first, because the confirmation prompt names the service.
    await connection.session()
    await ask.confirm(`Delete the subscription for ${event}?`)
    const answer = await service.send(deleteWebhook, input, { check: 'partner webhooks list' })
    if (answer === null) return
    const views = { card: deletedWebhookCard, list: deletedWebhookList }
    await show.answer(answer, views, { event, deleted: true })
  }
}
