import { getGiftCard } from '../contract/giftcards.ts'
import { Failure } from '../failure/failure.ts'
import { type Caller, call } from '../http/call.ts'
import { isJsonObject, type JsonObject, numberText } from '../json/exact.ts'
import { centsOf } from './cents.ts'
import type { Intent } from './operation.ts'
import type { OperationStore } from './operation-store.ts'

/** What a write of money is made with. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  /** The service, as operations name it: its base URL, or `sandbox`. */
  readonly service: string
  /** True: also beside an open operation that is the same. */
  readonly force: boolean
}

/** The intent of a write at this desk. */
export function intentAt(desk: MoneyDesk, command: string, target: string, amount: string | null): Intent {
  return { command, service: desk.service, target, amount, profile: desk.caller.profile }
}

/** A card as it is now. Fails: as `call`. */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  const answer = await call(caller, getGiftCard, { path: { cardNumber } })
  if (isJsonObject(answer.value)) return answer.value
  throw new Failure('SERVICE_ERROR', `the service answered with something that is not a gift card`, {
    request: answer.call.request,
  })
}

/** What is left on a card now, in cents. Fails: as `call`; SERVICE_ERROR when the card does not say. */
export async function readBalance(caller: Caller, cardNumber: string): Promise<bigint> {
  return balanceIn(await readCard(caller, cardNumber))
}

/** The balance in a card or in the answer about one, in cents. Fails: SERVICE_ERROR when it does not say. */
export function balanceIn(card: JsonObject): bigint {
  const text = numberText(card['remainingAmount'])
  const cents = text === null ? null : centsOf(text)
  if (cents !== null) return cents
  throw new Failure(
    'SERVICE_ERROR',
    'the service does not say what is left on the card, so what a redeem does could not be checked',
    {
      hint: 'nothing was sent; look at the card with partner giftcards get',
    },
  )
}
