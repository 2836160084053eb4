import type { Answer } from '../client/calls/answer.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import { getGiftCard } from '../contract/giftcards.ts'
import { Failure } from '../failure/failure.ts'
import { sleep } from '../http/client/retry.ts'
import { isJsonObject, type JsonObject } from '../json/exact.ts'
import { hasRepeatedMember } from '../json/repeated-member.ts'
import { type CardReading, noteOf, readingOf } from './card-reading.ts'
import type { Moment } from './operations/moment.ts'
import type { Intent, Operation } from './operations/operation.ts'
import type { OperationStore } from './operations/store.ts'
import { type Evidence, weighRedeem } from './verdict.ts'

/** What a write of money is made with. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  readonly clock: () => Moment
  /** The service, as operations name it: its base URL, or `sandbox`. */
  readonly service: string
  /** Whose cards the signed endpoints are asked about; null when requests carry a key. */
  readonly inbound: { readonly partnerName: string | null; readonly locationId: string | null } | null
  /** True: also beside an open operation that is the same. */
  readonly force: boolean
}

/** The intent of a write at this desk. `cents`: null for a write without an amount. */
export function intentAt(desk: MoneyDesk, command: string, target: string, cents: bigint | null): Intent {
  return { command, service: desk.service, target, cents, profile: desk.caller.profile }
}

/** A card as it is now. Fails: as `call`; SERVICE_ERROR when the answer is no card, or says two things at once. */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  return cardIn(await call(caller, getGiftCard, { path: { cardNumber } }))
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

/** What a card, or the answer about one, says is left on it. Fails: SERVICE_ERROR when it does not say. */
export function requireReading(card: JsonObject): CardReading {
  const reading = readingOf(card)
  if (reading !== null) return reading
  throw new Failure(
    'SERVICE_ERROR',
    'the service does not say what is left on the card, so what a redeem does could not be checked',
    {
      hint: 'nothing was sent; look at the card with partner giftcards get',
    },
  )
}

/** The waits before a reading that may be stale is made again. Milliseconds. */
const STALE_WAITS_MS = [300, 900]

/** A reading, and whether it may be older than one's own last write on the card. */
interface Weighable {
  readonly reading: CardReading
  readonly isStale: boolean
}

/**
 * Reads a card until the reading is not above what one's own last writes left on it, a few times at most: a replica may lag behind.
 * @param operation the write that it is read for, which itself does not count.
 */
async function readUntilFresh(
  { store, clock, caller }: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<Weighable> {
  for (let again = 0; ; again++) {
    const reading = await read()
    const ceiling = store.ceilingOf(operation, clock())
    const waitMs = STALE_WAITS_MS[again]
    if (ceiling === null || reading.balance <= ceiling) return { reading, isStale: false }
    if (waitMs === undefined) return { reading, isStale: true }
    await sleep(waitMs, caller.hooks.signal)
  }
}

/** The balance before a redeem, as its operation keeps it; null when it is not certain. Fails: as the reading. */
export async function noteBalance(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<string | null> {
  const { reading, isStale } = await readUntilFresh(desk, operation, read)
  return isStale ? null : noteOf(reading)
}

/** What the balance now says of a redeem, and that balance in cents. Fails: as the reading. */
export async function weighByBalance(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<{ evidence: Evidence; balance: bigint }> {
  const { reading, isStale } = await readUntilFresh(desk, operation, read)
  const { balance } = reading
  if (isStale)
    return {
      balance,
      evidence: {
        state: 'unknown',
        how: 'the balance is above what the last redeem left: the reading is old, or the card was topped up',
      },
    }
  // Only now: what was not sent when it was read cannot have moved it.
  return { balance, evidence: weighRedeem(operation, reading, desk.store.movementsBeside(operation)) }
}
