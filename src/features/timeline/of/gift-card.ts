import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject } from '../../../base/json/exact.ts'
import { centsText } from '../../../money/amount.ts'
import type { CardChange } from '../../../sync/copy.ts'
import { bareCode } from '../../shared/views/wording.ts'
import { searchCopies } from '../copies.ts'
import { type CardUse, type Entry, type Seen, sourceOfPlaces, withOddity } from '../entry.ts'
import { operationEntries } from '../operations.ts'
import { readCard } from '../service.ts'
import { type Timeline, type TimelineSources, withDeliveries } from '../timeline.ts'
import { amountIn, centsIn, instantIn, joinedWords, textIn } from '../values.ts'

/**
 * Builds the timeline of a gift card. `number` is the card number in upper case. Throws the same errors as
 * `timelineOfBooking`.
 */
export async function timelineOfCard(number: string, sources: TimelineSources): Promise<Timeline> {
  const { caller, store, service, nowMs } = sources
  const copied = await searchCopies(sources, { ids: new Set([number]), kinds: ['card'] })
  const read = await readCard(caller, number)
  const operations = store.historyOf(service, number)
  const copies = copied.records.flatMap(({ asOfMs, ...one }) => (asOfMs === null ? [] : [{ ...one, asOfMs }]))
  const seen = [...copies, ...(read instanceof Failure ? [] : [{ record: read, where: null, asOfMs: nowMs }])]
  const entries: Entry[] = [
    ...seen.flatMap((one, at) => {
      const own = cardEntries(number, one, nowMs)
      // Take the state from every record, but the issue and expiry dates only from the last record. If the service
      // returned the card, the last record is the one from the service.
      return at === seen.length - 1 ? own : own.filter(({ kind }) => kind === 'state')
    }),
    ...copied.changes.flatMap(({ changes, where }) => changeEntries(number, changes, where)),
    ...operationEntries(operations),
  ]
  const all = await withDeliveries(entries, sources, { subjects: new Set([number]), locationId: null })
  const status = read instanceof Failure ? null : textIn(read, 'status')
  return {
    entries: markIfReinstated(markRedeemedAfterCancel(all), status),
    failure: read instanceof Failure ? read : null,
    searched: null,
    undated: copied.records.length - copies.length,
  }
}

/** Marks a card's current state as odd if the card was cancelled earlier but no longer is. */
function markIfReinstated(entries: readonly Entry[], status: string | null): readonly Entry[] {
  const wasCancelled = entries.some(({ act }) => act?.what === 'cancelled')
  if (!wasCancelled || status === null || bareCode(status) === 'cancelled') return entries
  return entries.map((entry) =>
    entry.kind === 'state' && entry.source === 'service'
      ? withOddity(entry, `it is ${status}, although it was cancelled`)
      : entry,
  )
}

/** Marks each redemption after a cancellation as odd. The entries must be sorted by time. */
export function markRedeemedAfterCancel(entries: readonly Entry[]): Entry[] {
  const cancel = entries.find(({ act }) => act?.what === 'cancelled')
  if (cancel === undefined) return [...entries]
  return entries.map((entry) => {
    if (entry.act?.what !== 'redeemed' || entry.act.afterMs < cancel.atMs) return entry
    // Deliveries can arrive out of order, so the remark says whether it relies on their order.
    const isByEvents = entry.kind === 'delivery' || cancel.kind === 'delivery'
    return withOddity(
      entry,
      `redeemed after it was cancelled${isByEvents ? ', judging by the order in which events arrived' : ''}`,
    )
  })
}

/**
 * A gift card's record, and the time at which the card had this state, in epoch milliseconds. For a record from a copy,
 * this is the time of the last sync.
 */
type SeenCard = Seen & { readonly asOfMs: number }

function cardEntries(subject: string, { record, where, asOfMs }: SeenCard, nowMs: number): Entry[] {
  const entries: Entry[] = []
  const add = (kind: Entry['kind'], atMs: number | null, text: string, oddity: string | null = null) => {
    if (atMs !== null) entries.push({ ...sourceOfPlaces([where]), subject, kind, atMs, text, oddity })
  }
  const issuedMs = instantIn(record, 'issuedDate')
  const expiryMs = instantIn(record, 'expiryDate')
  const kinds = [textIn(record, 'cardFormat'), amountIn(record, 'amount'), textIn(record, 'paymentType')]
  add('issued', issuedMs, `issued: ${joinedWords(kinds)}`)
  const state = `${where === null ? 'current state' : 'state in the copy'}: ${stateText(record)}`
  add('state', asOfMs, state, stateOddity(record, expiryMs, asOfMs))
  const isBefore = issuedMs !== null && expiryMs !== null && expiryMs < issuedMs
  const expires = expiryMs !== null && expiryMs > nowMs ? 'expires' : 'expired'
  add('expires', expiryMs, expires, isBefore ? 'it expired before it was issued' : null)
  return entries
}

/** Returns an entry for each change between two snapshots. The exact time of the change is unknown. */
function changeEntries(subject: string, changes: readonly CardChange[], where: string): Entry[] {
  const left = new Set<string>()
  return changes.map((change): Entry => {
    const { byMs, afterMs, status, previousStatus } = change
    const isNew = status !== null && previousStatus !== null && status !== previousStatus
    const wentBack = isNew && left.has(status) ? `the status went back to ${status}` : null
    if (isNew) left.add(previousStatus)
    return {
      ...{ kind: 'state', source: 'copy', where, subject, atMs: byMs },
      text: `${changeText(change)} (since ${new Date(afterMs).toISOString().slice(0, 19)}Z)`,
      oddity: wentBack ?? riseOddity(change),
      act: actOf(change),
    }
  })
}

function stateText(record: JsonObject): string {
  const [left, amount] = [amountIn(record, 'remainingAmount'), amountIn(record, 'amount')]
  const balance = left === null ? null : `${left} left${amount === null ? '' : ` of ${amount}`}`
  return joinedWords([textIn(record, 'status'), balance])
}

function stateOddity(record: JsonObject, expiryMs: number | null, asOfMs: number): string | null {
  const [left, amount] = [centsIn(record, 'remainingAmount'), centsIn(record, 'amount')]
  const status = bareCode(textIn(record, 'status'))
  const odd: (string | null)[] = [
    left !== null && amount !== null && left > amount ? 'its balance exceeds its original amount' : null,
    left !== null && left < 0n ? 'its balance is negative' : null,
    status === 'redeemed' && left !== null && left > 0n ? 'it is Redeemed, but has a balance' : null,
    status === 'active' && left === 0n ? 'it is Active, but has no balance' : null,
    status === 'active' && expiryMs !== null && expiryMs < asOfMs ? 'it is Active, but has expired' : null,
    status === 'expired' && expiryMs !== null && expiryMs > asOfMs ? 'it is Expired before its expiry date' : null,
  ]
  return joinedWords(odd, '; ') || null
}

function changeText({ change, status, previousStatus, remainingCents, previousRemainingCents }: CardChange): string {
  if (change === 'went') return 'no longer listed'
  const now = joinedWords([status, remainingCents === null ? null : `${centsOf(remainingCents)} left`])
  if (change !== 'changed') return `${change === 'returned' ? 'listed again' : 'listed for the first time'}: ${now}`
  const changes = [
    status === previousStatus || status === null ? null : `status ${previousStatus ?? '?'} → ${status}`,
    remainingCents === previousRemainingCents || remainingCents === null || previousRemainingCents === null
      ? null
      : `balance ${centsOf(previousRemainingCents)} → ${centsOf(remainingCents)}`,
  ]
  return joinedWords(changes, '; ') || 'changed, but only in members that the timeline does not compare'
}

function centsOf(cents: number): string {
  return centsText(BigInt(Math.round(cents)))
}

function riseOddity({ remainingCents, previousRemainingCents }: CardChange): string | null {
  const isMore = remainingCents !== null && previousRemainingCents !== null && remainingCents > previousRemainingCents
  return isMore ? 'its balance has increased' : null
}

function actOf(change: CardChange): CardUse | undefined {
  const { status, previousStatus, remainingCents, previousRemainingCents, afterMs } = change
  if (change.change !== 'changed') return undefined
  const isLess = remainingCents !== null && previousRemainingCents !== null && remainingCents < previousRemainingCents
  // Check for a cancellation first, because cancelling a card can also remove its balance.
  if (bareCode(status) === 'cancelled') return previousStatus === status ? undefined : { what: 'cancelled', afterMs }
  return isLess || (bareCode(status) === 'redeemed' && status !== previousStatus)
    ? { what: 'redeemed', afterMs }
    : undefined
}
