import { Failure, stripFullStop } from '../base/failure/failure.ts'
import { Interrupted } from '../base/failure/interrupted.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import type { MoneyDesk } from './desk.ts'
import type { Ledger } from './ledger/ledger.ts'
import { outcomeUnknown } from './operations/already-open.ts'
import type { Intent, Operation } from './operations/operation.ts'
import { type Evidence, type Verdict, verdictOf } from './verdict.ts'

/** A money write and the means to determine its outcome. */
export interface MoneyWrite<T> {
  readonly intent: Intent
  /**
   * Reads the state before the write, for a later comparison. Returns `null` if the state is uncertain. If it throws,
   * nothing is sent.
   */
  readonly before: (operation: Operation) => Promise<string | null>
  /**
   * Sends the write. Calls `onSend` immediately before each attempt. If the write might have taken effect, throws a
   * Failure with the outcome `unknown`. If it definitely did not, throws Interrupted, or a Failure with a different
   * outcome.
   */
  readonly send: (onSend: () => Promise<void>) => Promise<T>
  /** Gathers evidence that the write did or did not take effect. */
  readonly weigh: (operation: Operation) => Promise<Evidence>
}

/**
 * A completed write. If there was no usable response, `lost` explains why, and `how` states how the outcome was determined.
 */
export type MoneyResult<T> =
  | { readonly answer: T; readonly operation: Operation }
  | { readonly answer: null; readonly operation: Operation; readonly how: string; readonly lost: string }

/**
 * Performs a money write exactly once. Stores the write before sending it and removes it if the service rejects it. The
 * write stays open until the caller delivers the response and calls `OperationStore.conclude`. Throws the cause if the
 * write did not take effect, or OUTCOME_UNKNOWN with the operation's ID if the outcome is unknown. Throws INTERNAL,
 * without sending anything, if the write cannot be stored. Source: "Retries and outcomes" in the command line's design.
 */
export async function writeOnce<T>(desk: MoneyDesk, write: MoneyWrite<T>): Promise<MoneyResult<T>> {
  const { store, clock, caller, force } = desk
  const claimed = await claimTogether(desk, write.intent, () =>
    store.claim(write.intent, caller.attemptMs, clock(), force),
  )
  let before: string | null
  try {
    before = await write.before(claimed)
  } catch (error) {
    store.drop(claimed.id)
    throw markNotSent(error)
  }
  return sendAndSettle(desk, write, claimed, before)
}

/**
 * Claims a write or takes it over and calls `desk.onClaim` in the same transaction. Then claims it in the ledger, if
 * there is one. Throws the same errors as `claim` and `Ledger.claim`.
 */
export async function claimTogether(
  desk: MoneyDesk,
  { service, target }: Pick<Intent, 'service' | 'target'>,
  claim: () => Operation,
): Promise<Operation> {
  const { ledger, store, onClaim } = desk
  const together = desk.together ?? (ledger ? store.together : runImmediately)
  const claimHere = () =>
    together(() => {
      const operation = claim()
      onClaim?.(operation)
      ledger?.note(operation)
      return operation
    })
  const claimed = await claimHere().catch(async (error: unknown) => {
    if (!ledger || !(error instanceof Failure) || error.code !== 'OUTCOME_UNKNOWN') throw error
    // Another machine might have recorded the outcome of the identical write that is open here.
    await ledger.refresh(service, target, null).catch(() => {
      throw error
    })
    return claimHere()
  })
  try {
    await ledger?.claim(claimed, desk)
  } catch (error) {
    if (claimed.phase !== 'claimed') throw markInDoubt(error, claimed)
    store.drop(claimed.id)
    throw error
  }
  return claimed
}

/**
 * Asks the ledger about an open write, because another machine might have determined its outcome. Throws
 * OUTCOME_UNKNOWN if the ledger cannot be reached.
 */
export async function refreshOpen(ledger: Ledger, open: Operation): Promise<void> {
  await ledger.refresh(open.service, open.target, null).catch((error: unknown) => {
    throw markInDoubt(error, open)
  })
}

/** Converts the ledger's NETWORK_ERROR to OUTCOME_UNKNOWN, because an earlier run might have sent the write. */
function markInDoubt(error: unknown, { id }: Operation): unknown {
  if (!(error instanceof Failure) || error.code !== 'NETWORK_ERROR') return error
  return outcomeUnknown(id, `an earlier attempt may have succeeded: ${error.message}`, error.hint ?? '')
}

async function runImmediately<T>(work: () => T): Promise<T> {
  return work()
}

const CONFIRMED = 'the service confirmed the write when it was sent again'

/** Sends a stored write and determines its outcome. */
export async function sendAndSettle<T>(
  desk: MoneyDesk,
  write: MoneyWrite<T>,
  claimed: Operation,
  before: string | null = null,
): Promise<MoneyResult<T>> {
  const { store, clock, together = runImmediately } = desk
  let operation = claimed
  const onSend = async () => {
    await desk.ledger?.markSending(claimed.id, before)
    operation = await together(() => store.markSending(claimed.id, before, clock()))
    desk.onSending?.(claimed.id)
  }
  try {
    const answer = await write.send(onSend)
    // A write that an earlier run might have sent stays in the list of operations, with its outcome.
    store.markDone(claimed.id, claimed.phase === 'claimed' ? null : CONFIRMED, clock())
    return { answer, operation }
  } catch (error) {
    const doubt = classifyDoubt(error)
    if (doubt === null) {
      // If an earlier run might have sent the write, keep it open, even if it failed in this run.
      if (claimed.phase === 'claimed') store.drop(claimed.id)
      throw error
    }
    const { kind, failure } = doubt
    store.markLost(claimed.id, clock(), kind === 'redirected' ? 'redirected' : 'sending')
    const evidence = kind === 'redirected' ? REDIRECTED : await weigh(desk, write, operation)
    if (kind === 'refused' && evidence.state === 'unchanged' && claimed.phase === 'claimed') {
      store.drop(claimed.id)
      throw failure
    }
    const verdict = verdictOf(evidence, 0)
    if (verdict.state !== 'applied') throw unknownOutcome(failure, operation, verdict)
    store.markDone(claimed.id, verdict.how, clock())
    const lost = kind === 'refused' ? `the service said "${failure.message}"` : 'the response was lost'
    return { answer: null, operation, how: verdict.how, lost }
  }
}

interface Doubt {
  /**
   * Why the outcome is in doubt. `lost`: there is no usable response. `refused`: the service sent an error that it can
   * also send after performing the write. `redirected`: the response points to a different address, so the outcome
   * cannot be checked.
   */
  readonly kind: 'lost' | 'refused' | 'redirected'
  readonly failure: Failure
}

const REDIRECTED: Evidence = {
  state: 'unknown',
  how: 'the service answered with a redirect, so the outcome is unclear',
}

const INTERRUPTED = 'it was interrupted'

/** Classifies an error that occurred during a write. Returns `null` if the write definitely did not take effect. */
function classifyDoubt(error: unknown): Doubt | null {
  if (error instanceof Interrupted) return null
  if (error instanceof Failure) {
    if (error.outcome === 'unknown') return { kind: error.code === 'REJECTED' ? 'redirected' : 'lost', failure: error }
    // If the error is "Failed to retrieve card details.", the service might have failed to read the card after
    // redeeming it.
    const status = error.request?.status ?? 0
    return status >= 500 ? { kind: 'refused', failure: error } : null
  }
  // Any other error is a bug in `partner`. Assume that the write might have been sent.
  const said = error instanceof Error ? error.message : String(error)
  const failure = new Failure('OUTCOME_UNKNOWN', `unexpected error: ${said}`, { outcome: 'unknown', cause: error })
  return { kind: 'lost', failure }
}

function markNotSent(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const { code, words, said, hint, request, details } = error
  return new Failure(code, words, { said, hint, request, details, outcome: 'not-applied', cause: error })
}

async function weigh<T>({ caller }: MoneyDesk, write: MoneyWrite<T>, operation: Operation): Promise<Evidence> {
  if (caller.hooks.signal?.aborted) return { state: 'unknown', how: INTERRUPTED }
  const what = write.intent.command === 'sales create' ? 'looking for the sale' : 'reading the card'
  const over = caller.hooks.waitsFor?.(`no response; ${what} to find out the outcome`, 'news')
  try {
    return await write.weigh(operation)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { state: 'unknown', how: `the outcome could not be checked: ${why}` }
  } finally {
    over?.()
  }
}

function unknownOutcome(cause: Failure, operation: Operation, verdict: Verdict): Failure {
  const { message, request } = cause
  // A redirect keeps its error code. Any other inconclusive error response becomes OUTCOME_UNKNOWN.
  const code = cause.outcome === 'unknown' ? cause.code : 'OUTCOME_UNKNOWN'
  // Do not repeat that the write was interrupted: the message already says so.
  const how = verdict.how === INTERRUPTED ? '' : `; ${verdict.how}`
  return new Failure(code, how === '' ? message : `${stripFullStop(message)}${how}`, {
    hint: `do not repeat it; check the outcome in a minute: ${formatCommand`operations resolve ${operation.id}`}`,
    request,
    outcome: 'unknown',
    details: { operation: operation.id },
    cause,
  })
}
