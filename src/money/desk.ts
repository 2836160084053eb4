import { Failure } from '../base/failure/failure.ts'
import { suggest } from '../base/failure/suggested.ts'
import { isJsonObject, type JsonObject } from '../base/json/exact.ts'
import { hasRepeatedMember } from '../base/json/repeated-member.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import { getGiftCard } from '../contract/giftcards.ts'
import { pause } from '../http/client/retry.ts'
import { type CardReading, noteOf, readingOf } from './card-reading.ts'
import type { Moment } from './operations/moment.ts'
import type { Intent, Operation } from './operations/operation.ts'
import type { OperationStore } from './operations/store.ts'
import { type Evidence, weighRedeem } from './verdict.ts'

/** Everything that a write of money needs. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  readonly clock: () => Moment
  /** The service, as operations name it: its base URL, or `sandbox`. */
  readonly service: string
  /** Identifies the partner to the signed endpoints; null if requests carry a key. */
  readonly inbound: { readonly partnerName: string | null; readonly locationId: string | null } | null
  readonly force: boolean
  /** Commits steps of this write together with those of others; undefined to commit each alone. */
  readonly together?: OperationStore['together']
  /** Called with the ID of the operation before each attempt. */
  readonly onSending?: (id: string) => void
}

/** `cents` is null for a write without an amount. */
export function intentAt(desk: MoneyDesk, command: string, target: string, cents: bigint | null): Intent {
  return { command, service: desk.service, target, cents, profile: desk.caller.profile }
}

/** Added to a question if another write on the card is open. */
export const ALTHOUGH_OPEN = ', although it is not known what became of another write on this card'

/** Fails: as `call`; SERVICE_ERROR if the response is not a card, or contradicts itself. */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  const answer = await call(caller, getGiftCard, { path: { cardNumber } }, { ownConnection: true })
  const { value, text } = answer
  const { request } = answer.call
  if (!isJsonObject(value))
    throw new Failure('SERVICE_ERROR', 'the service answered with something that is not a gift card', { request })
  if (hasRepeatedMember(text))
    throw new Failure('SERVICE_ERROR', 'the service contradicts itself: its answer has a member of the card twice', {
      request,
    })
  return value
}

/** Fails: SERVICE_ERROR if the card has no balance. */
export function requireReading(card: JsonObject): CardReading {
  const reading = readingOf(card)
  if (reading !== null) return reading
  throw new Failure(
    'SERVICE_ERROR',
    'the service does not say what is left on the card, so there is no way to check a redeem',
    { hint: `nothing was sent; look at the card: ${suggest`giftcards list`}` },
  )
}

/** The waits before reading again if a reading may be stale. */
const STALE_WAITS_MS = [300, 900]

interface DatedReading {
  readonly reading: CardReading
  readonly isStale: boolean
  /** The writes that had ended before the reading, so that it includes them. */
  readonly ended: ReadonlySet<string>
}

/** Reads again while the balance is above what our writes left: a replica lags. @param operation not counted. */
async function readUntilFresh(
  { store, clock, caller }: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<DatedReading> {
  for (let again = 0; ; again++) {
    const ended = store.endedOn(operation)
    const reading = await read()
    const ceiling = store.ceilingOf(operation, clock())
    const waitMs = STALE_WAITS_MS[again]
    if (ceiling === null || reading.balance <= ceiling) return { reading, isStale: false, ended }
    if (waitMs === undefined) return { reading, isStale: true, ended }
    await pause(waitMs, caller.hooks)
  }
}

/** Reads the balance before a redeem, as text; null if it may be stale. Fails: as `read`. */
export async function noteBalance(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<string | null> {
  const { reading, isStale } = await readUntilFresh(desk, operation, read)
  return isStale ? null : noteOf(reading)
}

/** Judges a redeem by the current balance, which is returned in cents. Fails: as `read`. */
export async function weighByBalance(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<{ evidence: Evidence; balance: bigint }> {
  const { reading, isStale, ended } = await readUntilFresh(desk, operation, read)
  const { balance } = reading
  if (isStale)
    return {
      balance,
      evidence: {
        state: 'unknown',
        how: 'the balance is above what the last redeem left: the service is behind, or the card was topped up',
      },
    }
  // Listed after the reading: a later write cannot have affected it.
  return { balance, evidence: weighRedeem(operation, reading, desk.store.movementsBeside(operation, ended)) }
}
