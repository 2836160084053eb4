import { centsText } from './amount.ts'
import { type CardReading, parseReading } from './card-reading.ts'
import type { Movement, Operation } from './operations/operation.ts'
import { SETTLING_MS } from './operations/settling.ts'

/**
 * What a reading shows. `unchanged`: nothing has changed so far. `unknown`: the reading proves nothing; `how` says why.
 */
export interface Evidence {
  readonly state: 'applied' | 'unchanged' | 'unknown'
  /** The explanation for the user, without a full stop. */
  readonly how: string
}

/** The outcome of a write. `unknown`: it cannot be determined yet; `how` gives the reason. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** The explanation for the user, without a full stop. */
  readonly how: string
  /** Whether the outcome is unknown only because it is too early to tell. */
  readonly isEarly?: boolean
}

/** The most uncertain writes to consider; with more, the outcome is `unknown`. Each one doubles the sums to try. */
const MAX_POSSIBLE = 10

/** Statuses that do not explain a lower balance; `null` if the service does not report one. */
const REDEEMABLE = new Set<string | null>([null, 'Active', 'Redeemed'])

/** Judges a redeem by comparing two balances. @param others other writes on the card since the first reading. */
export function weighRedeem(
  operation: Pick<Operation, 'cents' | 'before'>,
  now: CardReading,
  others: readonly Movement[],
): Evidence {
  const own = operation.cents
  const before = parseReading(operation.before)
  if (own === null) return { state: 'unknown', how: 'its amount is not a whole number of cents' }
  if (before === null) return { state: 'unknown', how: 'the balance before the write is not certain' }
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
  return unknown(`which is not a change of ${centsText(own)}: something else changed it`)
}

/**
 * Judges a cancellation by the status of the card, which is `null` if unknown. @param before the earlier status, if a
 * change to any other status leaves the outcome in doubt; otherwise `null`.
 */
export function weighCancel(status: string | null, before: string | null = null): Evidence {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
  if (status === null) return { state: 'unknown', how: 'the service does not say whether the card is cancelled' }
  if (before !== null && before !== status)
    return { state: 'unknown', how: `the card was ${before} before and is now ${status}` }
  return { state: 'unchanged', how: `the card is ${status}` }
}

/**
 * Turns evidence into a verdict. An unchanged card proves nothing while the service may still be working on the write.
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
