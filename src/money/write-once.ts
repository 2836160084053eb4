import { Failure } from '../failure/failure.ts'
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
  /** Sends it. Fails: OUTCOME_UNKNOWN when it cannot be told whether it was done; anything else means that it was not. */
  readonly send: (operation: Operation) => Promise<T>
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
 * Makes a write of money once: on disk before it is sent, cleared by a definite answer, kept as an operation otherwise.
 * Fails: the cause, when it was not done; OUTCOME_UNKNOWN with the operation's id when that is not known; INTERNAL when the
 * intent cannot be written, and then nothing was sent. Source: "Retries and outcomes" of the command line.
 */
export async function writeOnce<T>(write: MoneyWrite<T>): Promise<MoneyResult<T>> {
  const { store, intent, now } = write
  const claimed = store.claim(intent, now(), write.force)
  const before = await orDrop(store, claimed, write.before)
  const operation = store.sending(claimed.id, before, now())
  return finish(write, operation)
}

/** Sends a write that stands in the store, and settles it. */
export async function finish<T>(write: MoneyWrite<T>, operation: Operation): Promise<MoneyResult<T>> {
  const { store, now } = write
  try {
    const answer = await write.send(operation)
    store.drop(operation.id)
    return { answer, operation }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (error.code !== 'OUTCOME_UNKNOWN') {
      store.drop(operation.id)
      throw error
    }
    const verdict = write.isStopping()
      ? { state: 'unknown' as const, how: 'it was interrupted' }
      : await judged(write, operation)
    if (verdict.state === 'applied') {
      store.settle(operation.id, 'applied', verdict.how, now())
      return { answer: null, operation, how: verdict.how }
    }
    throw unknownOutcome(error, operation, verdict)
  }
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
  return new Failure('OUTCOME_UNKNOWN', `${cause.message}; ${verdict.how}`, {
    hint: `do not do it again; find out in a minute: partner operations resolve ${operation.id}`,
    request: cause.request,
    outcome: 'unknown',
    details: { operation: operation.id },
    cause,
  })
}

async function orDrop<T>(store: OperationStore, claimed: Operation, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    store.drop(claimed.id)
    throw error
  }
}
