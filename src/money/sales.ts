import { createSale, listSales } from '../contract/sales.ts'
import { Failure } from '../failure/failure.ts'
import type { Answer } from '../http/answer.ts'
import { type Caller, call } from '../http/call.ts'
import type { CallInput } from '../http/prepare.ts'
import { backoffMs, sleep } from '../http/retry.ts'
import { isJsonObject, type JsonValue } from '../json/exact.ts'
import { toWireTime } from '../time/instant.ts'
import { intentAt, type MoneyDesk } from './desk.ts'
import type { Operation } from './operation.ts'
import type { Verdict } from './verdict.ts'
import { finish, type MoneyResult, writeOnce } from './write-once.ts'

export const SALE = 'sales create'

/** The service had this sale before this command sent it. */
const ALREADY_THERE = 'the service answered 409: it has this sale, from the first time it was sent'

/**
 * Submits a sale. When an answer is lost it is sent again, up to `caller.retries` times, as a 409 then proves that the first
 * one arrived; so does running it again while its operation is open.
 * Fails: CONFLICT when the service had the sale before; as `writeOnce`.
 */
export async function submitSaleOnce(
  desk: MoneyDesk,
  saleId: string,
  amount: string | null,
  input: CallInput<typeof createSale>,
): Promise<MoneyResult<Answer>> {
  const { caller, store } = desk
  // Without an ID the service cannot know one again: nothing is proof, and a second would be another sale.
  const hasId = saleId !== ''
  const repeating = hasId ? caller : { ...caller, retries: 0 }
  const intent = intentAt(desk, SALE, saleId, amount)
  const write = {
    intent,
    store,
    force: desk.force,
    now: caller.hooks.now,
    before: async () => null,
    send: (onSend: () => void) => sendUntilKnown(repeating, input, false, onSend),
    judge: async (): Promise<Verdict> => ({ state: 'unknown', how: 'each answer was lost' }),
    isStopping: () => caller.hooks.signal?.aborted === true,
  }
  const open = desk.force || !hasId ? null : store.openLike(intent)
  if (open === null) return settled(await writeOnce<Answer | Proof>(write))
  const operation = store.takeUp(open.id)
  // Only a sale that may have left before can be there because of us.
  const mayHaveArrived = operation.phase === 'sending'
  const send = (onSend: () => void) => sendUntilKnown(caller, input, mayHaveArrived, onSend)
  return settled(await finish<Answer | Proof>({ ...write, send }, operation))
}

/** That a sale arrived, though its own answer did not. */
interface Proof {
  readonly arrived: string
}

function settled(result: MoneyResult<Answer | Proof>): MoneyResult<Answer> {
  if (result.answer === null) return result
  if (!('arrived' in result.answer)) return { answer: result.answer, operation: result.operation }
  return { answer: null, operation: result.operation, how: result.answer.arrived }
}

async function sendUntilKnown(
  caller: Caller,
  input: CallInput<typeof createSale>,
  mayHaveArrived: boolean,
  onSend: () => void,
): Promise<Answer | Proof> {
  let lost: Failure | null = null
  for (let again = 0; ; again++) {
    try {
      return await call(caller, createSale, input, { check: null, onSend })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.code === 'CONFLICT' && (mayHaveArrived || lost !== null)) return { arrived: ALREADY_THERE }
      if (error.outcome !== 'unknown') {
        // What was refused now says nothing of the one before it.
        if (lost === null && !mayHaveArrived) throw error
        throw lost ?? unknownStill(error)
      }
      lost = error
    }
    if (again >= caller.retries) throw lost
    await sleep(backoffMs(again + 1), caller.hooks.signal).catch(() => {
      throw lost
    })
  }
}

function unknownStill(refused: Failure): Failure {
  return new Failure(
    'OUTCOME_UNKNOWN',
    `it was refused this time (${refused.message}), and it is not known whether it arrived before`,
    {
      request: refused.request,
      outcome: 'unknown',
      details: refused.details,
      cause: refused,
    },
  )
}

/** What became of a sale, by the list of sales: reads alone. */
export async function judgeOpenSale(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  const sentAt = operation.sentAt ?? operation.startedAt
  const day = 86_400_000
  const query = { StartDate: toWireTime(sentAt - day), EndDate: toWireTime(sentAt + day) }
  const pageSize = 100
  for (let start = 0; start < 10_000; ) {
    const answer = await call(desk.caller, listSales, { query: { ...query, Limit: pageSize, StartIndex: start } })
    const items =
      isJsonObject(answer.value) && Array.isArray(answer.value['items'])
        ? (answer.value['items'] as readonly JsonValue[])
        : []
    if (items.some((item) => saleIdOf(item) === operation.target))
      return { state: 'applied', how: 'the service lists the sale' }
    if (items.length === 0) break
    start += items.length
  }
  return {
    state: 'unknown',
    how: 'the service does not list the sale, but it lists only sales that are linked to a booking; run sales create again: a 409 is proof',
  }
}

function saleIdOf(item: JsonValue): unknown {
  const detail = isJsonObject(item) ? item['saleDetail'] : null
  return isJsonObject(detail) ? detail['transactionId'] : null
}
