import { centsText } from './amount.ts'
import { type CardReading, parseReading } from './card-reading.ts'
import type { Movement, Operation } from './operations/operation.ts'
import { SETTLING_MS } from './operations/settling.ts'

/**
 * The evidence from a request for the current state. `unchanged` means that nothing has changed yet. `unknown` means
 * that the response proves nothing.
 */
export interface Evidence {
  readonly state: 'applied' | 'unchanged' | 'unknown'
  /** An explanation for the user, without a full stop. */
  readonly how: string
}

/** A write's outcome. `unknown` means that it cannot be determined yet. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** An explanation for the user, without a full stop. */
  readonly how: string
  /** Whether the outcome is unknown only because it is too early to tell. */
  readonly isEarly?: boolean
}

/**
 * The maximum number of uncertain writes to consider: each one doubles the number of sums to try. With more, the
 * outcome is `unknown`.
 */
const MAX_POSSIBLE = 10

/** Card statuses that cannot explain a changed balance. `null` means that the service did not report a status. */
const REDEEMABLE = new Set<string | null>([null, 'Active', 'Redeemed'])

/**
 * Determines whether a redemption took effect by comparing two balances.
 * @param others other writes on the card since the first balance was read.
 */
export function weighRedeem(
  operation: Pick<Operation, 'cents' | 'before'>,
  now: CardReading,
  others: readonly Movement[],
): Evidence {
  const own = operation.cents
  const before = parseReading(operation.before)
  if (own === null) return { state: 'unknown', how: 'its amount is not a whole number of cents' }
  if (before === null) return { state: 'unknown', how: 'the balance before the write is uncertain' }
  const moved = `the balance went from ${centsText(before.balance)} to ${centsText(now.balance)}`
  const unknown = (why: string): Evidence => ({ state: 'unknown', how: `${moved}, ${why}` })
  const hasMoved = now.balance !== before.balance
  if (hasMoved && !REDEEMABLE.has(now.status)) return unknown(`and the card is ${now.status}, which may be the reason`)
  if (before.total !== null && now.total !== null && now.total > before.total)
    return unknown('and the card was topped up in between')
  const possible = others.filter(({ isCertain }) => !isCertain).map(({ cents }) => cents)
  if (possible.length > MAX_POSSIBLE)
    return unknown(`and ${possible.length} other writes on the card may have changed it`)
  const certain = others.reduce((sum, { cents, isCertain }) => (isCertain ? sum + cents : sum), 0n)
  const went = before.balance - now.balance - certain
  const withIt = canAddUp(possible, went - own)
  const withoutIt = canAddUp(possible, went)
  if (withIt && withoutIt) return unknown('which another write on the card could also explain')
  if (withIt) return { state: 'applied', how: moved }
  if (withoutIt) return { state: 'unchanged', how: hasMoved ? moved : `the balance is still ${centsText(now.balance)}` }
  return unknown(`which is not a change of ${centsText(own)}, so something else changed it`)
}

/**
 * Determines from the card's status whether a cancellation took effect. The outcome is unknown if the service did not
 * report a status, or if the status changed from `before` to anything other than `Cancelled`.
 */
export function weighCancel(status: string | null, before: string | null = null): Evidence {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
  if (status === null) return { state: 'unknown', how: 'the service does not say whether the card is cancelled' }
  if (before !== null && before !== status)
    return { state: 'unknown', how: `the card was ${before} before and is now ${status}` }
  return { state: 'unchanged', how: `the card is ${status}` }
}

/**
 * Turns evidence into a verdict. While the service might still be processing the write, an unchanged card proves
 * nothing.
 * @param quietMs milliseconds since the last attempt ended.
 */
export function verdictOf({ state, how }: Evidence, quietMs: number): Verdict {
  if (state !== 'unchanged') return { state, how }
  if (quietMs >= SETTLING_MS) return { state: 'not-applied', how }
  const seconds = Math.ceil((SETTLING_MS - quietMs) / 1000)
  const early = `${how}, but the service may still be working on it: ask again in ${seconds} seconds`
  return { state: 'unknown', how: early, isEarly: true }
}

/** Returns whether any subset of the amounts, including the empty one, adds up to the total. */
function canAddUp(amounts: readonly bigint[], total: bigint): boolean {
  const [first, ...rest] = amounts
  if (first === undefined) return total === 0n
  return canAddUp(rest, total) || canAddUp(rest, total - first)
}
