import { inboundBalance, inboundRedeem } from '../contract/inbound.ts'
import { Failure } from '../failure/failure.ts'
import type { Answer } from '../http/answer.ts'
import { call } from '../http/call.ts'
import type { CallInput } from '../http/prepare.ts'
import { refuseFailure, requireSuccess } from '../http/success.ts'
import { isJsonObject } from '../json/exact.ts'
import { centsOf } from './cents.ts'
import { balanceIn, intentAt, type MoneyDesk } from './desk.ts'
import { judgeRedeem } from './verdict.ts'
import { type MoneyResult, writeOnce } from './write-once.ts'

export const INBOUND_REDEEM = 'inbound redeem'

/**
 * Takes an amount off a card by the signed endpoint, once; the balance before and after comes from the signed one too.
 * `desk.caller` signs. Fails: as `writeOnce`; BUSINESS_FAILURE when the service says that it did not.
 */
export async function inboundRedeemOnce(
  desk: MoneyDesk,
  order: {
    readonly cardNumber: string
    readonly amount: string
    readonly locationId: string
    readonly input: CallInput<typeof inboundRedeem>
  },
): Promise<MoneyResult<Answer>> {
  const { caller, store } = desk
  const { cardNumber, amount, locationId } = order
  const balance = async () => {
    const answer = await call(caller, inboundBalance, {
      path: order.input.path ?? { partnerName: '' },
      body: { cardNumber, locationId },
    })
    refuseFailure(answer)
    if (isJsonObject(answer.value)) return balanceIn(answer.value)
    throw new Failure('SERVICE_ERROR', 'the service does not say what is left on the card', {
      request: answer.call.request,
    })
  }
  const result = await writeOnce({
    intent: intentAt(desk, INBOUND_REDEEM, cardNumber, amount),
    store,
    force: desk.force,
    now: caller.hooks.now,
    before: async () => String(await balance()),
    send: async () => {
      const answer = await call(caller, inboundRedeem, order.input, { check: `partner inbound balance ${cardNumber}` })
      requireSuccess(answer)
      return answer
    },
    judge: async (operation) => {
      const others = store
        .openOn(operation.service, cardNumber)
        .filter(({ id, phase }) => id !== operation.id && phase === 'sending')
      return judgeRedeem(operation, await balance(), others, caller.hooks.now())
    },
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
  store.moneyLeft(desk.service, cardNumber, centsOf(amount) ?? 0n, result.operation.id)
  return result
}
