import { cancelGiftCard, redeemGiftCard } from '../contract/giftcards.ts'
import type { Answer } from '../http/answer.ts'
import { call } from '../http/call.ts'
import type { CallInput } from '../http/prepare.ts'
import { requireSuccess } from '../http/success.ts'
import type { JsonObject } from '../json/exact.ts'
import { centsOf } from './cents.ts'
import { intentAt, type MoneyDesk, readBalance, readCard } from './desk.ts'
import type { Operation } from './operation.ts'
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
    before: async () => String(await readBalance(caller, order.cardNumber)),
    send: async () => {
      const answer = await call(caller, redeemGiftCard, order.input, {
        check: `partner giftcards get ${order.cardNumber}`,
      })
      requireSuccess(answer)
      return answer
    },
    judge: async (operation) => {
      balance = await readBalance(caller, order.cardNumber)
      return judgeBalance(desk, operation, balance)
    },
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
  store.moneyLeft(desk.service, order.cardNumber, centsOf(order.amount) ?? 0n, result.operation.id)
  return { ...result, balance }
}

/** What became of a redeem, by the balance now. */
export async function judgeOpenRedeem(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  return judgeBalance(desk, operation, await readBalance(desk.caller, operation.target))
}

function judgeBalance({ store, caller }: MoneyDesk, operation: Operation, balance: bigint): Verdict {
  const others = store
    .openOn(operation.service, operation.target)
    .filter(({ id, phase }) => id !== operation.id && phase === 'sending')
  return judgeRedeem(operation, balance, others, caller.hooks.now())
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
    before: async () => String((await readCard(caller, cardNumber))['status'] ?? ''),
    send: () => call(caller, cancelGiftCard, input, { check: `partner giftcards get ${cardNumber}` }),
    judge: (operation) => judgeOpenCancel(desk, operation),
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
  if (result.answer === null) return { changed: result.operation.before !== 'Cancelled', how: result.how }
  return { changed: result.answer.status !== 304, how: null }
}

/** What became of a cancellation, by the card's status now. */
export async function judgeOpenCancel(desk: MoneyDesk, operation: Operation): Promise<Verdict> {
  const { caller } = desk
  return judgeCancel(operation, String((await readCard(caller, operation.target))['status'] ?? ''), caller.hooks.now())
}
