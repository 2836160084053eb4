import { inboundEvent } from '../../contract/inbound.ts'
import { partnerNameOf } from '../../features/inbound/input.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readRawBody } from '../../terminal/input/raw/body.ts'
import { checkId } from '../../terminal/input/values/ids.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class InboundEvent extends PartnerCommand {
  static override writes = 'booking' as const
  static override summary = 'Sign one of your own events and send it to the service.'
  static override description =
    'You agree on the payload at onboarding; it is signed and sent byte for byte. The event webhooks.test_notification changes nothing, and the service responds with 200.'
  static override usage = 'inbound event TYPE --data JSON|@file|- [FLAGS]'
  static override examples = [
    `<%= config.bin %> <%= command.id %> webhooks.test_notification --data '{"test":true}'`,
    `echo '{"saleId":"S-1001"}' | <%= config.bin %> <%= command.id %> sale.completed --data -`,
  ]
  static override args = { type: requiredArgument('event type, as agreed at onboarding') }
  static override baseFlags = BODY_CALL_FLAGS

  async run(): Promise<void> {
    const { args, flags, connection, service } = await this.open(InboundEvent)
    const problems = new Problems()
    problems.check(() => checkId(args.type, 'TYPE'))
    const bytes = await readRawBody('POST', flags, !flags['no-validate'], problems)
    if (bytes === undefined) problems.add('--data is required', 'for example --data @event.json')
    problems.throwIfAny()
    const session = await connection.signedSession()
    const path = { partnerName: partnerNameOf(session), eventType: args.type }
    await service.sendRaw(inboundEvent, { path, bytes })
  }
}
