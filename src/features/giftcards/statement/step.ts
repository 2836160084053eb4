import { EXPLANATIONS } from './printed/reasons.ts'

/** A gift card in a snapshot. An amount is in cents, or `null` if the service did not send a whole number of cents. */
export interface CardState {
  readonly status: string | null
  /** The total amount ever loaded onto the card. */
  readonly amount: bigint | null
  readonly remaining: bigint | null
}

/** Returns whether the balance of a card with this status is owed to its holder. */
export function isOwed(status: string | null): boolean {
  return status === 'Active' || status === 'PendingPostage'
}

/** Returns the amount owed on a card, in cents. An unreadable balance counts as 0. */
export function amountOwed(card: CardState | null): bigint {
  return card !== null && isOwed(card.status) ? (card.remaining ?? 0n) : 0n
}

/** The kinds of movement. `adjusted` is any other change that the service shows. */
export const KINDS = ['issued', 'redeemed', 'cancelled', 'expired', 'adjusted', 'not-explained'] as const
export type Kind = (typeof KINDS)[number]

export interface Flow {
  readonly kind: Kind
  /** The change in the amount owed, in cents. It is negative for a redemption. */
  readonly cents: bigint
  /** A note if the movement is unclear or unusual, otherwise `null`. */
  readonly why: string | null
}

export interface Step {
  /** The movements, which add up to the change in the amount owed. */
  readonly flows: readonly Flow[]
  /**
   * The sum of the visible redemptions, in cents: the amount by which the balance fell before any cancellation or
   * expiry.
   */
  readonly fall: bigint
  /** Whether the snapshots may hide redemptions: the balance rose or is unreadable, or the card is gone. */
  readonly hides: boolean
  /** A note about something unusual that does not change the amount owed, or `null`. */
  readonly note: string | null
}

export interface Change {
  /** The card's state in the earlier snapshot, or `null` if the service did not list the card. */
  readonly before: CardState | null
  readonly after: CardState | null
  /** If `before` is `null`, the card's state when it was last listed, or `null` if it never was. Otherwise `null`. */
  readonly lastListed: CardState | null
  /**
   * The amount that this machine redeemed between the snapshots, in cents. Used when the service's data is ambiguous.
   */
  readonly known: bigint
}

/** Explains how a card changed between two snapshots. */
export function explainStep({ before, after, lastListed, known }: Change): Step {
  if (after === null) return before === null ? noFlows(null) : explainGone(before, known)
  if (before !== null) return explainChanged(before, after, known)
  if (lastListed === null) return explainAppeared(after, known)
  const step = explainChanged(lastListed, after, known)
  const returned: Flow = { kind: 'not-explained', cents: amountOwed(lastListed), why: EXPLANATIONS.returned }
  return { ...step, flows: dropZeroFlows([returned, ...step.flows]) }
}

function explainGone(before: CardState, known: bigint): Step {
  const owed = amountOwed(before)
  const told = smallerPositive(known, owed)
  const flows = dropZeroFlows([redeemed(told), { kind: 'not-explained', cents: told - owed, why: EXPLANATIONS.gone }])
  return { flows, fall: owed, hides: true, note: null }
}

function explainAppeared(after: CardState, known: bigint): Step {
  const { amount, remaining, status } = after
  if (remaining === null) return unreadable(null, after)
  const whole = amount === null || amount < remaining ? remaining : amount
  const fall = whole - remaining
  if (status === 'AwaitingPayment') return { ...noFlows(null), fall }
  const isTold = isOwed(status) || status === 'Redeemed'
  // A card with any other status may never have been paid for, so it counts as issued only if there is evidence of a
  // redemption.
  const isSeen = isTold || (fall > 0n && (remaining > 0n || known > 0n))
  if (!isSeen) return { ...noFlows(whole === 0n ? null : EXPLANATIONS.neverOwed(status)), fall }
  const issued: Flow = { kind: 'issued', cents: whole, why: null }
  const flows = dropZeroFlows([issued, ...explainEnd(after, { fall, left: remaining, known })])
  return { flows, fall, hides: false, note: null }
}

function explainChanged(before: CardState, after: CardState, known: bigint): Step {
  if (before.remaining === null || after.remaining === null) return unreadable(before, after)
  const raised = before.amount === null || after.amount === null ? 0n : after.amount - before.amount
  const awaited = before.status === 'AwaitingPayment'
  // A card cannot be redeemed before it is paid for, so prefer its amount to the balance that the service shows.
  const left = awaited ? (before.amount ?? before.remaining) : before.remaining
  const fall = left + raised - after.remaining
  const isOwedNow = isOwed(after.status)
  if (isOwed(before.status)) {
    if (fall >= 0n) {
      const flows = [
        adjusted(raised, EXPLANATIONS.raised(raised)),
        ...explainEnd(after, { fall, left: after.remaining, known }),
      ]
      return { flows: dropZeroFlows(flows), fall, hides: false, note: null }
    }
    // The balance rose by more than was loaded onto the card, so any redemptions between the snapshots are hidden.
    const told = known > 0n ? known : 0n
    const flows = [
      adjusted(raised - fall + told, EXPLANATIONS.rose),
      redeemed(told),
      ...explainEnd(after, { fall: 0n, left: after.remaining, known: 0n }),
    ]
    return { flows: dropZeroFlows(flows), fall: told, hides: true, note: null }
  }
  const spent = fall > 0n ? fall : 0n
  const isRedeemedNow = after.status === 'Redeemed'
  if (!isOwedNow && !wasOwedMeanwhile(before, after, spent)) return { ...noFlows(null), fall: spent }
  const rest = isRedeemedNow ? 0n : after.remaining
  const whole = rest + spent
  const entry: Flow = { kind: entryKind(before.status), cents: whole, why: EXPLANATIONS.entered(before.status) }
  const flows = [entry, ...explainEnd({ ...after, remaining: rest }, { fall: spent, left: rest, known })]
  return { flows: dropZeroFlows(flows), fall: spent, hides: fall < 0n && !awaited, note: null }
}

/** Returns whether a card must have been owed at some time between two snapshots, even if neither shows it as owed. */
function wasOwedMeanwhile(before: CardState, after: CardState, spent: bigint): boolean {
  if (after.status === 'Redeemed') return spent > 0n
  if (after.remaining === null || after.remaining <= 0n) return false
  // A fully redeemed card does not expire and cannot be cancelled.
  return before.status === 'AwaitingPayment' ? spent > 0n : before.status === 'Redeemed' && isEnded(after.status)
}

function isEnded(status: string | null): boolean {
  return status === 'Cancelled' || status === 'Expired'
}

function explainEnd(
  { status }: CardState,
  { fall, left, known }: { readonly fall: bigint; readonly left: bigint; readonly known: bigint },
): Flow[] {
  if (isOwed(status)) return [redeemed(fall)]
  if (status === 'Redeemed') return [redeemed(fall), { kind: 'not-explained', cents: -left, why: EXPLANATIONS.rest }]
  // If a cancelled or expired card still has a balance, any fall in the balance was caused by redemptions.
  const told = isEnded(status) && left > 0n ? fall : smallerPositive(known, fall)
  const untold: Flow = { kind: 'not-explained', cents: told - fall, why: EXPLANATIONS.fell(status, left) }
  const end: Flow = isEnded(status)
    ? { kind: status === 'Cancelled' ? 'cancelled' : 'expired', cents: -left, why: null }
    : { kind: 'not-explained', cents: -left, why: EXPLANATIONS.left(status) }
  return [redeemed(told), untold, end]
}

/** Returns the kind of movement by which a card with the given status becomes owed. */
function entryKind(status: string | null): Kind {
  if (status === 'AwaitingPayment') return 'issued'
  return status === 'Redeemed' || isEnded(status) ? 'adjusted' : 'not-explained'
}

function unreadable(before: CardState | null, after: CardState): Step {
  const cents = amountOwed(after) - amountOwed(before)
  const isOwedThen = isOwed(after.status) || (before !== null && isOwed(before.status))
  const flows = dropZeroFlows([{ kind: 'not-explained', cents, why: EXPLANATIONS.unreadable }])
  return { flows, fall: 0n, hides: true, note: isOwedThen ? EXPLANATIONS.unreadable : null }
}

function noFlows(note: string | null): Step {
  return { flows: [], fall: 0n, hides: false, note }
}

function redeemed(cents: bigint): Flow {
  return { kind: 'redeemed', cents: -cents, why: null }
}

function adjusted(cents: bigint, why: string): Flow {
  return { kind: 'adjusted', cents, why }
}

function dropZeroFlows(flows: readonly Flow[]): readonly Flow[] {
  return flows.filter(({ cents }) => cents !== 0n)
}

function smallerPositive(a: bigint, b: bigint): bigint {
  if (a <= 0n || b <= 0n) return 0n
  return a < b ? a : b
}
