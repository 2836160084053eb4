import { requiredArgument } from '../../cli/input/arguments.ts'
import { buildBody, TAKEN_OUT } from '../../cli/input/body.ts'
import { BODY_CALL_FLAGS } from '../../cli/input/flags.ts'
import { Problems } from '../../cli/input/problems.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import { updateWebhook } from '../../contract/webhooks.ts'
import { webhookCard, webhookList } from '../../views/webhooks.ts'
import { CREDENTIAL_FLAGS, checkedCredentials, checkSubscribed, EVENT_ARGUMENT } from './_input.ts'

export default class WebhooksUpdate extends PartnerCommand {
  static override summary = 'Change the URL or the credentials of a subscription.'
  static override description =
    'The URL is always sent: give the current one to change only the credentials. What happens to credentials you leave out is not documented.'
  static override examples = [
    '<%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED https://pos.example.com/hooks/v2',
    '(umask 077; openssl rand -hex 16 > new.key) && <%= config.bin %> webhooks create BOOKING_CREATED https://pos.example.com/hooks && <%= config.bin %> <%= command.id %> BOOKING_CREATED https://pos.example.com/hooks --security-key file:new.key',
  ]
  static override args = {
    event: EVENT_ARGUMENT,
    url: requiredArgument('http or https URL to deliver to'),
  }
  static override baseFlags = BODY_CALL_FLAGS
  static override flags = CREDENTIAL_FLAGS

  async run(): Promise<void> {
    const { args, flags, service, show, host, warn } = await this.open(WebhooksUpdate)
    const credentials = await checkedCredentials({
      event: args.event,
      url: args.url,
      flags,
      skipsValidation: flags['no-validate'] === true,
      host,
      warn,
    })
    const problems = new Problems()
    const body = await buildBody(flags, { event: TAKEN_OUT, webhookUrl: args.url, ...credentials }, problems)
    problems.throwIfAny()
    const check = `partner webhooks get ${args.event}`
    const answer = await service.send(updateWebhook, { path: { event: args.event }, body }, { check })
    if (answer === null) return
    checkSubscribed(answer)
    await show.answer(answer, { card: webhookCard, list: webhookList })
  }
}
