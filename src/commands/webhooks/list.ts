import { listWebhooks } from '../../contract/webhooks.ts'
import { webhookList } from '../../features/webhooks/subscription-views.ts'
import { CALL_FLAGS, MANY_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class WebhooksList extends PartnerCommand {
  static override summary = "List the location's webhook subscriptions."
  static override description = 'Credentials cannot be read back; the list shows only whether any are sent.'
  static override examples = ['<%= config.bin %> <%= command.id %>']
  static override baseFlags = { ...MANY_FLAGS, ...CALL_FLAGS }

  async run(): Promise<void> {
    const { service, show } = await this.open(WebhooksList)
    await show.list(await service.records(listWebhooks, {}), webhookList)
  }
}
