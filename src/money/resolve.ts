import type { FailureCode } from '../base/failure/exit-codes.ts'
import { Failure } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import { getLiveness } from '../base/storage/owner.ts'
import { pause } from '../http/client/retry.ts'
import type { MoneyDesk } from './desk.ts'
import { CANCEL, REDEEM, weighOpenCancel, weighOpenRedeem } from './giftcards.ts'
import { INBOUND_REDEEM, weighOpenInbound } from './inbound.ts'
import type { Settled } from './ledger/statements.ts'
import { describeProcess, mayStillSend } from './operations/already-open.ts'
import { mostElapsedMs } from './operations/moment.ts'
import type { Operation } from './operations/operation.ts'
import { mayBeInProgress, quietMs } from './operations/settling.ts'
import { SALE, weighOpenSale } from './sales.ts'
import { type Evidence, type Verdict, verdictOf } from './verdict.ts'

/**
 * Determines an operation's outcome with read requests only. Throws if a request fails. Throws OUTCOME_UNKNOWN if
 * another process has removed the operation.
 */
export async function judgeOperation(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  const { store, clock } = desk
  if (operation.state !== 'open') return settledVerdict(operation)
  if (mayBeInProgress(operation, clock()))
    return { state: 'unknown', how: `${describeProcess(operation.owner)} working on it`, isEarly: true }
  if (operation.phase === 'claimed') return { state: 'not-applied', how: 'it was never sent' }
  const seen = getLiveness(operation.owner) === 'gone' ? store.markGone(operation.id, clock()) : operation
  if (seen.state !== 'open') return settledVerdict(seen)
  // Measure the time before sending the request, because the response can reflect any later moment.
  const quiet = quietMs(seen, clock())
  return verdictOf(await weigh(desk, seen), quiet)
}

function settledVerdict({ state, how }: Operation): Verdict {
  return { state: state === 'open' ? 'unknown' : state, how: how ?? 'the service responded to the write' }
}

/**
 * Records an operation's outcome on this machine and in the ledger. Throws NETWORK_ERROR, or OUTCOME_UNKNOWN if another
 * process might still be sending the write.
 */
export async function recordOutcome(
  { store, ledger, clock }: Pick<MoneyDesk, 'store' | 'ledger' | 'clock'>,
  { id, owner }: Operation,
  state: Settled,
  how: string,
): Promise<Operation> {
  if (ledger === undefined || owner.otherHost === undefined)
    return store.table.transaction(() => {
      const settled = store.settle(id, state, how, clock())
      ledger?.touch(id)
      return settled
    })
  // Settle the write in the ledger first, because the machine that owns it checks the ledger before sending it.
  await ledger.settle(id, state, how)
  const seen = store.reread(id)
  if (seen.state === 'open') throw mayStillSend(seen)
  return seen
}

const LOOK_EVERY_MS = 3000

/**
 * Tries to determine an operation's outcome until `waitMs` milliseconds have passed, or only once if `waitMs` is 0.
 * Tries again after errors that might be temporary. Throws the error of the last attempt.
 */
export async function judgeUntil(desk: MoneyDesk, operation: Operation, waitMs: number): Promise<Verdict> {
  const { hooks } = desk.caller
  const until = desk.clock()
  for (;;) {
    const left = waitMs - mostElapsedMs(until, desk.clock())
    await desk.ledger?.refreshOperation(operation.id)
    const verdict = await judgeOperation(desk, desk.store.reread(operation.id)).catch((error: unknown) => {
      if (left <= 0 || !(error instanceof Failure) || !MAY_PASS.has(error.code)) throw error
      return { state: 'unknown', how: error.message } as Verdict
    })
    if (verdict.state !== 'unknown' || left <= 0) return verdict
    const pauseMs = Math.min(left, LOOK_EVERY_MS)
    const over = hooks.waitsFor?.(
      `outcome still unknown; checking again in ${Math.ceil(pauseMs / 1000)} s; Ctrl-C stops checking`,
      'news',
    )
    await pause(pauseMs, hooks).finally(over)
  }
}

const MAY_PASS = new Set<FailureCode>(['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_ERROR', 'RATE_LIMITED'])

async function weigh(desk: MoneyDesk, operation: Operation): Promise<Evidence> {
  switch (operation.command) {
    case REDEEM:
      return weighOpenRedeem(desk, operation)
    case INBOUND_REDEEM:
      return weighOpenInbound(desk, operation)
    case CANCEL:
      return weighOpenCancel(desk, operation)
    case SALE:
      return weighOpenSale(desk, operation)
    default:
      return { state: 'unknown', how: `this release of partner cannot check ${operation.command}` }
  }
}

/** Creates the failure for a write whose outcome cannot be determined yet. */
export function stillUnknown({ id, command, target }: Operation, { how, isEarly }: Verdict): Failure {
  const resolve = formatCommand`operations resolve ${id}`
  return new Failure('OUTCOME_UNKNOWN', `cannot tell yet whether ${command} ${target} was done: ${how}`, {
    hint: isEarly
      ? `wait for the outcome: ${resolve} --wait`
      : `run it again later, or record what you found: ${resolve} --as applied, or --as not-applied`,
    outcome: 'unknown',
    details: { operation: id },
  })
}
