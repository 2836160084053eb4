import { requiredArgument } from '../../cli/input/arguments.ts'
import { bodyFrom } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'
import { createWebhook } from '../../contract/webhooks.ts'
import { webhookCard, webhookList } from '../../views/webhooks.ts'
import { CREDENTIAL_FLAGS, checkedCredentials, checkSubscribed } from './_input.ts'

export default class WebhooksCreate extends ApiCommand {
  static override summary = 'Subscribe a URL to an event.'
  static override description =
    'There is one subscription an event and location. The credentials are sent in a header of each delivery; they are given by reference and never shown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BOOKING_CREATED https://pos.example.com/hooks --security-key env:HOOK_KEY',
    'pass show hooks/key | <%= config.bin %> <%= command.id %> GIFTCARDS_REDEEMED https://pos.example.com/hooks --security-key -',
  ]
  static override args = {
    event: requiredArgument('event, such as BOOKING_CREATED'),
    url: requiredArgument('http or https URL that takes the deliveries'),
  }
  static override flags = CREDENTIAL_FLAGS

  async run(): Promise<void> {
    const { args, flags } = await this.input(WebhooksCreate)
    const credentials = await checkedCredentials({
      event: args.event,
      url: args.url,
      flags,
      skipsValidation: this.skipsValidation,
      host: this.host,
      warn: (line) => void this.say(`warning: ${line}`),
    })
    const problems = new Problems()
    const body = await bodyFrom(flags, { event: args.event, webhookUrl: args.url, ...credentials }, problems)
    problems.throwIfAny()
    const answer = await this.send(createWebhook, { body }, { check: `partner webhooks get ${args.event}` })
    checkSubscribed(answer)
    await this.showAnswer(answer, { card: webhookCard, list: webhookList })
  }
}
