import { cancelGiftCard, redeemGiftCard } from '../contract/giftcards.ts'
import type { Answer } from '../http/answer.ts'
import { call } from '../http/call.ts'
import type { CallInput } from '../http/prepare.ts'
import type { JsonObject } from '../json/exact.ts'
import { intentAt, type MoneyDesk, readBalance, readCard, statusIn } from './desk.ts'
import type { Operation } from './operation.ts'
import { requireRedeemed } from './redeemed.ts'
import { judgeCancel, judgeRedeem, type Verdict } from './verdict.ts'
import { type MoneyResult, writeOnce } from './write-once.ts'

export const REDEEM = 'giftcards redeem'
export const CANCEL = 'giftcards cancel'

/** The answer that a redeem would have had, from what is known of one that was done though its answer was lost. */
export function knownRedemption(cardNumber: string, amount: string, balance: bigint | null): JsonObject {
  return {
    cardNumber,
    amountRedeemed: JSON.rawJSON(amount),
    status: balance === 0n ? 'Redeemed' : 'Active',
    isSuccess: true,
    errorMessage: null,
  }
}

/**
 * Takes an amount off a card, once. `amount` in currency units; `input` is the whole request.
 * Fails: as `writeOnce`; BUSINESS_FAILURE when the service says that it did not.
 */
export async function redeemOnce(
  desk: MoneyDesk,
  order: { readonly cardNumber: string; readonly amount: string; readonly input: CallInput<typeof redeemGiftCard> },
): Promise<MoneyResult<Answer> & { readonly balance: bigint | null }> {
  const { caller, store } = desk
  let balance: bigint | null = null
  const result = await writeOnce({
    intent: intentAt(desk, REDEEM, order.cardNumber, order.amount),
    store,
    force: desk.force,
    now: caller.hooks.now,
    before: async () => String((await readBalance(caller, order.cardNumber)).balance),
    send: async (onSend) => {
      const check = `partner giftcards get ${order.cardNumber}`
      const answer = await call(caller, redeemGiftCard, order.input, { check, onSend })
      requireRedeemed(answer, order.amount)
      return answer
    },
    judge: async (operation) => {
      const reading = await readBalance(caller, order.cardNumber)
      balance = reading.balance
      return judgeRedeem(operation, reading, store.movementsBeside(operation), caller.hooks.now())
    },
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
  return { ...result, balance }
}

/** What became of a redeem, by the balance now. */
export async function judgeOpenRedeem({ caller, store }: MoneyDesk, operation: Operation): Promise<Verdict> {
  const reading = await readBalance(caller, operation.target)
  // Only now: what was not sent when it was read cannot have moved it.
  return judgeRedeem(operation, reading, store.movementsBeside(operation), caller.hooks.now())
}

/** Cancels a card. `changed` is false when it was cancelled before. Fails: as `writeOnce`. */
export async function cancelOnce(
  desk: MoneyDesk,
  cardNumber: string,
  input: CallInput<typeof cancelGiftCard>,
): Promise<{ changed: boolean; how: string | null }> {
  const { caller, store } = desk
  const result = await writeOnce({
    intent: intentAt(desk, CANCEL, cardNumber, null),
    store,
    force: desk.force,
    now: caller.hooks.now,
    before: async () => statusIn(await readCard(caller, cardNumber)),
    send: (onSend) => call(caller, cancelGiftCard, input, { check: `partner giftcards get ${cardNumber}`, onSend }),
    judge: (operation) => judgeOpenCancel(desk, operation),
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
  if (result.answer === null) return { changed: result.operation.before !== 'Cancelled', how: result.how }
  return { changed: result.answer.status !== 304, how: null }
}

/** What became of a cancellation, by the card's status now. */
export async function judgeOpenCancel(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  const { caller } = desk
  return judgeCancel(operation, statusIn(await readCard(caller, operation.target)), caller.hooks.now())
}
