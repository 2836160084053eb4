import type { OwnWrite } from '../../../../src/features/giftcards/statement/own-writes.ts'
import type { CardAtOpening } from '../../../../src/features/giftcards/statement/snapshots.ts'
import type { CardState, Kind } from '../../../../src/features/giftcards/statement/step.ts'
import { type Chance, chance } from '../../../money/chance.ts'
import type { Histories } from './make-statement.ts'

/**
 * An event in a card's actual history. `lost` is a redemption that this machine recorded as successful although the
 * service never performed it.
 */
export interface Event {
  readonly what:
    | 'issue'
    | 'pay'
    | 'post'
    | 'redeem'
    | 'cancel'
    | 'expire'
    | 'topup'
    | 'lower'
    | 'rise'
    | 'reinstate'
    | 'gone'
    | 'back'
    | 'lost'
  readonly cents: bigint
  readonly isHere: boolean
  /** The index of the first snapshot after the event, or 0 if the event precedes all snapshots. */
  readonly span: number
}

export interface TrueCard {
  readonly card: string
  readonly events: readonly Event[]
  /** The card's state in each snapshot; `null` if a snapshot does not list the card. */
  readonly states: readonly (CardState | null)[]
}

/** The card snapshots in a copy, this machine's writes, and the cards' actual histories. */
export interface RandomHistory {
  readonly history: Histories
  readonly writes: readonly OwnWrite[]
  readonly cards: readonly TrueCard[]
}

const START_MS = Date.UTC(2026, 9, 1)
const SPAN_MS = 86_400_000
/** The largest possible error of this machine's clock, in milliseconds. */
const SKEW_MS = 120_000

interface Life {
  readonly card: string
  status: string | null
  amount: bigint
  remaining: bigint
  isListed: boolean
  readonly events: Event[]
  readonly states: (CardState | null)[]
}

function someOf(dice: Chance, most: bigint): bigint {
  return BigInt(dice.integer(1, Number(most)))
}

/** Simulates 3 to 10 cards and takes 2 to 5 snapshots of them. */
export function randomHistory(seed: number): RandomHistory {
  const dice = chance(seed)
  const snapshots = dice.integer(2, 5)
  const takenMs = Array.from({ length: snapshots }, (_, at) => START_MS + at * SPAN_MS + dice.integer(0, 3_599_999))
  const lives = Array.from({ length: dice.integer(3, 10) }, (_, at): Life => {
    const card = `CARDS-${String(seed % 100).padStart(4, '0')}${String(at).padStart(4, '0')}-TEST`
    return { card, status: null, amount: 0n, remaining: 0n, isListed: false, events: [], states: [] }
  })
  const writes: OwnWrite[] = []
  for (let span = 0; span < snapshots; span++) {
    const endMs = takenMs[span] ?? 0
    const startMs = takenMs[span - 1] ?? endMs - SPAN_MS
    for (const life of lives) {
      const count = dice.integer(0, 4)
      for (let n = 0; n < count; n++) {
        const atMs = startMs + Math.floor(((n + 1) / (count + 1)) * (endMs - startMs))
        const write = act(life, span, dice)
        if (write)
          writes.push({
            ...{ ...write, id: `op_${writes.length}`, isOurs: true },
            sentMs: atMs + dice.integer(0, 2 * SKEW_MS - 1) - SKEW_MS,
          })
      }
      life.states.push(life.isListed ? stateOf(life) : null)
    }
  }
  return { history: historyOf(takenMs, lives), writes, cards: lives }
}

/**
 * Makes a random change that the service allows. Returns this machine's record of the write, or `null` if it has none.
 */
function act(life: Life, span: number, dice: Chance): Omit<OwnWrite, 'id' | 'sentMs' | 'isOurs'> | null {
  const note = (what: Event['what'], cents = 0n, isHere = false): null => {
    life.events.push({ what, cents, isHere, span })
    return null
  }
  const readsBefore = dice.happens(0.8)
  const written = (command: string, cents: bigint | null) => ({
    ...{ command, card: life.card, cents, isOpen: false },
    balanceBefore: readsBefore ? life.remaining : null,
    totalBefore: readsBefore ? life.amount : null,
  })
  const earlier = life.states.at(-1) ?? null
  if (life.status === null) {
    life.status = dice.pick(['Active', 'Active', 'PendingPostage', 'AwaitingPayment'])
    life.amount = life.remaining = someOf(dice, 20_000n)
    life.isListed = true
    return note('issue', life.amount)
  }
  if (!life.isListed) {
    if (earlier !== null || !dice.happens(0.3)) return null
    life.isListed = true
    return note('back', owed(life))
  }
  if (dice.happens(0.04) && earlier !== null) {
    life.isListed = false
    return note('gone', owed(life))
  }
  const { status } = life
  if (status === 'AwaitingPayment') {
    if (dice.happens(0.7)) {
      life.status = 'Active'
      return note('pay', life.remaining)
    }
    life.status = 'Cancelled'
    return note('cancel')
  }
  if (status === 'Cancelled' || status === 'Expired') {
    const endedNow = life.events.some((one) => one.span === span && (one.what === 'cancel' || one.what === 'expire'))
    if (!dice.happens(0.15) || earlier?.status !== status || endedNow) return null
    life.status = 'Active'
    return note('reinstate', life.remaining)
  }
  const fate = dice.integer(0, 99)
  if (fate < 10) {
    const cents = someOf(dice, 5000n)
    life.amount += cents
    life.remaining += cents
    if (status === 'Redeemed') life.status = 'Active'
    return note('topup', cents)
  }
  if (status === 'Redeemed') return null
  if (status === 'PendingPostage' && fate < 40) {
    life.status = 'Active'
    return note('post')
  }
  if (fate < 55) {
    const isHere = dice.happens(0.6)
    const cents = dice.happens(0.2) ? life.remaining : someOf(dice, life.remaining)
    const write = isHere ? written(dice.happens(0.8) ? 'giftcards redeem' : 'inbound redeem', cents) : null
    life.remaining -= cents
    if (life.remaining === 0n) life.status = 'Redeemed'
    note('redeem', cents, isHere)
    return write
  }
  if (fate < 58) {
    const cents = someOf(dice, life.remaining)
    note('lost', cents, true)
    // The service never performed the redemption, so the balance before the write is the current balance.
    return written('giftcards redeem', cents)
  }
  if (fate < 70) {
    const isHere = dice.happens(0.5)
    const write = isHere ? written('giftcards cancel', null) : null
    note('cancel', life.remaining, isHere)
    life.status = 'Cancelled'
    return write
  }
  if (fate < 80) {
    note('expire', life.remaining)
    life.status = 'Expired'
    return null
  }
  if (fate < 84) {
    const cents = someOf(dice, 2000n)
    life.remaining += cents
    return note('rise', cents)
  }
  if (fate < 88 && life.remaining > 1n) {
    const cents = someOf(dice, life.remaining - 1n)
    life.amount -= cents
    life.remaining -= cents
    return note('lower', cents)
  }
  return null
}

function owed({ status, remaining }: Life): bigint {
  return status === 'Active' || status === 'PendingPostage' ? remaining : 0n
}

function stateOf({ status, amount, remaining }: Life): CardState {
  return { status, amount, remaining }
}

function historyOf(takenMs: readonly number[], lives: readonly Life[]): Histories {
  const opening = new Map<string, CardAtOpening>()
  const changes: Histories['changes'][number][] = []
  for (const { card, states } of lives) {
    const [first = null] = states
    if (first !== null) opening.set(card, { state: first, lastListed: first })
    for (const [at, state] of states.entries())
      if (at > 0 && !isSame(states[at - 1] ?? null, state)) changes.push({ card, at, state })
  }
  return { takenMs, opening, changes: changes.toSorted((a, b) => a.at - b.at) }
}

function isSame(a: CardState | null, b: CardState | null): boolean {
  return a?.status === b?.status && a?.amount === b?.amount && a?.remaining === b?.remaining
}

export interface TrueMovement {
  readonly kind: Kind
  readonly cents: bigint
  readonly by: 'this machine' | 'elsewhere' | null
}

/**
 * Returns the actual movements of a card between two snapshots. Returns `null` if the snapshots cannot show what
 * happened.
 */
export function tellable({ events, states }: TrueCard, span: number): readonly TrueMovement[] | null {
  const within = events.filter((one) => one.span === span)
  const has = (...what: Event['what'][]) => within.some((one) => what.includes(one.what))
  const isAwaited = within.some(({ what }) => what === 'pay')
  if (has('gone', 'back', 'rise', 'lost')) return null
  // The card was redeemed elsewhere before it was cancelled or expired. The snapshots show only the total change in its
  // balance.
  if (has('cancel', 'expire') && within.some(({ what, isHere }) => what === 'redeem' && !isHere)) return null
  // The card was issued, paid for or reinstated after one snapshot, and cancelled or expired before the next.
  if ((has('issue') || isAwaited || has('reinstate')) && has('cancel', 'expire')) return null
  const [isNew, after] = [has('issue'), states[span] ?? null]
  if (isNew && after?.status === 'AwaitingPayment') return []
  return within.flatMap(({ what, cents, isHere }): TrueMovement[] => {
    const by = isHere ? 'this machine' : 'elsewhere'
    switch (what) {
      case 'issue':
        return isAwaited ? [] : [{ kind: 'issued', cents, by: null }]
      case 'pay':
        return [{ kind: 'issued', cents, by: null }]
      case 'redeem':
        return [{ kind: 'redeemed', cents: -cents, by }]
      case 'cancel':
        return cents === 0n ? [] : [{ kind: 'cancelled', cents: -cents, by }]
      case 'expire':
        return [{ kind: 'expired', cents: -cents, by: null }]
      case 'topup':
        // If the card was issued or paid for since the last snapshot, the change is part of the issued amount.
        return [{ kind: isNew || isAwaited ? 'issued' : 'adjusted', cents, by: null }]
      case 'lower':
        return [{ kind: isNew || isAwaited ? 'issued' : 'adjusted', cents: -cents, by: null }]
      case 'reinstate':
        return [{ kind: 'adjusted', cents, by: null }]
      default:
        return []
    }
  })
}
