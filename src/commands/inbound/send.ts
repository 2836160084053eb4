import { requiredArgument } from '../../terminal/input/arguments.ts'
import { BODY_CALL_FLAGS } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import { readRawBody } from '../../terminal/input/raw/body.ts'
import { parseTarget } from '../../terminal/input/raw/target.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'

export default class InboundSend extends PartnerCommand {
  static override writes = 'money' as const
  static override summary = 'Post a signed body to any path, such as an endpoint made for your integration.'
  static override description =
    'PATH is relative to the base URL. The body is signed together with the URL and sent byte for byte.'
  static override usage = 'inbound send PATH --data JSON|@file|- [FLAGS]'
  static override examples = [
    `<%= config.bin %> <%= command.id %> /partners/sandbox-pos/giftcards/balance --data '{"cardNumber":"GIFT2-00005025-AAAA","locationId":"5f1d7a3e9b2c4d0012ab34cd"}'`,
  ]
  static override args = { path: requiredArgument('path relative to the base URL, such as /partners/my-pos/bookings') }
  static override baseFlags = BODY_CALL_FLAGS

  async run(): Promise<void> {
    const { args, flags, connection, service } = await this.open(InboundSend)
    const problems = new Problems()
    const target = parseTarget(args.path, problems)
    const bytes = await readRawBody('POST', flags, !flags['no-validate'], problems)
    const hint = 'for example --data @body.json; the service rejects a signed request without a body'
    if (bytes === undefined && !flags['no-validate']) problems.add('--data is required', hint)
    problems.throwIfAny()
    await connection.signedSession(['baseUrl', 'signingSecret', 'signatureHeader'])
    const { resolveEndpoint } = await import('../../client/calls/raw.ts')
    const endpoint = resolveEndpoint('POST', target.path, true)
    await service.sendRaw(endpoint, { search: target.search, bytes: bytes ?? new Uint8Array() })
  }
}
