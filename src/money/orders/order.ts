import { randomBytes } from 'node:crypto'
import { Failure } from '../../base/failure/failure.ts'

/** The start of every handle. */
export const HANDLE_PREFIX = 'mcp_'

/** How long a prepared order may be sent, in milliseconds. */
export const ORDER_LIFE_MS = 15 * 60_000

/** What a person must see before approving an order. Amounts have two decimals. */
export interface OrderFacts {
  /** The command, such as `giftcards redeem`. */
  readonly action: string
  /** The profile's name, or `null` if none was used. */
  readonly profile: string | null
  /** The host of the service, with its port if it is not the default, or `sandbox`. */
  readonly host: string
  readonly cardNumber?: string
  readonly saleId?: string
  /** The amount that moves. For a cancellation, the balance that is lost. `null` if unknown. */
  readonly amount: string | null
  readonly currency?: string
  /** The balance of the card when the order was prepared. */
  readonly balance?: string
  readonly warnings?: readonly string[]
}

/** The values of a command line, as parsed. */
export interface OrderedValues {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, unknown>>
}

/** A money write that an agent has prepared. It is sent later, under the key that is its handle, or never. */
export interface PreparedOrder extends OrderedValues {
  readonly handle: string
  /** The command, such as `giftcards redeem`. */
  readonly command: string
  /** The digest of the order, as `fingerprintOf` returns it. */
  readonly fingerprint: string
  readonly facts: OrderFacts
  /** What the order counts towards limits, in cents, and never negative. `null` if unknown. */
  readonly counted: bigint | null
  /** The service's name in stored operations. */
  readonly service: string
  readonly profile: string | null
  /** Times in milliseconds since 1970. */
  readonly preparedAt: number
  readonly expiresAt: number
  readonly approvedAt: number | null
  readonly declinedAt: number | null
  /** Why the order is never sent, as `storeRefusal` formats it, or `null`. */
  readonly refusal: string | null
}

/** What is done with a money write instead of making it at once. Limits are in cents; `null` means none. */
export type OrderMode =
  | { readonly kind: 'prepare' }
  | {
      readonly kind: 'commit'
      readonly handle: string
      /** The largest amount that needs no approval. `null`: every order needs one. */
      readonly approveUpTo: bigint | null
      /** The most that all orders may move on one day of the venue. */
      readonly perDay: bigint | null
    }

export function createHandle(): string {
  return HANDLE_PREFIX + randomBytes(16).toString('base64url')
}

/** Returns whether an order may no longer be sent. Also true if the clock was set back by more than a minute. */
export function isExpired({ preparedAt, expiresAt }: PreparedOrder, nowMs: number): boolean {
  return nowMs >= expiresAt || nowMs < preparedAt - 60_000
}

/** Returns what is shown about an order. */
export function describeOrder({ handle, expiresAt, facts }: PreparedOrder) {
  return { handle, expiresAt: new Date(expiresAt).toISOString(), ...facts }
}

/** Creates the failure of a command that names an order that is not stored. */
export function noSuchOrder(handle: string): Failure {
  return new Failure('NOT_FOUND', `there is no prepared order ${JSON.stringify(handle)}`, {
    hint: 'check the handle, or let the agent prepare the order again',
    outcome: 'not-applied',
  })
}
