import { Failure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { valueAt } from '../../base/json/paths.ts'
import { getWebhook, updateWebhook } from '../../contract/webhooks.ts'
import { CREDENTIAL_FLAGS, EVENT_ARGUMENT, readSubscription } from '../../features/webhooks/sending/input.ts'
import { webhookCard, webhookList } from '../../features/webhooks/subscription-views.ts'
import { optionalArgument } from '../../terminal/input/arguments.ts'
import { buildBody, REMOVED } from '../../terminal/input/body.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Service } from '../../terminal/runtime/service.ts'
import { checkSubscribed } from '../../webhooks/subscriptions/apply.ts'

export default class WebhooksUpdate extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Change the URL or the credentials of a subscription.'
  static override description =
    'If you omit URL, the command reads the current URL and sends it again with the new credentials; a dry run reads it too. The documentation of the service does not say what happens to credentials that you omit.'
  static override examples = [
    '<%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED https://pos.example.com/hooks/v2',
    '(umask 077; openssl rand -hex 16 > new.key) && <%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED --security-key file:new.key',
  ]
  static override args = {
    event: EVENT_ARGUMENT,
    url: optionalArgument('http or https URL to deliver to (default: the current one)'),
  }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = CREDENTIAL_FLAGS

  async run(): Promise<void> {
    const opened = await this.open(WebhooksUpdate)
    const { args, flags, service, show } = opened
    const { event, credentials } = await readSubscription(args, flags, opened)
    const problems = new Problems()
    const change = await buildBody(flags, { event: REMOVED, webhookUrl: args.url, ...credentials }, problems)
    if (Object.keys(change).length === 0)
      problems.add(
        'pass a URL or new credentials: --security-key, --security-token',
        'see partner webhooks update --help; nothing was sent',
      )
    problems.throwIfAny()
    const body = { webhookUrl: change['webhookUrl'] ?? (await readPresentUrl(service, event)), ...change }
    const check = formatCommand`webhooks get ${event}`
    const answer = await service.send(updateWebhook, { path: { event }, body }, { check })
    if (answer === null) return
    checkSubscribed(answer)
    await show.answer(answer, { card: webhookCard, list: webhookList }, { event, webhookUrl: body.webhookUrl })
  }
}

/**
 * Returns a subscription's current URL. Throws SERVICE_ERROR if the response does not contain one. Also throws any
 * error from `call`.
 */
async function readPresentUrl(service: Service, event: string): Promise<string> {
  const { value, call } = await service.read(getWebhook, { path: { event } })
  const url = valueAt(value, 'webhookUrl')
  if (typeof url === 'string' && url !== '') return url
  throw new Failure('SERVICE_ERROR', "the service did not return the subscription's current URL", {
    hint: 'pass the URL after the event: partner webhooks update --help; nothing was sent',
    request: call.request,
  })
}
