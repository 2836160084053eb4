import { createHash } from 'node:crypto'
import { Failure } from '../../base/failure/failure.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller } from './caller.ts'
import { statedCount, stoppedAfter, streamList, toIncomplete } from './list.ts'
import type { CallInput } from './prepare.ts'

/** How many records to ask for, and how many at a time. */
export interface Paging {
  /** Records per page; the service may give fewer or more. */
  readonly pageSize: number
  /** Records in all; undefined: all of them. */
  readonly limit?: number | undefined
}

/** The last records of a page that are remembered: a record added meanwhile pushes them into the next page. */
const REMEMBERED_RECORDS = 1000

/**
 * Streams the records of a list that comes in pages (`Limit` records from the zero-based offset `StartIndex`). Yields batches,
 * each record as it was sent. Memory does not grow with the list.
 *
 * The specification does not say whether `length` (or `count`, or `total`) counts the page or the whole result, so it is believed
 * only where it is larger than its page: then it is the whole. Otherwise only an empty page ends the list, because the service
 * may give fewer records than it was asked for. A record that the previous page had too is given once.
 * Fails: before the first record like `streamList`; after it INCOMPLETE, also when a page comes again or records are missing.
 * Source: "Other endpoints"; the paging is assumed.
 */
export async function* paginate<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  { pageSize, limit = Number.POSITIVE_INFINITY }: Paging,
): AsyncGenerator<readonly WireRecord[], void, undefined> {
  const seenStarts = new Set<string>()
  let previous = new Set<string>()
  let startIndex = 0
  let given = 0
  let total: number | null = null
  const incompleteFailure = (why: string, hint: string) =>
    new Failure('INCOMPLETE', `${stoppedAfter(given)}: ${why}`, {
      hint,
      request: { method: endpoint.method, path: endpoint.path, profile: caller.profile, status: 200, attempts: 1 },
      details: { records: given },
    })
  while (given < limit) {
    const query = { ...input.query, Limit: Math.min(pageSize, limit - given), StartIndex: startIndex }
    const page = streamList(caller, endpoint, { ...input, query }, { before: given, isPage: true })
    const last: string[] = []
    let received = 0
    let fresh = 0
    let end: ListEnd | undefined
    try {
      for (;;) {
        const step = await page.next()
        if (step.done) {
          end = step.value
          break
        }
        const [first] = step.value
        if (received === 0 && isRepeatedStart(seenStarts, first?.text ?? ''))
          throw incompleteFailure(
            'the service gives the same page again',
            'it does not seem to know StartIndex, so nobody can tell whether that is all; a larger --page-size may show more',
          )
        const unseen = previous.size === 0 ? step.value : step.value.filter(({ text }) => !previous.has(text))
        received += step.value.length
        fresh += unseen.length
        last.push(...step.value.slice(-REMEMBERED_RECORDS).map(({ text }) => text))
        if (last.length > 2 * REMEMBERED_RECORDS) last.splice(0, last.length - REMEMBERED_RECORDS)
        const batch = unseen.slice(0, limit - given)
        if (batch.length > 0) yield batch
        given += batch.length
        if (given >= limit) return
      }
    } catch (error) {
      throw toIncomplete(error, given)
    } finally {
      await page.return({ envelope: {}, records: received })
    }
    const stated = readTotal(end, received)
    total = stated ?? total
    startIndex += received
    if (stated !== null && received > 0 && stated < startIndex)
      throw incompleteFailure(
        `the service says of a page that it has ${stated} records, and gave ${received}`,
        'what was printed is right, but perhaps not all there is; try again, or another --page-size',
      )
    if (received === 0) {
      if (total === null || total <= startIndex) return
      throw incompleteFailure(
        `the service says that there are ${total}, and gives no more after ${startIndex}`,
        'what was printed is right, but not all there is; try again, or another --page-size',
      )
    }
    if (fresh === 0)
      throw incompleteFailure(
        'the service gives the same records again',
        'what was printed is right, but perhaps not all there is; try again, or another --page-size',
      )
    if (total !== null && total <= startIndex) return
    previous = new Set(last.slice(-REMEMBERED_RECORDS))
  }
}

function isRepeatedStart(seenStarts: Set<string>, record: string): boolean {
  const digest = createHash('sha1').update(record).digest('base64')
  if (seenStarts.has(digest)) return true
  seenStarts.add(digest)
  return false
}

/** Reads how many records the whole list has; null when the page may count itself alone. */
function readTotal(end: ListEnd | undefined, received: number): number | null {
  const stated = statedCount(end?.envelope ?? {})
  return stated !== null && stated > received ? stated : null
}
