import { Failure, stripFullStop } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import type { JsonObject } from '../base/json/exact.ts'
import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { CallInput } from '../client/calls/prepare.ts'
import { createSale } from '../contract/sales.ts'
import { pause, pickBackoffMs } from '../http/client/retry.ts'
import { createIntent, type MoneyDesk } from './desk.ts'
import { outcomeUnknown } from './operations/already-open.ts'
import { type Moment, mostElapsedMs } from './operations/moment.ts'
import type { Intent, Operation } from './operations/operation.ts'
import { mayBeInProgress } from './operations/settling.ts'
import { findSale, parseSaleKey, type SaleKey } from './sale-search.ts'
import type { Evidence } from './verdict.ts'
import {
  claimTogether,
  type MoneyResult,
  type MoneyWrite,
  refreshOpen,
  sendAndSettle,
  writeOnce,
} from './write-once.ts'

export const SALE = 'sales create'

export interface SaleOrder extends SaleKey {
  /** The sale ID. A sale with an empty ID is never sent again, because the service could not tell it from a new one. */
  readonly saleId: string
  readonly body: JsonObject
  readonly extraQuery?: CallInput['extraQuery']
}

/** The minimum time, in milliseconds, that the service remembers a sale ID. A retry within this time is safe. */
const REMEMBERED_MS = 10 * 60_000

const FORGOTTEN = 'it was first sent more than ten minutes ago, and the service may have forgotten its ID'
const UNDATED = 'this machine was restarted after the sale was first sent, and the service may have forgotten its ID'
const LOST = 'the response was lost'
const ALREADY_THERE = 'the service answered 409: it already has this sale from an earlier attempt'

/** An attempt that an earlier run recorded in its journal. The sale might have arrived. */
export interface EarlierAttempt {
  readonly firstSent: Moment
  /** The operation's ID, or `null` if the journal does not contain it. */
  readonly operation: string | null
}

export function saleInput({ body, extraQuery = [] }: SaleOrder): CallInput<typeof createSale> {
  return { body, extraQuery }
}

/**
 * Submits a sale. If the response was lost, or an earlier run left the outcome unknown, looks for the sale and sends it
 * again, up to `caller.retries` times within ten minutes. If the service responds to a repeated attempt with 409, an
 * earlier attempt arrived. `earlier` is an attempt that might be missing from the store. Throws CONFLICT if the service
 * already had the sale, and the same errors as `writeOnce`.
 */
export async function submitSaleOnce(
  desk: MoneyDesk,
  order: SaleOrder,
  earlier: EarlierAttempt | null = null,
): Promise<MoneyResult<Answer>> {
  const { store, clock, force } = desk
  const { saleId, cents } = order
  const intent = createIntent(desk, SALE, saleId, cents)
  const write = (open: Operation | null): MoneyWrite<Answer | Proof> => ({
    intent,
    before: async () => formatSought(order),
    send: (onSend) => sendUntilKnown(desk, order, open, onSend),
    weigh: (operation) => weighOpenSale(desk, operation),
  })
  const findOpen = () => (force || saleId === '' ? null : store.findIdentical(intent, clock()))
  let open = findOpen()
  if (open !== null && desk.ledger) {
    await refreshOpen(desk.ledger, open)
    open = findOpen()
  }
  if (open === null && earlier !== null && !force) {
    const settled = earlier.operation === null ? null : store.settled(earlier.operation)
    if (settled?.state === 'applied')
      return { answer: null, operation: settled, how: settled.how ?? ALREADY_THERE, lost: LOST }
    if (!settled) open = store.adopt(intent, desk.caller.attemptMs, earlier.firstSent, formatSought(order))
  }
  if (open === null) {
    try {
      return toMoneyResult(await writeOnce(desk, write(null)))
    } catch (error) {
      open = findRefusing(desk, intent, error)
      if (open === null) throw error
    }
  }
  const { id } = open
  const taken = await claimTogether(desk, intent, () => store.takeOver(id, clock()))
  if (taken.phase === 'claimed') return toMoneyResult(await sendAndSettle(desk, write(null), taken))
  const found = await lookFor(desk, order, taken.firstSent ?? clock())
  if (found.state === 'applied') {
    store.markDone(taken.id, found.how, clock())
    return { answer: null, operation: taken, how: found.how, lost: LOST }
  }
  const obstacle = found.state === 'unknown' ? found.how : getResendObstacle(taken, clock())
  if (obstacle !== null) {
    store.markLost(taken.id, clock(), taken.phase)
    throw resendRefused(taken, obstacle)
  }
  return toMoneyResult(await sendAndSettle(desk, write(taken), taken))
}

/**
 * If the ledger refused a sale because another machine has an identical open write, returns that write. Returns `null`
 * if there is no such write, or if it cannot be taken over yet.
 */
function findRefusing({ store, clock, ledger, force }: MoneyDesk, intent: Intent, error: unknown): Operation | null {
  const isRefused = error instanceof Failure && error.code === 'OUTCOME_UNKNOWN'
  if (!ledger || force || intent.target === '' || !isRefused) return null
  const open = store.findIdentical(intent, clock())
  return open?.owner.otherHost === undefined || mayBeInProgress(open, clock()) ? null : open
}

function formatSought({ bookingId, openedAt }: SaleOrder): string {
  return JSON.stringify({ bookingId, openedAt })
}

/** Proof that a sale arrived although the response was lost. */
interface Proof {
  readonly arrived: string
}

function toMoneyResult(result: MoneyResult<Answer | Proof>): MoneyResult<Answer> {
  if (result.answer === null) return result
  const { answer, operation } = result
  if (!('arrived' in answer)) return { answer, operation }
  return { answer: null, operation, how: answer.arrived, lost: LOST }
}

/**
 * Sends a sale until its outcome is known or cannot be determined. `open` is an earlier run's open operation for the
 * same sale, or `null` if there is none.
 */
async function sendUntilKnown(
  desk: MoneyDesk,
  order: SaleOrder,
  open: Operation | null,
  onSend: () => Promise<void>,
): Promise<Answer | Proof> {
  const { caller, clock } = desk
  const retries = order.saleId === '' ? 0 : caller.retries
  const firstSent = open?.firstSent ?? clock()
  let doubt: Failure | null = null
  const onEachSend = () => {
    // Check the age before each attempt, because the sale might have waited a long time while the service was busy.
    if ((doubt !== null || open !== null) && isForgotten(firstSent, clock())) throw doubt ?? stillUnknown(FORGOTTEN)
    return onSend()
  }
  for (let again = 0; ; again++) {
    try {
      return await call(caller, createSale, saleInput(order), { check: null, onSend: onEachSend })
    } catch (error) {
      const isConflict = error instanceof Failure && error.code === 'CONFLICT'
      if (isConflict && (doubt !== null || open !== null)) return await proveByConflict(error, desk, order, firstSent)
      const isLost = error instanceof Failure && error.outcome === 'unknown'
      // An earlier attempt might have arrived, even if this attempt failed.
      if (!isLost)
        throw doubt ?? (open !== null && error instanceof Failure ? stillUnknown(error.message, error) : error)
      if (error.code === 'REJECTED') throw error
      doubt = error
    }
    if (again >= retries) throw doubt
    await pause(pickBackoffMs(again + 1), caller.hooks).catch(() => {
      throw doubt
    })
    const found = await lookFor(desk, order, firstSent).catch(() => {
      throw doubt
    })
    if (found.state === 'applied') return { arrived: found.how }
    if (found.state === 'unknown' || isForgotten(firstSent, clock())) throw doubt
  }
}

/**
 * Returns proof, after a 409 response, that the sale arrived earlier. Throws OUTCOME_UNKNOWN if the service lists a
 * different sale with the same ID.
 */
async function proveByConflict(
  conflict: Failure,
  desk: MoneyDesk,
  order: SaleOrder,
  firstSent: Moment,
): Promise<Proof> {
  const found = await lookFor(desk, order, firstSent).catch((error) => {
    throw stillUnknown(`${stripFullStop(conflict.message)}; ${error.message}`, conflict)
  })
  if (found.state === 'unknown') throw stillUnknown(`${stripFullStop(conflict.message)}; ${found.how}`, conflict)
  return { arrived: found.state === 'applied' ? found.how : ALREADY_THERE }
}

/** Returns why a sale from an earlier run must not be sent again, or `null` if sending it again is safe. */
function getResendObstacle({ phase, firstSent }: Operation, now: Moment): string | null {
  if (phase === 'redirected') return 'the service answered with a redirect'
  if (firstSent === null || mostElapsedMs(firstSent, now) === Number.POSITIVE_INFINITY) return UNDATED
  return isForgotten(firstSent, now) ? FORGOTTEN : null
}

/** Returns whether the service might have forgotten a sale ID, so that it would accept the sale a second time. */
function isForgotten(firstSent: Moment, now: Moment): boolean {
  return mostElapsedMs(firstSent, now) > REMEMBERED_MS
}

function resendRefused({ id, target }: Operation, why: string): Failure {
  const hint = `look for the sale in the service, then run ${formatCommand`operations resolve ${id} --as applied`}, or send it anyway with --force`
  return outcomeUnknown(id, `it is not known whether sale ${target} arrived earlier: ${why}; nothing was sent`, hint)
}

/**
 * Looks for a sale in the service. Returns the state `unchanged` if the sale is not listed or the list cannot be read,
 * and `unknown` if a different sale has its ID.
 */
async function lookFor(desk: MoneyDesk, order: SaleOrder, firstSent: Moment): Promise<Evidence> {
  if (order.saleId === '') return { state: 'unchanged', how: 'it has no ID' }
  try {
    // The search is not retried here, because the caller repeats the whole cycle of searching and sending.
    return await findSale({ ...desk.caller, retries: 0 }, order, firstSent.wallMs)
  } catch (error) {
    if (error instanceof Failure) return { state: 'unchanged', how: error.message }
    throw error
  }
}

function stillUnknown(said: string, cause?: Failure): Failure {
  return new Failure('OUTCOME_UNKNOWN', `it is not known whether this sale arrived earlier: ${said}`, {
    request: cause?.request,
    outcome: 'unknown',
    details: cause?.details,
    cause,
  })
}

/** Looks for an open sale in the list of sales. Throws if the list cannot be read. */
export async function weighOpenSale({ caller, clock }: MoneyDesk, operation: Operation): Promise<Evidence> {
  const sought = { saleId: operation.target, cents: operation.cents, ...parseSaleKey(operation.before) }
  const found = await findSale(caller, sought, (operation.sent ?? clock()).wallMs)
  if (found.state !== 'unchanged') return found
  // The service lists only sales with a booking. A sale that is not listed might still have arrived.
  return {
    state: 'unknown',
    how: `${found.how}; run sales create again within ten minutes: a 409 response proves that the sale arrived`,
  }
}
