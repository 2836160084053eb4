import { centsText } from './amount.ts'
import { type CardReading, notedReading } from './card-reading.ts'
import type { Movement, Operation } from './operations/operation.ts'
import { SETTLING_MS } from './operations/settling.ts'

/** `unchanged`: nothing has moved so far. `unknown`: nobody can tell, and `how` says why. */
export interface Evidence {
  readonly state: 'applied' | 'unchanged' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
}

/** The outcome of a write. `unknown`: nobody can tell yet, and `how` says why. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
  readonly isEarly?: boolean
}

/** Each uncertain write doubles the sums to try. Above this many, the answer is `unknown`. */
const MOST_POSSIBLE = 10

/** Any other status may itself be why the balance is lower. */
const REDEEMABLE = new Set<string | null>([null, 'Active', 'Redeemed'])

/** Judges a redeem by the two balances. @param others other writes on the card since the first reading. */
export function weighRedeem(
  operation: Pick<Operation, 'cents' | 'before'>,
  now: CardReading,
  others: readonly Movement[],
): Evidence {
  const own = operation.cents
  const before = notedReading(operation.before)
  if (own === null) return { state: 'unknown', how: 'its amount is no whole number of cents' }
  if (before === null) return { state: 'unknown', how: 'the balance before it is not certain' }
  const moved = `the balance went from ${centsText(before.balance)} to ${centsText(now.balance)}`
  const unknown = (why: string): Evidence => ({ state: 'unknown', how: `${moved}, ${why}` })
  const hasMoved = now.balance !== before.balance
  if (hasMoved && !REDEEMABLE.has(now.status)) return unknown(`and the card is ${now.status}, which may be why`)
  if (before.total !== null && now.total !== null && now.total > before.total)
    return unknown('and the card was topped up in between')
  const possible = others.filter(({ isCertain }) => !isCertain).map(({ cents }) => cents)
  if (possible.length > MOST_POSSIBLE)
    return unknown(`and ${possible.length} other writes on the card may have moved it`)
  const certain = others.reduce((sum, { cents, isCertain }) => (isCertain ? sum + cents : sum), 0n)
  const went = before.balance - now.balance - certain
  const withIt = canAddUp(possible, went - own)
  const withoutIt = canAddUp(possible, went)
  if (withIt && withoutIt) return unknown('which another write on the card explains as well')
  if (withIt) return { state: 'applied', how: moved }
  if (withoutIt)
    return { state: 'unchanged', how: hasMoved ? moved : `the balance is ${centsText(now.balance)} as before` }
  return unknown(`not by ${centsText(own)}: something else moved it`)
}

/** `status`: null if unknown. @param before the earlier status if another one now leaves doubt, else null. */
export function weighCancel(status: string | null, before: string | null = null): Evidence {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
  if (status === null) return { state: 'unknown', how: 'the service does not say whether the card is cancelled' }
  if (before !== null && before !== status)
    return { state: 'unknown', how: `the card was ${before} before, and now it is ${status}` }
  return { state: 'unchanged', how: `the card is ${status}` }
}

/** An unchanged card proves nothing while the service may still be working. @param quietMs since the attempt. */
export function verdictOf({ state, how }: Evidence, quietMs: number): Verdict {
  if (state !== 'unchanged') return { state, how }
  if (quietMs >= SETTLING_MS) return { state: 'not-applied', how }
  const seconds = Math.ceil((SETTLING_MS - quietMs) / 1000)
  const early = `${how}, but the service may still be at work: ask again in ${seconds} seconds`
  return { state: 'unknown', how: early, isEarly: true }
}

/** Whether some of the amounts, or none of them, add up to the total. */
function canAddUp(amounts: readonly bigint[], total: bigint): boolean {
  const [first, ...rest] = amounts
  if (first === undefined) return total === 0n
  return canAddUp(rest, total) || canAddUp(rest, total - first)
}
