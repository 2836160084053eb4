import { inboundBalance, inboundRedeem } from '../contract/inbound.ts'
import { Failure } from '../failure/failure.ts'
import type { Answer } from '../http/answer.ts'
import { type Caller, call } from '../http/call.ts'
import type { CallInput } from '../http/prepare.ts'
import { refuseFailure } from '../http/success.ts'
import { cardIn, intentAt, type MoneyDesk, readingOf } from './desk.ts'
import type { Operation } from './operation.ts'
import { requireRedeemed } from './redeemed.ts'
import { type CardReading, judgeRedeem, type Verdict } from './verdict.ts'
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
  const reading = () => readSigned(caller, order.input.path?.partnerName ?? '', { cardNumber, locationId })
  return writeOnce({
    intent: intentAt(desk, INBOUND_REDEEM, cardNumber, amount),
    store,
    force: desk.force,
    now: caller.hooks.now,
    before: async () => String((await reading()).balance),
    send: async (onSend) => {
      const check = `partner inbound balance ${cardNumber}`
      const answer = await call(caller, inboundRedeem, order.input, { check, onSend })
      requireRedeemed(answer, amount)
      return answer
    },
    judge: async (operation) =>
      judgeRedeem(operation, await reading(), store.movementsBeside(operation), caller.hooks.now()),
    isStopping: () => caller.hooks.signal?.aborted === true,
  })
}

/** What became of such a redeem, by the balance that the signed endpoint tells. Fails: NO_PROFILE without a location ID. */
export async function judgeOpenInbound({ caller, store, inbound }: MoneyDesk, operation: Operation): Promise<Verdict> {
  const { partnerName = null, locationId = null } = inbound ?? {}
  if (partnerName === null || locationId === null)
    throw new Failure(
      'NO_PROFILE',
      'there is no location ID, without which the balance of the card cannot be asked for',
      {
        hint: 'set PARTNER_LOCATION_ID, or the location of the profile with partner profiles set --location-id',
      },
    )
  const reading = await readSigned(caller, partnerName, { cardNumber: operation.target, locationId })
  return judgeRedeem(operation, reading, store.movementsBeside(operation), caller.hooks.now())
}

async function readSigned(
  caller: Caller,
  partnerName: string,
  body: { readonly cardNumber: string; readonly locationId: string },
): Promise<CardReading> {
  const answer = await call(caller, inboundBalance, { path: { partnerName }, body })
  refuseFailure(answer)
  return readingOf(cardIn(answer))
}
