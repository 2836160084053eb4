import { centsText } from './amount.ts'
import { type CardReading, notedReading } from './card-reading.ts'
import type { Movement, Operation } from './operations/operation.ts'
import { SETTLING_MS } from './operations/settling.ts'

/** What a reading says of a write. `unchanged`: nothing has moved so far. `unknown`: it says nothing, and `how` says why. */
export interface Evidence {
  readonly state: 'applied' | 'unchanged' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
}

/** What became of a write, and how that is known. `unknown`: nobody can tell yet, and `how` says why. */
export interface Verdict {
  readonly state: 'applied' | 'not-applied' | 'unknown'
  /** In words, without a full stop. */
  readonly how: string
}

/** More writes on one card than this are not told apart. */
const MAX_TOLD_APART = 10

/** A card that was redeemed has one of these statuses; another one is a reason of its own for a lower balance. */
const REDEEMABLE = new Set<string | null>([null, 'Active', 'Redeemed'])

/**
 * What a card says of an amount that was to be taken off it, by its balance before and now and by what else may have moved it.
 * @param others other writes on the same card since the balance before was read.
 */
export function weighRedeem(
  operation: Pick<Operation, 'cents' | 'before'>,
  now: CardReading,
  others: readonly Movement[],
): Evidence {
  const own = operation.cents
  const before = notedReading(operation.before)
  if (own === null || before === null)
    return { state: 'unknown', how: 'the balance before it is not known for certain' }
  const moved = `the balance went from ${centsText(before.balance)} to ${centsText(now.balance)}`
  const unknown = (why: string): Evidence => ({ state: 'unknown', how: `${moved}, ${why}` })
  const hasMoved = now.balance !== before.balance
  if (hasMoved && !REDEEMABLE.has(now.status)) return unknown(`and the card is ${now.status}, which may be why`)
  if (before.total !== null && now.total !== null && now.total > before.total)
    return unknown('and the card was topped up in between')
  const possible = others.filter(({ isCertain }) => !isCertain).map(({ cents }) => cents)
  if (possible.length > MAX_TOLD_APART)
    return unknown(`and ${possible.length} other writes on the card may have moved it`)
  const certain = others.reduce((sum, { cents, isCertain }) => (isCertain ? sum + cents : sum), 0n)
  const went = before.balance - now.balance - certain
  const withIt = canAddUp(possible, went - own)
  const withoutIt = canAddUp(possible, went)
  if (withIt && withoutIt) return unknown('which another write on the card explains as well')
  if (withIt) return { state: 'applied', how: moved }
  if (withoutIt)
    return { state: 'unchanged', how: hasMoved ? moved : `the balance is ${centsText(now.balance)} as before` }
  return unknown(`which is not by ${centsText(own)}: something else moved it`)
}

/** What the status of a card says of cancelling it; null when the service does not say. */
export function weighCancel(status: string | null): Evidence {
  if (status === 'Cancelled') return { state: 'applied', how: 'the card is cancelled' }
  if (status === null) return { state: 'unknown', how: 'the service does not say whether the card is cancelled' }
  return { state: 'unchanged', how: `the card is ${status}` }
}

/** What becomes known by evidence. An unchanged card proves something only when the service can no longer be at work. */
export function verdictOf({ state, how }: Evidence, quietMs: number): Verdict {
  if (state !== 'unchanged') return { state, how }
  if (quietMs >= SETTLING_MS) return { state: 'not-applied', how }
  const seconds = Math.ceil((SETTLING_MS - quietMs) / 1000)
  return { state: 'unknown', how: `${how}, but the service may still be at work: ask again in ${seconds} seconds` }
}

/** Whether some of the amounts, or none, add up to this. */
function canAddUp(amounts: readonly bigint[], total: bigint): boolean {
  const [first, ...rest] = amounts
  if (first === undefined) return total === 0n
  return canAddUp(rest, total) || canAddUp(rest, total - first)
}
