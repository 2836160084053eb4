import { randomBytes } from 'node:crypto'
import { Failure } from '../../base/failure/failure.ts'

/** The prefix of every handle. */
export const HANDLE_PREFIX = 'mcp_'

/** How long a prepared order remains valid, in milliseconds. */
export const ORDER_LIFE_MS = 15 * 60_000

/** What a person must see before approving an order. Amounts have two decimal places. */
export interface OrderFacts {
  /** The command, such as `giftcards redeem`. */
  readonly action: string
  /** The profile's name, or `null` if none was used. */
  readonly profile: string | null
  /** The service's host, with its port if that is not the default port, or `sandbox`. */
  readonly host: string
  readonly cardNumber?: string
  readonly saleId?: string
  /** The amount that the order moves. For a cancellation, this is the balance that is lost. `null` if unknown. */
  readonly amount: string | null
  readonly currency?: string
  /** The card's balance when the order was prepared. */
  readonly balance?: string
  readonly warnings?: readonly string[]
}

/** The parsed values of a command line. */
export interface OrderedValues {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
}

/** A money write that an agent has prepared. If it is sent, its handle serves as its `--once` key. */
export interface PreparedOrder extends OrderedValues {
  readonly handle: string
  /** The command, such as `giftcards redeem`. */
  readonly command: string
  /** The digest of the order, as `fingerprintOf` returns it. */
  readonly fingerprint: string
  readonly facts: OrderFacts
  /** The amount, in cents, that counts towards limits. It is never negative. `null` if unknown. */
  readonly counted: bigint | null
  /** The service's name in stored operations. */
  readonly service: string
  readonly profile: string | null
  /** This and the following times are in epoch milliseconds. */
  readonly preparedAt: number
  readonly expiresAt: number
  readonly approvedAt: number | null
  readonly declinedAt: number | null
  /** Why the order can no longer be sent, as stored by `storeRefusal`, or `null`. */
  readonly refusal: string | null
}

/** Whether to prepare an order or to send a prepared one. Limits are in cents. */
export type OrderMode =
  | { readonly kind: 'prepare' }
  | {
      readonly kind: 'commit'
      readonly handle: string
      /** The largest amount that needs no approval. `null` if every order needs approval. */
      readonly approveUpTo: bigint | null
      /**
       * The maximum amount that all orders together can move in one day at the venue. `null` means no maximum.
       */
      readonly perDay: bigint | null
    }

export function createHandle(): string {
  return HANDLE_PREFIX + randomBytes(16).toString('base64url')
}

/** Returns whether an order has expired. Also true if the clock was set back by more than a minute. */
export function isExpired({ preparedAt, expiresAt }: PreparedOrder, nowMs: number): boolean {
  return nowMs >= expiresAt || nowMs < preparedAt - 60_000
}

/** Converts an order for output. */
export function describeOrder({ handle, expiresAt, facts }: PreparedOrder) {
  return { handle, expiresAt: new Date(expiresAt).toISOString(), ...facts }
}

/** Creates the failure for a command that was given an unknown handle. */
export function noSuchOrder(handle: string): Failure {
  return new Failure('NOT_FOUND', `there is no prepared order ${JSON.stringify(handle)}`, {
    hint: 'check the handle, or ask the agent to prepare the order again',
    outcome: 'not-applied',
  })
}
