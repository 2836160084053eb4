import { formatCommand } from '../../base/failure/suggested.ts'
import { createWebhook } from '../../contract/webhooks.ts'
import { CREDENTIAL_FLAGS, EVENT_ARGUMENT, readSubscription } from '../../features/webhooks/sending/input.ts'
import { webhookCard, webhookList } from '../../features/webhooks/subscription-views.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { buildBody } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import { checkSubscribed } from '../../webhooks/subscriptions/apply.ts'

export default class WebhooksCreate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Subscribe a URL to an event.'
  static override description =
    'There is one subscription per event and location. Credentials are sent in a header of each delivery; pass them by reference, so that they are never shown.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> BOOKING_CREATED https://pos.example.com/hooks',
    'openssl rand -hex 16 | tee hook.key | <%= config.bin %> <%= command.id %> GIFTCARDS_REDEEMED https://pos.example.com/hooks --security-key -',
  ]
  static override args = { event: EVENT_ARGUMENT, url: requiredArgument('http or https URL to deliver to') }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = CREDENTIAL_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(WebhooksCreate)
    const { args, flags, service, show } = opened
    const { event, credentials } = await readSubscription(args, flags, opened)
    const problems = new Problems()
    const body = await buildBody(flags, { event, webhookUrl: args.url, ...credentials }, problems)
    problems.throwIfAny()
    const answer = await service.send(createWebhook, { body }, { check: formatCommand`webhooks get ${event}` })
    if (answer === null) return
    checkSubscribed(answer)
    await show.answer(answer, { card: webhookCard, list: webhookList }, { event, webhookUrl: args.url })
  }
}
