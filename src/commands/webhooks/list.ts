import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { listWebhooks } from '../../contract/webhooks.ts'
import { webhookList } from '../../views/webhooks.ts'

export default class WebhooksList extends ApiCommand {
  static override summary = 'List the webhook subscriptions of the location.'
  static override description = 'Credentials cannot be read back; it only shows whether any are sent.'
  static override examples = ['<%= config.bin %> <%= command.id %>']

  async run(): Promise<void> {
    await this.input(WebhooksList)
    await this.showList(this.records(listWebhooks, {}), webhookList)
  }
}
