import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { DAY_MS } from '../../../base/time/units.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import { GIFT_CARD_STATUSES, listGiftCards } from '../../../contract/giftcards.ts'
import { centsText } from '../../../money/amount.ts'
import { extractReading, getStatus } from '../../../money/card-reading.ts'
import { readInstant } from '../../../sync/reading/sync-record.ts'
import { parsePaging } from '../../../terminal/input/paging.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import type { Show } from '../../../terminal/output/show.ts'
import type { Opened } from '../../../terminal/runtime/run.ts'
import type { Liability } from '../output.ts'
import { liabilityCard, liabilityList, liabilityRows, liabilityTotals } from './printed/liability-view.ts'
import { isOwed } from './step.ts'

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

/**
 * Adds up the amounts owed on gift cards. `nowMs` is the current time in epoch milliseconds. `timezone` is the venue's
 * time zone, or `null` for UTC.
 */
export function openLiability(nowMs: number, timezone: string | null) {
  const [byStatus, byAge, byExpiry, owed] = [new Tally(), new Tally(), new Tally(), new Tally()]
  const unreadable: string[] = []
  return {
    add(card: JsonObject): void {
      const status = getStatus(card) ?? ''
      const balance = extractReading(card)?.balance ?? null
      byStatus.add(status, balance ?? 0n)
      if (balance === null) unreadable.push(typeof card['cardNumber'] === 'string' ? card['cardNumber'] : '')
      if (balance === null || !isOwed(status)) return
      const [issuedMs, expiryMs] = [instantAt(card, 'issuedDate'), instantAt(card, 'expiryDate')]
      const days = issuedMs === null ? null : (nowMs - issuedMs) / DAY_MS
      const month = expiryMs === null ? NO_DATE : formatInZone(expiryMs, timezone).slice(0, 'yyyy-MM'.length)
      owed.add('owed', balance)
      byAge.add(days === null ? NO_DATE : (AGES.find(({ under }) => days < under)?.name ?? NO_DATE), balance)
      byExpiry.add(month, balance)
      if (expiryMs !== null && expiryMs <= nowMs) owed.add('past', balance)
    },

    result: (): Liability => ({
      at: new Date(nowMs).toISOString(),
      owed: owed.share('owed'),
      byStatus: byStatus.names(GIFT_CARD_STATUSES).map((status) => {
        return { status, ...byStatus.share(status), owed: isOwed(status) }
      }),
      byAge: byAge.names([...AGES.map(({ name }) => name), NO_DATE]).map((age) => ({ age, ...byAge.share(age) })),
      byExpiry: byExpiry
        .names([])
        .sort()
        .map((month) => ({ month, ...byExpiry.share(month) })),
      pastExpiry: owed.share('past'),
      unreadable,
    }),
  }
}

class Tally {
  readonly #sums = new Map<string, { cards: number; cents: bigint }>()

  add(name: string, cents: bigint): void {
    const sum = this.#sums.get(name) ?? { cards: 0, cents: 0n }
    this.#sums.set(name, { cards: sum.cards + 1, cents: sum.cents + cents })
  }

  /** Returns the names that have an amount, those in `order` first. */
  names(order: readonly string[]): string[] {
    return [...new Set([...order, ...this.#sums.keys()])].filter((name) => this.#sums.has(name))
  }

  share(name: string): Liability['owed'] {
    const { cards, cents } = this.#sums.get(name) ?? { cards: 0, cents: 0n }
    return { cards, amount: centsText(cents) }
  }
}

function instantAt(card: JsonObject, member: string): number | null {
  const text = card[member]
  return typeof text === 'string' ? readInstant(text) : null
}

/** Shows the amount currently owed on gift cards. Throws if the cards cannot be listed. */
export async function showNow({ service, connection, show, host }: Opened<object, object>): Promise<void> {
  const query = { IncludeCancelled: true, IncludeRedeemed: true, IncludeExpired: true }
  const pages = await service.pages(listGiftCards, { query }, parsePaging({}, new Problems()))
  if (pages === null) return
  const count = openLiability(host.now(), await connection.timezone('list'))
  for await (const batch of pages) for (const { value } of batch) if (isJsonObject(value)) count.add(value)
  const liability = count.result()
  const views = { card: liabilityCard, list: host.venue === undefined ? liabilityList : liabilityTotals }
  if (!showsOneValue(show)) return show.all(liabilityRows(liability), liabilityList)
  await show.one(liability, views)
  if (show.isPlain && host.venue !== undefined) await show.showDetails(liability, views)
}

/** Returns whether a statement is shown as a single value instead of rows. */
export function showsOneValue({ isPlain, isQueried, format }: Show): boolean {
  return isPlain || isQueried || format === 'json' || format === 'ndjson'
}
