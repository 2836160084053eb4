import { requiredArgument } from '../../cli/input/arguments.ts'
import { Problems } from '../../cli/input/problems.ts'
import { rawBody } from '../../cli/input/raw/body.ts'
import { endpointOf, rawTarget } from '../../cli/input/raw/target.ts'
import { ApiCommand } from '../../cli/runtime/api-command.ts'

export default class InboundSend extends ApiCommand {
  static override summary = 'Post a signed body to any path of the service, such as an endpoint made for this partner.'
  static override description = 'PATH is below the base URL. The body is signed with the URL and sent byte for byte.'
  static override examples = ['<%= config.bin %> <%= command.id %> /partners/my-pos/bookings --data @booking.json']
  static override args = { path: requiredArgument('path below the base URL, such as /partners/my-pos/bookings') }

  async run(): Promise<void> {
    const { args, flags } = await this.input(InboundSend)
    const problems = new Problems()
    const target = rawTarget(args.path, problems)
    const bytes = await rawBody('POST', flags, !this.skipsValidation, problems)
    if (bytes === undefined && !this.skipsValidation)
      problems.add('--data is required: the service refuses a signed request without a body')
    problems.throwIfAny()
    await this.signedSession(['baseUrl', 'signingSecret', 'signatureHeader'])
    const endpoint = await endpointOf('POST', target, true)
    await this.sendRaw(endpoint, { search: target.search, bytes: bytes ?? new Uint8Array() })
  }
}
