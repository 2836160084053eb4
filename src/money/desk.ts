import { getGiftCard } from '../contract/giftcards.ts'
import { Failure } from '../failure/failure.ts'
import type { Answer } from '../http/answer.ts'
import { type Caller, call } from '../http/call.ts'
import { isJsonObject, type JsonObject, numberText } from '../json/exact.ts'
import { hasRepeatedMember } from '../json/repeated-member.ts'
import { balanceCentsOf } from './cents.ts'
import type { Intent } from './operation.ts'
import type { OperationStore } from './operation-store.ts'
import type { CardReading } from './verdict.ts'

/** What a write of money is made with. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  /** The service, as operations name it: its base URL, or `sandbox`. */
  readonly service: string
  /** Whose cards the signed endpoints are asked about; null when requests carry a key. */
  readonly inbound: { readonly partnerName: string | null; readonly locationId: string | null } | null
  /** True: also beside an open operation that is the same. */
  readonly force: boolean
}

/** The intent of a write at this desk. */
export function intentAt(desk: MoneyDesk, command: string, target: string, amount: string | null): Intent {
  return { command, service: desk.service, target, amount, profile: desk.caller.profile }
}

/** A card as it is now. Fails: as `call`; SERVICE_ERROR when the answer is no card, or says two things at once. */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  return cardIn(await call(caller, getGiftCard, { path: { cardNumber } }))
}

/** What is left on a card now, and its status. Fails: as {@link readCard}; SERVICE_ERROR when it does not say what is left. */
export async function readBalance(caller: Caller, cardNumber: string): Promise<CardReading> {
  return readingOf(await readCard(caller, cardNumber))
}

/** The card, or what is told of one, in an answer. Fails: SERVICE_ERROR when it is none, or says two things at once. */
export function cardIn({ value, text, call: { request } }: Answer): JsonObject {
  if (!isJsonObject(value))
    throw new Failure('SERVICE_ERROR', 'the service answered with something that is not a gift card', { request })
  if (hasRepeatedMember(text))
    throw new Failure('SERVICE_ERROR', 'the service says two things at once of the card: a member stands in it twice', {
      request,
    })
  return value
}

/** The first is documented; the answer of the inbound endpoint is not shown. */
const BALANCE_MEMBERS = ['remainingAmount', 'remainingBalance', 'balance']

/** What a card, or the answer about one, says is left on it. Fails: SERVICE_ERROR when it does not say. */
export function readingOf(card: JsonObject): CardReading {
  const text = BALANCE_MEMBERS.map((member) => numberText(card[member])).find((found) => found !== null) ?? null
  const balance = text === null ? null : balanceCentsOf(text)
  if (balance !== null) return { balance, status: statusIn(card) }
  throw new Failure(
    'SERVICE_ERROR',
    'the service does not say what is left on the card, so what a redeem does could not be checked',
    {
      hint: 'nothing was sent; look at the card with partner giftcards get',
    },
  )
}

/** The status of a card; null when the service does not say. */
export function statusIn(card: JsonObject): string | null {
  const status = card['status']
  return typeof status === 'string' && status !== '' ? status : null
}
