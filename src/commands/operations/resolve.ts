import { requiredArgument } from '../../cli/input/arguments.ts'
import { CALL_FLAGS, flag } from '../../cli/input/flags.ts'
import { PartnerCommand } from '../../cli/runtime/command.ts'
import type { Host } from '../../cli/runtime/host.ts'
import { Failure, usageFailure } from '../../failure/failure.ts'
import { INBOUND_REDEEM } from '../../money/inbound.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { momentHere } from '../../money/operations/moment.ts'
import type { Operation } from '../../money/operations/operation.ts'
import { judgeOperation } from '../../money/resolve.ts'
import { operationCard, operationList } from '../../views/operations.ts'

export default class OperationsResolve extends PartnerCommand {
  static override baseFlags = CALL_FLAGS
  static override summary = 'Find out, by reads alone, what became of a write whose answer was lost.'
  static override description =
    `The balance or status now is compared with the one before it was sent. An unchanged one proves that nothing was done only a minute after it was sent: until then the service may still be at work.

When it cannot be told (something else moved the balance as well), look at the card and the till, and say what you found with --as.`
  static override examples = [
    '<%= config.bin %> <%= command.id %> op_3f0b2c9d1e',
    '<%= config.bin %> <%= command.id %> op_3f0b2c9d1e --as not-applied',
  ]
  static override args = { id: requiredArgument('operation ID, as operations list prints it') }
  static override flags = { as: flag('applied|not-applied', 'What you found out yourself; nothing is read.') }

  async run(): Promise<void> {
    const { args, flags, service, show, ask, operations, host } = await this.open(OperationsResolve)
    const said = flags.as
    if (said !== undefined && said !== 'applied' && said !== 'not-applied')
      throw usageFailure([`--as must be applied or not-applied, not ${JSON.stringify(said)}`])
    const shown = (found: Operation) => show.one(describeOperation(found), { card: operationCard, list: operationList })
    const store = await operations.open()
    const operation = store.get(args.id)
    if (operation.state !== 'open') return shown(operation)
    if (said !== undefined) {
      await ask.confirm(
        `Note that ${operation.command} ${operation.target} at ${operation.service} was ${said === 'applied' ? 'done' : 'not done'}?`,
      )
      return shown(store.settle(operation.id, said, 'said by a person', momentHere()))
    }
    if (operation.profile !== null && flags.profile === undefined) {
      if (flags['base-url'] === undefined && isLedElsewhere(operation, host.env)) service.useProfile(operation.profile)
      else service.preferProfile(operation.profile, operation.id)
    }
    if (operation.command === INBOUND_REDEEM) await service.signedSession()
    const desk = await service.moneyDesk('reading')
    if (desk.service !== operation.service)
      throw usageFailure(
        [`${operation.id} belongs to ${operation.service}, and this profile is for ${desk.service}`],
        'name its profile with --profile',
      )
    const verdict = await judgeOperation(desk, operation)
    if (verdict.state === 'unknown')
      throw new Failure(
        'OUTCOME_UNKNOWN',
        `it cannot be told yet whether ${operation.command} ${operation.target} was done: ${verdict.how}`,
        {
          hint: `run it again later, or say what you found: partner operations resolve ${operation.id} --as applied|not-applied`,
          outcome: 'unknown',
          details: { operation: operation.id },
        },
      )
    await shown(store.settle(operation.id, verdict.state, verdict.how, desk.clock()))
  }
}

/** Whether PARTNER_BASE_URL is for another service than the operation, whose profile was then named by a flag. */
function isLedElsewhere({ service }: Operation, env: Host['env']): boolean {
  const { PARTNER_BASE_URL: address, PARTNER_PROFILE: named } = env
  if (!address || named) return false
  return URL.parse(address)?.href.replace(/\/+$/, '') !== service
}
