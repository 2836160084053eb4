import { createHash } from 'node:crypto'
import { Failure } from '../../base/failure/failure.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import type { WireRecord } from '../../base/json/list/wire-record.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Caller } from './caller.ts'
import { describeStop, readStatedCount, streamList, toIncomplete } from './list.ts'
import type { CallInput } from './prepare.ts'

export interface Paging {
  /** The page size to request. The service may send fewer or more records. */
  readonly pageSize: number
  /** The maximum number of records to return. Unlimited by default. */
  readonly limit?: number | undefined
}

/**
 * The number of records to remember from the end of a page. New records may push them onto the next page, where they
 * are recognized and dropped.
 */
const REMEMBERED_RECORDS = 1000

const MAY_LACK = 'the printed records are correct, but some may be missing; try again, or use another --page-size'

/**
 * Streams the records of a paged list in batches and in constant memory. Requests pages with `Limit` and a zero-based
 * `StartIndex` and drops records that were already on the previous page. The specification does not say whether
 * `length`, `count` or `total` counts the page or the whole list. A count that is larger than its page must cover the
 * whole list. Without such a count, only an empty page ends the list, because any page may be short. Throws INCOMPLETE
 * if a page repeats, if records are missing, or if a request fails after the first record. Also throws any error from
 * `streamList`. Source: "Other endpoints". The specification does not describe paging, so all of this is an assumption.
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
  const incomplete = (why: string, hint: string) =>
    new Failure('INCOMPLETE', `${describeStop(given)}: ${why}`, {
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
          throw incomplete(
            'the service sent the same page again',
            'the service seems to ignore StartIndex, so there may be more records; try a larger --page-size',
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
      throw incomplete(`the service reported ${stated} records on a page, but sent ${received}`, MAY_LACK)
    if (received === 0) {
      if (total === null || total <= startIndex) return
      throw incomplete(
        `the service reported ${total} records, but sent no more after ${startIndex}`,
        'the printed records are correct, but some are missing; try again, or use another --page-size',
      )
    }
    if (fresh === 0) throw incomplete('the service sent the same records again', MAY_LACK)
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

/** Returns the size of the whole list, or `null` if the reported count may cover only the page. */
function readTotal(end: ListEnd | undefined, received: number): number | null {
  const stated = readStatedCount(end?.envelope ?? {})
  return stated !== null && stated > received ? stated : null
}
