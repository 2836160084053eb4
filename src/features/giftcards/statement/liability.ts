import type { JsonObject } from '../../../base/json/exact.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import { GIFT_CARD_STATUSES } from '../../../contract/giftcards.ts'
import { centsText } from '../../../money/amount.ts'
import { readingOf, statusIn } from '../../../money/card-reading.ts'
import { readInstant } from '../../../sync/reading/sync-record.ts'
import { isOwed } from './card.ts'

/** How old a card can be, in days since it was issued, the youngest first. */
const AGES = [
  { under: 31, name: 'up to 30 days' },
  { under: 91, name: '31 to 90 days' },
  { under: 181, name: '91 to 180 days' },
  { under: 366, name: '181 to 365 days' },
  { under: 731, name: '1 to 2 years' },
  { under: 1096, name: '2 to 3 years' },
  { under: Number.POSITIVE_INFINITY, name: 'over 3 years' },
] as const
const NO_DATE = 'no date'

/** How many cards there are of a kind, and what is left on them together, in currency units with two decimals. */
export type Share = {
  readonly cards: number
  readonly amount: string
}

/** What is owed on gift cards now. */
export type Liability = {
  /** ISO 8601. */
  readonly at: string
  /** What is left on Active and PendingPostage cards. */
  readonly owed: Share
  /** All cards; `owed`: whether what is left on them is. */
  readonly byStatus: readonly (Share & { readonly status: string; readonly owed: boolean })[]
  /** Of what is owed: by days since the card was issued. */
  readonly byAge: readonly (Share & { readonly age: string })[]
  /** Of what is owed: by the month in which the card expires, in the venue's zone; `no date` last. */
  readonly byExpiry: readonly (Share & { readonly month: string })[]
  /** Of what is owed: cards whose date of expiry is over, and that the service has not made Expired. */
  readonly pastExpiry: Share
  /** The numbers of cards whose balance cannot be read: they count for nothing. */
  readonly unreadable: readonly string[]
}

/** Adds up what is owed, card by card. */
export class LiabilityCount {
  readonly #nowMs: number
  readonly #timezone: string | null
  readonly #byStatus = new Tally()
  readonly #byAge = new Tally()
  readonly #byExpiry = new Tally()
  readonly #owed = new Tally()
  readonly #unreadable: string[] = []

  /** `nowMs`: epoch milliseconds. `timezone`: of the venue; null: UTC. */
  constructor(nowMs: number, timezone: string | null) {
    this.#nowMs = nowMs
    this.#timezone = timezone
  }

  add(card: JsonObject): void {
    const status = statusIn(card) ?? ''
    const balance = readingOf(card)?.balance ?? null
    this.#byStatus.add(status, balance ?? 0n)
    if (balance === null) this.#unreadable.push(typeof card['cardNumber'] === 'string' ? card['cardNumber'] : '')
    if (balance === null || !isOwed(status)) return
    const [issuedMs, expiryMs] = [instantAt(card, 'issuedDate'), instantAt(card, 'expiryDate')]
    const days = issuedMs === null ? null : (this.#nowMs - issuedMs) / DAY_MS
    this.#owed.add('owed', balance)
    this.#byAge.add(days === null ? NO_DATE : (AGES.find(({ under }) => days < under)?.name ?? NO_DATE), balance)
    this.#byExpiry.add(
      expiryMs === null ? NO_DATE : formatInZone(expiryMs, this.#timezone).slice(0, 'yyyy-MM'.length),
      balance,
    )
    if (expiryMs !== null && expiryMs <= this.#nowMs) this.#owed.add('past', balance)
  }

  result(): Liability {
    const statuses = [...GIFT_CARD_STATUSES, ...this.#byStatus.names().filter(isOther)]
    const ages = [...AGES.map(({ name }) => name), NO_DATE]
    return {
      at: new Date(this.#nowMs).toISOString(),
      owed: this.#owed.share('owed'),
      byStatus: statuses
        .filter((status) => this.#byStatus.has(status))
        .map((status) => ({ status, ...this.#byStatus.share(status), owed: isOwed(status) })),
      byAge: ages.filter((age) => this.#byAge.has(age)).map((age) => ({ age, ...this.#byAge.share(age) })),
      byExpiry: this.#byExpiry
        .names()
        .toSorted()
        .map((month) => ({ month, ...this.#byExpiry.share(month) })),
      pastExpiry: this.#owed.share('past'),
      unreadable: this.#unreadable,
    }
  }
}

function isOther(status: string): boolean {
  return !(GIFT_CARD_STATUSES as readonly string[]).includes(status)
}

/** Cards and cents by a name. */
class Tally {
  readonly #sums = new Map<string, { cards: number; cents: bigint }>()

  add(name: string, cents: bigint): void {
    const sum = this.#sums.get(name) ?? { cards: 0, cents: 0n }
    this.#sums.set(name, { cards: sum.cards + 1, cents: sum.cents + cents })
  }

  has(name: string): boolean {
    return this.#sums.has(name)
  }

  names(): readonly string[] {
    return [...this.#sums.keys()]
  }

  share(name: string): Share {
    const { cards, cents } = this.#sums.get(name) ?? { cards: 0, cents: 0n }
    return { cards, amount: centsText(cents) }
  }
}

function instantAt(card: JsonObject, member: string): number | null {
  const text = card[member]
  return typeof text === 'string' ? readInstant(text) : null
}
