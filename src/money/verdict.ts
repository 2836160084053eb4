import { centsOf, centsText } from './cents.ts'
import type { Movement, Operation } from './operation.ts'

/** What became of a write, and how that is known. `unknown`: nobody can tell yet, and `how` says why. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
}

/** A card as it is read. */
export interface CardReading {
  /** Cents. */
  readonly balance: bigint
  /** Null when the answer does not say. */
  readonly status: string | null
}

/** For so long after it was last on its way, a service may still be at work on a write whose answer was lost. Milliseconds. */
export const SETTLING_MS = 60_000

/** More writes on one card than this are not told apart. */
const MAX_TOLD_APART = 10

/**
 * What became of taking an amount off a card, judged by its balance before and now and by what else may have moved it.
 * @param others other writes on the same card since the balance before was read.
 * @param now epoch milliseconds of the reading; an unchanged balance proves something only {@link SETTLING_MS} after sending.
 */
export function judgeRedeem(
  operation: Operation,
  { balance, status }: CardReading,
  others: readonly Movement[],
  now: number,
): Verdict {
  const own = operation.amount === null ? null : centsOf(operation.amount)
  const before = operation.before === null ? null : BigInt(operation.before)
  if (own === null || before === null) return { state: 'unknown', how: 'the balance before it was not read' }
  const moved = `the balance went from ${centsText(before)} to ${centsText(balance)}`
  // A service may show nothing on a cancelled card, whatever was left on it.
  if (status === 'Cancelled' && balance === 0n && before !== 0n)
    return { state: 'unknown', how: `${moved}, and the card was cancelled, which may be why` }
  const possible = others.filter(({ isCertain }) => !isCertain).map(({ cents }) => cents)
  if (possible.length > MAX_TOLD_APART)
    return { state: 'unknown', how: `${moved}, and ${possible.length} other writes on the card may have moved it` }
  const certain = others.reduce((sum, { cents, isCertain }) => (isCertain ? sum + cents : sum), 0n)
  const went = before - balance - certain
  const withIt = canAddUp(possible, went - own)
  const withoutIt = canAddUp(possible, went)
  if (withIt && withoutIt)
    return { state: 'unknown', how: `${moved}, which another write on the card explains as well` }
  if (withIt) return { state: 'applied', how: moved }
  if (!withoutIt)
    return { state: 'unknown', how: `${moved}, which is not by ${centsText(own)}: something else moved it` }
  return unchanged(operation, now, before === balance ? `the balance is ${centsText(balance)} as before` : moved)
}

/** What became of cancelling a card, judged by its status now; null when the answer does not say. */
export function judgeCancel(operation: Operation, status: string | null, now: number): Verdict {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
  if (status === null) return { state: 'unknown', how: 'the service does not say whether the card is cancelled' }
  return unchanged(operation, now, `the card is ${status}`)
}

function unchanged(operation: Operation, now: number, how: string): Verdict {
  const left = (operation.sentAt ?? operation.startedAt) + SETTLING_MS - now
  if (left <= 0) return { state: 'not-applied', how }
  return {
    state: 'unknown',
    how: `${how}, but the service may still be at work: ask again in ${Math.ceil(left / 1000)} seconds`,
  }
}

/** Whether some of the amounts, or none, add up to this. */
function canAddUp(amounts: readonly bigint[], total: bigint): boolean {
  const [first, ...rest] = amounts
  if (first === undefined) return total === 0n
  return canAddUp(rest, total) || canAddUp(rest, total - first)
}
