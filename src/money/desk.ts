import { Failure } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import { isJsonObject, type JsonObject } from '../base/json/exact.ts'
import { hasRepeatedMember } from '../base/json/repeated-member.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import { getGiftCard } from '../contract/giftcards.ts'
import { pause } from '../http/client/retry.ts'
import { type CardReading, extractReading, formatReading } from './card-reading.ts'
import type { Moment } from './operations/moment.ts'
import type { Intent, Operation } from './operations/operation.ts'
import type { OperationStore } from './operations/store.ts'
import { type Evidence, weighRedeem } from './verdict.ts'

/** Everything that a money write needs. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  readonly clock: () => Moment
  /** The service as operations record it: its base URL, or `sandbox`. */
  readonly service: string
  /** The partner's identity for the signed endpoints; `null` if requests carry an API key. */
  readonly inbound: { readonly partnerName: string | null; readonly locationId: string | null } | null
  readonly force: boolean
  /** Commits the steps of several writes in one transaction; if undefined, each step is committed on its own. */
  readonly together?: OperationStore['together']
  /** Called in the transaction that claims a write or takes over an open one. */
  readonly onClaim?: (operation: Operation) => void
  /** Called before each attempt, with the ID of the operation. */
  readonly onSending?: (id: string) => void
}

/** Creates the intent of a write. `cents` is `null` for a write without an amount. */
export function createIntent(desk: MoneyDesk, command: string, target: string, cents: bigint | null): Intent {
  return { command, service: desk.service, target, cents, profile: desk.caller.profile }
}

/** Text for a confirmation prompt, to be shown if another write on the card is open. */
export const OPEN_WRITE_NOTICE = ', although the outcome of another write on this card is unknown'

/**
 * Reads a gift card. Throws SERVICE_ERROR if the response is not a card or contradicts itself, or whatever `call`
 * throws.
 */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  const answer = await call(caller, getGiftCard, { path: { cardNumber } }, { ownConnection: true })
  const { value, text } = answer
  const { request } = answer.call
  if (!isJsonObject(value))
    throw new Failure('SERVICE_ERROR', 'the service answered with something that is not a gift card', { request })
  if (hasRepeatedMember(text))
    throw new Failure(
      'SERVICE_ERROR',
      'the service contradicts itself: a member of the card is repeated in its response',
      {
        request,
      },
    )
  return value
}

/** Returns the reading of a card. Throws SERVICE_ERROR if the card has no balance. */
export function requireReading(card: JsonObject): CardReading {
  const reading = extractReading(card)
  if (reading !== null) return reading
  throw new Failure(
    'SERVICE_ERROR',
    'the service does not report the balance of the card, so the outcome of a redeem could not be checked',
    { hint: `nothing was sent; look at the card: ${formatCommand`giftcards list`}` },
  )
}

/** The delays before rereading a balance that may be stale, in milliseconds. */
const STALE_WAITS_MS = [300, 900]

interface DatedReading {
  readonly reading: CardReading
  readonly isStale: boolean
  /** The IDs of the writes that had ended before the reading and are therefore included in it. */
  readonly ended: ReadonlySet<string>
}

/**
 * Reads a balance, and rereads it while it is higher than our own writes can have left it, because a replica may lag.
 * @param operation a write that is not counted among them.
 */
async function readUntilFresh(
  { store, clock, caller }: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<DatedReading> {
  for (let again = 0; ; again++) {
    const ended = store.endedOn(operation)
    const reading = await read()
    const ceiling = store.getHighestBalance(operation, clock())
    const waitMs = STALE_WAITS_MS[again]
    if (ceiling === null || reading.balance <= ceiling) return { reading, isStale: false, ended }
    if (waitMs === undefined) return { reading, isStale: true, ended }
    await pause(waitMs, caller.hooks)
  }
}

/**
 * Reads the balance before a redeem, formatted for storing. Returns `null` if it may be stale. Throws whatever `read`
 * throws.
 */
export async function readBalanceBefore(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<string | null> {
  const { reading, isStale } = await readUntilFresh(desk, operation, read)
  return isStale ? null : formatReading(reading)
}

/** Judges a redeem by the current balance. Also returns that balance, in cents. Throws whatever `read` throws. */
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
        how: 'the balance is higher than the last redeem left it: the service lags behind, or the card was topped up',
      },
    }
  // The other writes are listed after the reading, because writes that start later cannot have affected it.
  return { balance, evidence: weighRedeem(operation, reading, desk.store.movementsBeside(operation, ended)) }
}
