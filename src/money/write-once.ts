import { Failure } from '../failure/failure.ts'
import { Interrupted } from '../http/errors.ts'
import type { Intent, Operation } from './operation.ts'
import type { OperationStore } from './operation-store.ts'
import type { Verdict } from './verdict.ts'

/** A write of money, and how to find out what became of it. */
export interface MoneyWrite<T> {
  readonly intent: Intent
  readonly store: OperationStore
  /** True: send it although the same one is open. */
  readonly force: boolean
  readonly now: () => number
  /** Reads what the outcome is judged against; when this fails, nothing is sent. Null: there is nothing to read. */
  readonly before: () => Promise<string | null>
  /**
   * Sends it, calling `onSend` right before each attempt.
   * Fails: with the outcome `unknown` when it cannot be told whether it was done; any other Failure, and Interrupted, mean that it was not.
   */
  readonly send: (onSend: () => void) => Promise<T>
  /** Finds out, by reads alone, what became of a write whose answer was lost. */
  readonly judge: (operation: Operation) => Promise<Verdict>
  /** True when the command is to stop: then nothing is read any more. */
  readonly isStopping: () => boolean
}

/** How a write ended: with an answer, or known to be done although the answer was lost. */
export type MoneyResult<T> =
  | { readonly answer: T; readonly operation: Operation }
  | { readonly answer: null; readonly operation: Operation; readonly how: string }

/**
 * Makes a write of money once: on disk before it is sent, dropped by a refusal, cleared when its answer is delivered
 * (`OperationStore.conclude`, which whoever delivers it calls), kept as an operation otherwise.
 * Fails: the cause, when it was not done; OUTCOME_UNKNOWN with the operation's id when that is not known; INTERNAL when the
 * intent cannot be written, and then nothing was sent. Source: "Retries and outcomes" of the command line.
 */
export async function writeOnce<T>(write: MoneyWrite<T>): Promise<MoneyResult<T>> {
  const claimed = write.store.claim(write.intent, write.now(), write.force)
  let before: string | null
  try {
    before = await write.before()
  } catch (error) {
    write.store.drop(claimed.id)
    throw notSent(error)
  }
  return finish(write, claimed, before)
}

const CONFIRMED = 'the service confirmed it when it was sent again'

/** Sends a write that stands in the store, and settles it. */
export async function finish<T>(
  write: MoneyWrite<T>,
  claimed: Operation,
  before: string | null = null,
): Promise<MoneyResult<T>> {
  const { store, now } = write
  let operation = claimed
  const onSend = () => {
    operation = store.sending(claimed.id, before, now())
  }
  try {
    const answer = await write.send(onSend)
    // What was in doubt once stays on the list, with what became of it.
    store.wasDone(claimed.id, claimed.phase === 'sending' ? CONFIRMED : null, now())
    return { answer, operation }
  } catch (error) {
    const lost = asLost(error)
    if (lost === null) {
      // A write that may have left in an earlier run is not undone by what befell this one.
      if (claimed.phase === 'claimed') store.drop(claimed.id)
      throw error
    }
    store.lost(claimed.id, now())
    const verdict = write.isStopping()
      ? { state: 'unknown' as const, how: 'it was interrupted' }
      : await judged(write, { ...operation, sentAt: now() })
    if (verdict.state !== 'applied') throw unknownOutcome(lost, operation, verdict)
    store.wasDone(claimed.id, verdict.how, now())
    return { answer: null, operation, how: verdict.how }
  }
}

/** The error as one after which nobody knows whether the write was done; null when it certainly was not. */
function asLost(error: unknown): Failure | null {
  if (error instanceof Failure) return error.outcome === 'unknown' ? error : null
  if (error instanceof Interrupted) return null
  // A fault of ours, wherever it struck: what is not certain is unknown.
  const said = error instanceof Error ? error.message : String(error)
  return new Failure('OUTCOME_UNKNOWN', `unexpected error: ${said}`, { outcome: 'unknown', cause: error })
}

/** A failure of the reading before a write, as one of the write. */
function notSent(error: unknown): unknown {
  if (!(error instanceof Failure)) return error
  const { code, words, said, hint, request, details } = error
  return new Failure(code, words, { said, hint, request, details, outcome: 'not-applied', cause: error })
}

async function judged<T>(write: MoneyWrite<T>, operation: Operation): Promise<Verdict> {
  try {
    return await write.judge(operation)
  } catch (error) {
    return {
      state: 'unknown',
      how: `it could not be checked: ${error instanceof Error ? error.message : String(error)}`,
    }
  }
}

function unknownOutcome(cause: Failure, operation: Operation, verdict: Verdict): Failure {
  const { code, message, request } = cause
  return new Failure(code, `${message}; ${verdict.how}`, {
    hint: `do not do it again; find out in a minute: partner operations resolve ${operation.id}`,
    request,
    outcome: 'unknown',
    details: { operation: operation.id },
    cause,
  })
}
