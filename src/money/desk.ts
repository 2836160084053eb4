import { Failure } from '../base/failure/failure.ts'
import { formatCommand } from '../base/failure/suggested.ts'
import { isJsonObject, type JsonObject } from '../base/json/exact.ts'
import { hasRepeatedMember } from '../base/json/repeated-member.ts'
import { call } from '../client/calls/call.ts'
import type { Caller } from '../client/calls/caller.ts'
import { getGiftCard } from '../contract/giftcards.ts'
import { pause } from '../http/client/retry.ts'
import { type CardReading, extractReading, formatReading } from './card-reading.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Moment } from './operations/moment.ts'
import type { Intent, Operation } from './operations/operation.ts'
import type { OperationStore } from './operations/store.ts'
import type { DailyCap } from './orders/cap.ts'
import { type Evidence, weighRedeem } from './verdict.ts'

/** The dependencies and settings that every money write needs. */
export interface MoneyDesk {
  readonly caller: Caller
  readonly store: OperationStore
  readonly clock: () => Moment
  /** The service's name in stored operations: its base URL, or `sandbox`. */
  readonly service: string
  /** The partner's name and location for the signed endpoints, or `null` if requests carry an API key. */
  readonly inbound: { readonly partnerName: string | null; readonly locationId: string | null } | null
  readonly force: boolean
  /** Commits the steps of several writes in one transaction. If undefined, each step is committed separately. */
  readonly together?: OperationStore['together']
  /** The ledger that is shared with other machines; undefined if there is none. */
  readonly ledger?: Ledger | undefined
  /** The daily cap, which the ledger checks; undefined for writes that are not orders. */
  readonly cap?: DailyCap
  /** Called in the transaction that claims a write or takes over an open one. */
  readonly onClaim?: (operation: Operation) => void
  /** Called with the operation's ID before each attempt to send the write. */
  readonly onSending?: (id: string) => void
}

/** Creates the description of a write. `cents` is `null` for a write without an amount. */
export function createIntent(desk: MoneyDesk, command: string, target: string, cents: bigint | null): Intent {
  return { command, service: desk.service, target, cents, profile: desk.caller.profile }
}

/** The text that is appended to a confirmation prompt if the outcome of another write on the card is unknown. */
export const OPEN_WRITE_NOTICE = ', although the outcome of another write on this card is unknown'

/**
 * Reads a gift card. Throws SERVICE_ERROR if the response is not a card or repeats a member. Also throws if the request
 * fails.
 */
export async function readCard(caller: Caller, cardNumber: string): Promise<JsonObject> {
  const answer = await call(caller, getGiftCard, { path: { cardNumber } }, { ownConnection: true })
  const { value, text } = answer
  const { request } = answer.call
  if (!isJsonObject(value)) throw new Failure('SERVICE_ERROR', 'the response is not a gift card', { request })
  if (hasRepeatedMember(text))
    throw new Failure('SERVICE_ERROR', 'the response is ambiguous: it contains the same member more than once', {
      request,
    })
  return value
}

/** Extracts the balance and status from a card. Throws SERVICE_ERROR if the card has no balance. */
export function requireReading(card: JsonObject): CardReading {
  const reading = extractReading(card)
  if (reading !== null) return reading
  throw new Failure(
    'SERVICE_ERROR',
    "the response does not contain the card's balance, so it would not be possible to check whether a redemption was done",
    { hint: `nothing was sent; check the card in the list: ${formatCommand`giftcards list`}` },
  )
}

/** How long, in milliseconds, to wait before each new attempt to read a balance that might be stale. */
const STALE_WAITS_MS = [300, 900]

interface DatedReading {
  readonly reading: CardReading
  readonly isStale: boolean
  /** The IDs of the writes that ended before the balance was requested. The balance includes their effect. */
  readonly ended: ReadonlySet<string>
}

/**
 * Reads a balance. If it is higher than our writes allow, retries: a lagging replica might have responded.
 * @param operation a write that does not count as one of our writes.
 */
async function readUntilFresh(
  { store, clock, caller }: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
  refresh?: () => Promise<void>,
): Promise<DatedReading> {
  for (let again = 0; ; again++) {
    const ended = store.endedOn(operation)
    const reading = await read()
    await refresh?.()
    const ceiling = store.getHighestBalance(operation, clock())
    const waitMs = STALE_WAITS_MS[again]
    if (ceiling === null || reading.balance <= ceiling) return { reading, isStale: false, ended }
    if (waitMs === undefined) return { reading, isStale: true, ended }
    await pause(waitMs, caller.hooks)
  }
}

/**
 * Reads the balance before a redemption and serializes it for storage. Returns `null` if the balance might be stale.
 * Throws if the balance cannot be read.
 */
export async function readBalanceBefore(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<string | null> {
  const { reading, isStale } = await readUntilFresh(desk, operation, read)
  return isStale ? null : formatReading(reading)
}

/**
 * Determines from the current balance whether a redemption took effect. Also returns the balance, in cents. Throws if
 * the balance cannot be read.
 */
export async function weighByBalance(
  desk: MoneyDesk,
  operation: Operation,
  read: () => Promise<CardReading>,
): Promise<{ evidence: Evidence; balance: bigint }> {
  const { service, target } = operation
  // Refresh after reading the balance, because another machine might have just changed it.
  const refresh = async () => desk.ledger?.refresh(service, target, null)
  const { reading, isStale, ended } = await readUntilFresh(desk, operation, read, refresh)
  const { balance } = reading
  if (isStale)
    return {
      balance,
      evidence: {
        state: 'unknown',
        how: 'the balance is higher than after the last redemption: the response is stale, or the card was topped up',
      },
    }
  // List the other writes after reading the balance, to include every write that might have affected it.
  return { balance, evidence: weighRedeem(operation, reading, desk.store.movementsBeside(operation, ended)) }
}
