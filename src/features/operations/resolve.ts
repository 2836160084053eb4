import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { parseDuration } from '../../base/time/duration.ts'
import { isSameService } from '../../client/same-service.ts'
import type { MoneyDesk } from '../../money/desk.ts'
import { INBOUND_REDEEM } from '../../money/inbound.ts'
import { getCurrentMoment } from '../../money/operations/moment.ts'
import { type Operation, SAID_BY_USER } from '../../money/operations/operation.ts'
import { judgeUntil, recordOutcome, stillUnknown } from '../../money/resolve.ts'
import type { RunParts } from '../../terminal/runtime/run.ts'
import { showOperation, zoneFor } from './views.ts'

type ResolveFlags = { readonly [F in 'as' | 'wait' | 'profile' | 'base-url']?: string | undefined }

/**
 * Determines a money write's outcome or records the outcome given by `--as`. Throws USAGE or OUTCOME_UNKNOWN. Also
 * throws if the session cannot be opened.
 */
export async function resolveOperation(id: string, flags: ResolveFlags, parts: RunParts): Promise<void> {
  const { connection, ask, operations, host } = parts
  const { as } = flags
  const waitMs = flags.wait === undefined ? 0 : parseDuration(flags.wait, '--wait')
  if (as !== undefined && flags.wait !== undefined)
    throw usageFailure(['--as and --wait cannot be used together'], '--as records the outcome without any requests')
  if (as !== undefined && as !== 'applied' && as !== 'not-applied')
    throw usageFailure([`--as must be applied or not-applied, not ${JSON.stringify(as)}`])
  const store = await operations.open()
  const ledger = await operations.ledger()
  await ledger?.refreshOperation(id)
  const operation = store.get(id)
  const { command, target, service } = operation
  connection.zone = await zoneFor(connection, [operation.profile])
  if (operation.state !== 'open') return showOperation(parts, operation)
  if (as !== undefined) {
    const done = as === 'applied' ? 'done' : 'not done'
    await ask.confirm(`Record that ${command} ${target} at ${service} was ${done}?`)
    const recorder = { store, ledger: ledger ?? undefined, clock: getCurrentMoment }
    return showOperation(parts, await recordOutcome(recorder, operation, as, SAID_BY_USER))
  }
  chooseProfile(connection, operation, flags, host.env)
  const desk = await openDesk(operation, parts)
  if (!isSameService(desk.service, service))
    throw usageFailure(
      [`${operation.id} belongs to ${service}, but this profile is for ${desk.service}`],
      `select the operation's profile with --profile, or ${manualHint(operation)}`,
    )
  const verdict = await judgeUntil(desk, operation, waitMs)
  if (verdict.state === 'unknown') throw stillUnknown(operation, verdict)
  await showOperation(parts, await recordOutcome(desk, operation, verdict.state, verdict.how))
}

const DEFAULT_WAIT = '10m'

/** Matches a word after `--wait` that is another flag or an operation ID, not a mistyped duration. */
const NO_DURATION = /^(?:-[a-z-]|op_)/i

/** Adds the default duration to a bare `--wait`, because an oclif flag that accepts a value requires one. */
export function addDefaultWait(words: readonly string[]): string[] {
  const isWait = (index: number) => words[index] === '--wait'
  const isValue = (index: number) => isWait(index - 1) && !NO_DURATION.test(words[index] ?? '')
  return words.flatMap((word, index) => {
    if (isWait(index))
      return `--wait=${index + 1 < words.length && isValue(index + 1) ? words[index + 1] : DEFAULT_WAIT}`
    return isValue(index) ? [] : word
  })
}

/**
 * Opens the money desk for an operation. Throws if the session cannot be opened. The hint of a NO_PROFILE failure
 * explains how to continue without the operation's profile.
 */
async function openDesk(operation: Operation, { connection, service }: RunParts): Promise<MoneyDesk> {
  try {
    if (operation.command === INBOUND_REDEEM) await connection.signedSession()
    return await service.moneyDesk('reading')
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NO_PROFILE') throw error
    const { words, said, details } = error
    const hint = `use a profile for ${operation.service} with --profile NAME, or ${manualHint(operation)}`
    throw new Failure('NO_PROFILE', words, { said, details, hint, cause: error })
  }
}

function manualHint({ id }: Operation): string {
  return `check the card and the till, and record what you found: ${formatCommand`operations resolve ${id} --as applied`}, or --as not-applied`
}

/** Uses the operation's profile unless the command line names a different one. */
function chooseProfile(
  connection: RunParts['connection'],
  operation: Operation,
  flags: ResolveFlags,
  { PARTNER_BASE_URL: address, PARTNER_PROFILE: named }: RunParts['host']['env'],
): void {
  if (operation.profile === null || flags.profile !== undefined) return
  // If PARTNER_BASE_URL names a different service, the write must have been made with `--profile`.
  const pointsElsewhere =
    address && !named && !isSameService(URL.parse(address)?.href.replace(/\/+$/, '') ?? null, operation.service)
  if (flags['base-url'] === undefined && pointsElsewhere) connection.useProfile(operation.profile)
  else connection.preferProfile(operation.profile, operation.id)
}
