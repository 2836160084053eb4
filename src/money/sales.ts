import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { CallInput } from '../client/calls/prepare.ts'
import { createSale } from '../contract/sales.ts'
import { Failure } from '../failure/failure.ts'
import { pickBackoffMs, sleep } from '../http/client/retry.ts'
import type { JsonObject } from '../json/exact.ts'
import { intentAt, type MoneyDesk } from './desk.ts'
import { type Moment, mostElapsedMs } from './operations/moment.ts'
import type { Operation } from './operations/operation.ts'
import { findSale, type SaleSought, soughtIn } from './sale-search.ts'
import type { Evidence } from './verdict.ts'
import { finish, type MoneyResult, type MoneyWrite, writeOnce } from './write-once.ts'

export const SALE = 'sales create'

/** A sale that is to be submitted. */
export interface SaleOrder extends SaleSought {
  /** Empty: the service cannot know it again, and nothing is sent twice. */
  readonly saleId: string
  /** The whole sale, as it is sent. */
  readonly body: JsonObject
  readonly extraQuery?: CallInput['extraQuery']
}

/** For so long after a sale first left, a 409 is taken for proof that it arrived, and it may be sent again. Milliseconds. */
const REMEMBERED_MS = 10 * 60_000

const LOST = 'the answer was lost'
/** The service had this sale before this command sent it. */
const ALREADY_THERE = 'the service answered 409: it has this sale, from the first time it was sent'

/** The request that an order stands for. */
export function saleInput({ body, extraQuery = [] }: SaleOrder): CallInput<typeof createSale> {
  return { body, extraQuery }
}

/**
 * Submits a sale. When an answer is lost, the sale is looked for, and sent again up to `caller.retries` times within ten minutes: a
 * 409 then proves that the first one arrived. So does running it again while its operation is open.
 * Fails: CONFLICT when the service had the sale before; as `writeOnce`.
 */
export async function submitSaleOnce(desk: MoneyDesk, order: SaleOrder): Promise<MoneyResult<Answer>> {
  const { store, clock, force } = desk
  const { saleId, cents } = order
  const intent = intentAt(desk, SALE, saleId, cents)
  const write = (open: Operation | null): MoneyWrite<Answer | Proof> => ({
    intent,
    before: async () => JSON.stringify({ bookingId: order.bookingId, openedAt: order.openedAt }),
    send: (onSend) => sendUntilKnown(desk, order, open, onSend),
    weigh: (operation) => weighOpenSale(desk, operation),
  })
  const open = force || saleId === '' ? null : store.openLike(intent, clock())
  if (open === null) return settled(await writeOnce(desk, write(null)))
  const taken = store.takeUp(open.id, clock())
  if (taken.phase === 'claimed') return settled(await finish(desk, write(null), taken))
  const found = await lookFor(desk, order)
  if (found.state === 'applied') {
    store.wasDone(taken.id, found.how, clock())
    return { answer: null, operation: taken, how: found.how, lost: LOST }
  }
  const obstacle = found.state === 'unknown' ? found.how : whyNotAgain(taken, clock())
  if (obstacle !== null) throw refusedAgain(taken, obstacle)
  return settled(await finish(desk, write(taken), taken))
}

/** That a sale arrived, though its own answer did not. */
interface Proof {
  readonly arrived: string
}

function settled(result: MoneyResult<Answer | Proof>): MoneyResult<Answer> {
  if (result.answer === null) return result
  const { answer, operation } = result
  if (!('arrived' in answer)) return { answer, operation }
  return { answer: null, operation, how: answer.arrived, lost: LOST }
}

/**
 * Sends a sale until it is known that it arrived, or that it cannot be known.
 * @param open the same sale, which may have arrived in an earlier run.
 */
async function sendUntilKnown(
  desk: MoneyDesk,
  order: SaleOrder,
  open: Operation | null,
  onSend: () => void,
): Promise<Answer | Proof> {
  const { caller, clock } = desk
  const retries = order.saleId === '' ? 0 : caller.retries
  const firstSent = open?.firstSent ?? clock()
  let doubt: Failure | null = null
  for (let again = 0; ; again++) {
    try {
      return await call(caller, createSale, saleInput(order), { check: null, onSend })
    } catch (error) {
      const isConflict = error instanceof Failure && error.code === 'CONFLICT'
      if (isConflict && (doubt !== null || open !== null)) return await provenBy(error, desk, order)
      const isLost = error instanceof Failure && error.outcome === 'unknown'
      // What befell this attempt says nothing of the one before it, which may have arrived.
      if (!isLost)
        throw doubt ?? (open !== null && error instanceof Failure ? stillUnknown(error.message, error) : error)
      if (error.code === 'REJECTED') throw error
      doubt = error
    }
    if (again >= retries) throw doubt
    await sleep(pickBackoffMs(again + 1), caller.hooks.signal).catch(() => {
      throw doubt
    })
    const found = await lookFor(desk, order).catch(() => {
      throw doubt
    })
    if (found.state === 'applied') return { arrived: found.how }
    if (found.state === 'unknown' || mostElapsedMs(firstSent, clock()) > REMEMBERED_MS) throw doubt
  }
}

/** A 409 proves that a sale arrived before, unless another one with its ID is listed. */
async function provenBy(conflict: Failure, desk: MoneyDesk, order: SaleOrder): Promise<Proof> {
  const found = await lookFor(desk, order)
  if (found.state === 'unknown') throw stillUnknown(`${conflict.message}; ${found.how}`, conflict)
  return { arrived: found.state === 'applied' ? found.how : ALREADY_THERE }
}

/** Why a sale that may have arrived in an earlier run must not be sent again; null when it may. */
function whyNotAgain({ phase, firstSent }: Operation, now: Moment): string | null {
  if (phase === 'redirected') return 'the service answered it with a redirect'
  if (firstSent !== null && mostElapsedMs(firstSent, now) <= REMEMBERED_MS) return null
  return 'it first left more than ten minutes ago, and the service may no longer know it again'
}

function refusedAgain({ id, target }: Operation, why: string): Failure {
  return new Failure(
    'OUTCOME_UNKNOWN',
    `it is not known whether sale ${target} arrived before: ${why}; nothing was sent`,
    {
      hint: `look for it in the service; then partner operations resolve ${id} --as applied, or send it all the same with --force`,
      outcome: 'unknown',
      details: { operation: id },
    },
  )
}

/** `unchanged`: the service does not list it, or cannot be asked. `unknown`: it lists another sale with this ID. */
async function lookFor(desk: MoneyDesk, order: SaleOrder): Promise<Evidence> {
  if (order.saleId === '') return { state: 'unchanged', how: 'it has no ID' }
  try {
    // A try of its own each time: the attempts themselves are what is repeated.
    return await findSale({ ...desk.caller, retries: 0 }, order, desk.clock().wallMs)
  } catch (error) {
    if (error instanceof Failure) return { state: 'unchanged', how: error.message }
    throw error
  }
}

function stillUnknown(said: string, cause: Failure): Failure {
  return new Failure('OUTCOME_UNKNOWN', `it is not known whether this sale arrived before: ${said}`, {
    request: cause.request,
    outcome: 'unknown',
    details: cause.details,
    cause,
  })
}

/** What the list of sales says of a sale. Fails: as the reading. */
export async function weighOpenSale({ caller, clock }: MoneyDesk, operation: Operation): Promise<Evidence> {
  const sought = { saleId: operation.target, cents: operation.cents, ...soughtIn(operation.before) }
  const found = await findSale(caller, sought, (operation.sent ?? clock()).wallMs)
  if (found.state !== 'unchanged') return found
  // It lists only sales that are linked to a booking: one that it does not list may be there all the same.
  return { state: 'unknown', how: `${found.how}; sales create again within ten minutes: a 409 is proof` }
}
