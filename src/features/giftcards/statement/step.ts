import { whyNot } from './printed/reasons.ts'

/** A gift card as a snapshot has it. Amounts in cents; null where the service sent none that is a whole number of them. */
export interface CardState {
  readonly status: string | null
  /** All that was ever put on the card. */
  readonly amount: bigint | null
  /** What is left on it. */
  readonly remaining: bigint | null
}

/** Whether what is left on a card of this status is owed to whoever holds it. */
export function isOwed(status: string | null): boolean {
  return status === 'Active' || status === 'PendingPostage'
}

/** What is owed on a card, in cents. One whose balance cannot be read counts as nothing: its movement says so. */
export function owedOn(card: CardState | null): bigint {
  return card !== null && isOwed(card.status) ? (card.remaining ?? 0n) : 0n
}

/** What a movement of the liability is. `adjusted`: the service shows it, and it is none of the others. */
export const KINDS = ['issued', 'redeemed', 'cancelled', 'expired', 'adjusted', 'not-explained'] as const
export type Kind = (typeof KINDS)[number]

/** A part of what happened to a card. */
export interface Flow {
  readonly kind: Kind
  /** What it did to the liability, in cents: less than nothing for what was redeemed. */
  readonly cents: bigint
  /** What cannot be told about it, or what else is odd; null: nothing. */
  readonly why: string | null
}

/** What happened to a card from one snapshot to the next. */
export interface Step {
  /** They add up to what became of the liability. */
  readonly flows: readonly Flow[]
  /** What the service shows to have left the card before it ended, in cents: redemptions, as far as anybody can see. */
  readonly fall: bigint
  /** True: more may have been redeemed than the service shows, as the card rose too, or is gone. */
  readonly hides: boolean
  /** What was left out, as it changed nothing that is owed; null: nothing. */
  readonly note: string | null
}

/** What is asked about a card. */
export interface Change {
  /** Null: the service did not list it. */
  readonly before: CardState | null
  readonly after: CardState | null
  /** How it was when it was last listed, for a card that is listed again; null: it was never listed. */
  readonly lastListed: CardState | null
  /** What this machine redeemed on it meanwhile, in cents. It tells apart what the service does not. */
  readonly known: bigint
}

/** Says what happened to a card from one snapshot to the next. The flows add up to the change of what is owed, whatever the states are. */
export function stepOf({ before, after, lastListed, known }: Change): Step {
  if (after === null) return before === null ? nothing(null) : gone(before, known)
  if (before !== null) return changed(before, after, known)
  if (lastListed === null) return appeared(after, known)
  const step = changed(lastListed, after, known)
  return {
    ...step,
    flows: flowsOf([{ kind: 'not-explained', cents: owedOn(lastListed), why: whyNot.returned }, ...step.flows]),
  }
}

function gone(before: CardState, known: bigint): Step {
  const owed = owedOn(before)
  const told = least(known, owed)
  const flows = flowsOf([redeemed(told), { kind: 'not-explained', cents: told - owed, why: whyNot.gone }])
  return { flows, fall: owed, hides: true, note: null }
}

function appeared(after: CardState, known: bigint): Step {
  const { amount, remaining, status } = after
  if (remaining === null) return unreadable(null, after)
  const whole = amount === null || amount < remaining ? remaining : amount
  const fall = whole - remaining
  if (status === 'AwaitingPayment') return { ...nothing(null), fall }
  const isTold = isOwed(status) || status === 'Redeemed'
  // Whether anything was ever owed on it cannot be seen, and it makes no difference.
  const isSeen = isTold || (fall > 0n && (remaining > 0n || known > 0n))
  if (!isSeen) return { ...nothing(whole === 0n ? null : whyNot.neverOwed(status)), fall }
  const flows = [
    { kind: 'issued', cents: whole, why: null } as const,
    ...endOf(after, { fall, left: remaining, known }),
  ]
  return { flows: flowsOf(flows), fall, hides: false, note: null }
}

function changed(before: CardState, after: CardState, known: bigint): Step {
  if (before.remaining === null || after.remaining === null) return unreadable(before, after)
  const raised = before.amount === null || after.amount === null ? 0n : after.amount - before.amount
  const awaited = before.status === 'AwaitingPayment'
  // Nothing can be spent before it is paid for, whatever the service shows to be left.
  const left = awaited ? (before.amount ?? before.remaining) : before.remaining
  const fall = left + raised - after.remaining
  const isOwedNow = isOwed(after.status)
  if (isOwed(before.status)) {
    if (fall >= 0n) {
      const flows = [adjusted(raised, whyNot.raised(raised)), ...endOf(after, { fall, left: after.remaining, known })]
      return { flows: flowsOf(flows), fall, hides: false, note: null }
    }
    // It rose by more than its amount did: what was redeemed meanwhile does not show.
    const told = known > 0n ? known : 0n
    const flows = [
      adjusted(raised - fall + told, whyNot.rose),
      redeemed(told),
      ...endOf(after, { fall: 0n, left: after.remaining, known: 0n }),
    ]
    return { flows: flowsOf(flows), fall: told, hides: true, note: null }
  }
  const spent = fall > 0n ? fall : 0n
  const isRedeemedNow = after.status === 'Redeemed'
  if (!isOwedNow && !wasOwedMeanwhile(before, after, spent)) return { ...nothing(null), fall: spent }
  const rest = isRedeemedNow ? 0n : after.remaining
  const whole = rest + spent
  const entry: Flow = { kind: entryKind(before.status), cents: whole, why: whyNot.entered(before.status) }
  const flows = [entry, ...endOf({ ...after, remaining: rest }, { fall: spent, left: rest, known })]
  return { flows: flowsOf(flows), fall: spent, hides: fall < 0n && !awaited, note: null }
}

/** Whether a card that is owed in neither of two snapshots certainly was between them. */
function wasOwedMeanwhile(before: CardState, after: CardState, spent: bigint): boolean {
  if (after.status === 'Redeemed') return spent > 0n
  if (after.remaining === null || after.remaining <= 0n) return false
  // What is fully redeemed neither expires nor can be cancelled.
  return before.status === 'AwaitingPayment' ? spent > 0n : before.status === 'Redeemed' && isEnded(after.status)
}

function isEnded(status: string | null): boolean {
  return status === 'Cancelled' || status === 'Expired'
}

/** What came off a card, and how what was left on it ended. */
function endOf(
  { status }: CardState,
  { fall, left, known }: { readonly fall: bigint; readonly left: bigint; readonly known: bigint },
): Flow[] {
  if (isOwed(status)) return [redeemed(fall)]
  if (status === 'Redeemed') return [redeemed(fall), { kind: 'not-explained', cents: -left, why: whyNot.rest }]
  // What is left shows that the end did not empty the card, so only redemptions can have lowered its balance.
  const told = isEnded(status) && left > 0n ? fall : least(known, fall)
  const untold: Flow = { kind: 'not-explained', cents: told - fall, why: whyNot.fell(status, left) }
  const end: Flow = isEnded(status)
    ? { kind: status === 'Cancelled' ? 'cancelled' : 'expired', cents: -left, why: null }
    : { kind: 'not-explained', cents: -left, why: whyNot.left(status) }
  return [redeemed(told), untold, end]
}

/** As what a card counts that was not owed and is now. */
function entryKind(status: string | null): Kind {
  if (status === 'AwaitingPayment') return 'issued'
  return status === 'Redeemed' || isEnded(status) ? 'adjusted' : 'not-explained'
}

function unreadable(before: CardState | null, after: CardState): Step {
  const cents = owedOn(after) - owedOn(before)
  const isOwedThen = isOwed(after.status) || (before !== null && isOwed(before.status))
  const flows = flowsOf([{ kind: 'not-explained', cents, why: whyNot.unreadable }])
  return { flows, fall: 0n, hides: true, note: isOwedThen ? whyNot.unreadable : null }
}

function nothing(note: string | null): Step {
  return { flows: [], fall: 0n, hides: false, note }
}

function redeemed(cents: bigint): Flow {
  return { kind: 'redeemed', cents: -cents, why: null }
}

function adjusted(cents: bigint, why: string): Flow {
  return { kind: 'adjusted', cents, why }
}

function flowsOf(flows: readonly Flow[]): readonly Flow[] {
  return flows.filter(({ cents }) => cents !== 0n)
}

function least(a: bigint, b: bigint): bigint {
  if (a <= 0n || b <= 0n) return 0n
  return a < b ? a : b
}
