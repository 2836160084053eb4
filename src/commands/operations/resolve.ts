import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { suggest } from '../../base/failure/suggested.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { isSameService } from '../../client/same-service.ts'
import { showOperation, zoneFor } from '../../features/operations/shown.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import { INBOUND_REDEEM } from '../../money/inbound.ts'
import { momentHere } from '../../money/operations/moment.ts'
import { type Operation, SAID_BY_USER } from '../../money/operations/operation.ts'
import { judgeUntil } from '../../money/resolve.ts'
import type { Verdict } from '../../money/verdict.ts'
import { requiredArgument } from '../../terminal/input/arguments.ts'
import type { CommonFlags } from '../../terminal/input/command-line.ts'
import { flag, LOOK_FLAGS } from '../../terminal/input/flags.ts'
import { PartnerCommand } from '../../terminal/runtime/command.ts'
import type { Connection } from '../../terminal/runtime/connection.ts'
import type { Host } from '../../terminal/runtime/host.ts'
import type { Service } from '../../terminal/runtime/service.ts'

export default class OperationsResolve extends PartnerCommand {
  static override summary = 'Find out what became of a money write whose answer was lost, such as op_3f0b2c9d1e.'
  static override description =
    `It only reads: it compares the balance or status before the write with the current one. If both are the same, the write was not done; this is certain only a minute after it was sent, as the service may still be working on it until then.

If it cannot tell, because something else changed the balance too, check the card and the till, and record what you found: --as applied, or --as not-applied.`
  static override examples = [
    `<%= config.bin %> operations list --query "[?state=='open'].id" -o ndjson | xargs -r -n 1 <%= config.bin %> <%= command.id %>`,
  ]
  static override args = { id: requiredArgument('operation ID, as operations list prints it') }
  static override baseFlags = LOOK_FLAGS
  static override flags = {
    as: flag('applied|not-applied', 'Record what you found out yourself, without reading anything.'),
    wait: flag('[DUR]', 'Ask again until it can tell, for at most DUR (default: 10m).'),
  }

  async run(): Promise<void> {
    this.argv = withWaitSpelled(this.argv)
    const { args, flags, connection, service, show, say, ask, operations, host } = await this.open(OperationsResolve)
    const { as } = flags
    const waitMs = flags.wait === undefined ? 0 : parseDuration(flags.wait, '--wait')
    if (as !== undefined && flags.wait !== undefined)
      throw usageFailure(['--as and --wait cannot be given together'], '--as asks nobody')
    if (as !== undefined && as !== 'applied' && as !== 'not-applied')
      throw usageFailure([`--as must be applied or not-applied, not ${JSON.stringify(as)}`])
    const store = await operations.open()
    const operation = store.get(args.id)
    connection.zone = await zoneFor(connection, [operation])
    const showFound = (found: Operation) => showOperation({ show, say }, found)
    if (operation.state !== 'open') return showFound(operation)
    if (as !== undefined) {
      await ask.confirm(questionAbout(operation, as))
      return showFound(store.settle(operation.id, as, SAID_BY_USER, momentHere()))
    }
    chooseProfile(connection, operation, flags, host.env)
    const desk = await openDesk(operation, connection, service)
    if (!isSameService(desk.service, operation.service))
      throw usageFailure(
        [`${operation.id} belongs to ${operation.service}, but this profile is for ${desk.service}`],
        `give its profile with --profile; or ${byHand(operation)}`,
      )
    const verdict = await judgeUntil(desk, operation, waitMs)
    if (verdict.state === 'unknown') throw stillUnknown(operation, verdict)
    await showFound(store.settle(operation.id, verdict.state, verdict.how, desk.clock()))
  }
}

/** `--wait` alone means this long. */
const USUAL_WAIT = '10m'

/** What behind `--wait` is no duration, not even one that is typed wrong: another flag, or the ID of an operation. */
const NO_DURATION = /^(?:-[a-z-]|op_)/i

/** Gives a `--wait` without a duration the usual one, as a flag always has its value. */
function withWaitSpelled(words: readonly string[]): string[] {
  const isWait = (index: number) => words[index] === '--wait'
  const isValue = (index: number) => isWait(index - 1) && !NO_DURATION.test(words[index] ?? '')
  return words.flatMap((word, index) => {
    if (isWait(index)) return `--wait=${index + 1 < words.length && isValue(index + 1) ? words[index + 1] : USUAL_WAIT}`
    return isValue(index) ? [] : word
  })
}

/** Opens what the operation is looked into with. Fails: as the session, with how to go on without its profile. */
async function openDesk(operation: Operation, connection: Connection, service: Service): Promise<MoneyDesk> {
  try {
    if (operation.command === INBOUND_REDEEM) await connection.signedSession()
    return await service.moneyDesk('reading')
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NO_PROFILE') throw error
    const { words, said, details } = error
    const hint = `name a profile for ${operation.service} with --profile NAME; or ${byHand(operation)}`
    throw new Failure('NO_PROFILE', words, { said, details, hint, cause: error })
  }
}

function byHand({ id }: Operation): string {
  return `look at the card and the till, and say what you found: ${suggest`operations resolve ${id} --as applied`}, or --as not-applied`
}

function questionAbout({ command, target, service }: Operation, as: 'applied' | 'not-applied'): string {
  return `Record that ${command} ${target} at ${service} was ${as === 'applied' ? 'done' : 'not done'}?`
}

function stillUnknown({ id, command, target }: Operation, { how, isEarly }: Verdict): Failure {
  const resolve = suggest`operations resolve ${id}`
  return new Failure('OUTCOME_UNKNOWN', `cannot tell yet whether ${command} ${target} was done: ${how}`, {
    hint: isEarly
      ? `wait until it can tell: ${resolve} --wait`
      : `run it again later, or say what you found: ${resolve} --as applied, or --as not-applied`,
    outcome: 'unknown',
    details: { operation: id },
  })
}

/** An operation is looked into with the profile that it was made with, unless the command line names another. */
function chooseProfile(connection: Connection, operation: Operation, flags: CommonFlags, env: Host['env']): void {
  if (operation.profile === null || flags.profile !== undefined) return
  if (flags['base-url'] === undefined && isLedElsewhere(operation, env)) connection.useProfile(operation.profile)
  else connection.preferProfile(operation.profile, operation.id)
}

/** Whether PARTNER_BASE_URL is for another service than the operation, whose profile was then named by a flag. */
function isLedElsewhere({ service }: Operation, env: Host['env']): boolean {
  const { PARTNER_BASE_URL: address, PARTNER_PROFILE: named } = env
  if (!address || named) return false
  return !isSameService(URL.parse(address)?.href.replace(/\/+$/, '') ?? null, service)
}
