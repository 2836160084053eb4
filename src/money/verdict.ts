import { centsOf, centsText } from './cents.ts'
import type { Operation } from './operation.ts'

/** What became of a write, and how that is known. `unknown`: nobody can tell yet, and `how` says why. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
}

/** For so long after it was sent, a service may still be at work on a write whose answer was lost. Milliseconds. */
export const SETTLING_MS = 60_000

/** More open writes on one card than this are not told apart. */
const MAX_TOLD_APART = 10

/**
 * What became of taking an amount off a card, judged by its balance before and now and by what else may have moved it.
 * @param others other open writes on the same card, each of which may have been done too.
 * @param now epoch milliseconds of the reading; an unchanged balance proves something only {@link SETTLING_MS} after sending.
 */
export function judgeRedeem(
  operation: Operation,
  balanceNow: bigint,
  others: readonly Operation[],
  now: number,
): Verdict {
  const own = operation.amount === null ? null : centsOf(operation.amount)
  const before = operation.before === null ? null : BigInt(operation.before)
  if (own === null || before === null) return { state: 'unknown', how: 'the balance before it was not read' }
  const went = before - balanceNow
  const moved = `the balance went from ${centsText(before)} to ${centsText(balanceNow)}`
  const amounts = others.flatMap((other) => (other.amount === null ? [] : (centsOf(other.amount) ?? [])))
  if (amounts.length > MAX_TOLD_APART)
    return { state: 'unknown', how: `${moved}, and ${amounts.length} other writes on the card are open` }
  const withIt = canAddUp(amounts, went - own)
  const withoutIt = canAddUp(amounts, went)
  if (withIt && withoutIt)
    return { state: 'unknown', how: `${moved}, which another open write on the card explains as well` }
  if (withIt) return { state: 'applied', how: moved }
  if (!withoutIt)
    return { state: 'unknown', how: `${moved}, which is not by ${centsText(own)}: something else moved it` }
  return unchanged(operation, now, went === 0n ? `the balance is ${centsText(balanceNow)} as before` : moved)
}

/** What became of cancelling a card, judged by its status now. */
export function judgeCancel(operation: Operation, status: string, now: number): Verdict {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
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
