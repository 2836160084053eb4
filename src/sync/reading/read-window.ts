import { Failure } from '../../base/failure/failure.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import type { TimeRange } from '../../base/time/window.ts'
import type { Caller } from '../../client/calls/caller.ts'
import { readStatedCount, streamList } from '../../client/calls/list.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import { toLazyRecord } from './lazy-record.ts'
import type { RequestTime, ServiceClock } from './service-clock.ts'
import { toSyncRecord } from './sync-record.ts'

export interface Reading {
  readonly caller: Caller
  readonly resource: Resource
  readonly extra: Pick<CallInput, 'query' | 'extraQuery'>
  readonly clock: ServiceClock
  /** Whether the copy needs each record's members. If so, each record is parsed once, when it arrives. */
  readonly parses?: boolean
  /**
   * Whether to decode records only on demand. Such records must not be kept, because each keeps a whole received buffer
   * in memory.
   */
  readonly isLazy?: boolean
}

export interface WindowEnd {
  /** When the window was requested. Later changes may be missing. */
  readonly askedAt: RequestTime
  readonly requests: number
  readonly records: number
}

/** The number of records to request per page. The service may send fewer. */
const PAGE_SIZE = 250
const MOST_TRIES = 5

/** Returns the request for the first page of a window. If `range` is `null`, requests everything. */
export function windowInput({ resource, extra }: Pick<Reading, 'resource' | 'extra'>, range: TimeRange | null) {
  const window = range && resource.windowQuery ? resource.windowQuery(range) : {}
  const paging = resource.isPaged ? { Limit: PAGE_SIZE, StartIndex: 0 } : {}
  return { ...extra, query: { ...window, ...resource.query, ...extra.query, ...paging } }
}

/**
 * Yields the changes in an inclusive range, or all records if `range` is `null`. Some records may be yielded twice.
 * Throws INCOMPLETE if the pages keep shifting. Also throws the same errors as `streamList`.
 */
export async function* readWindow(
  reading: Reading,
  range: TimeRange | null,
): AsyncGenerator<readonly SyncRecord[], WindowEnd, undefined> {
  let [requests, records] = [0, 0]
  for (let tries = 1; ; tries++) {
    const pages = yield* readPages(reading, range)
    requests += pages.requests
    records += pages.records
    if (pages.askedAt !== null) return { askedAt: pages.askedAt, requests, records }
    if (tries === MOST_TRIES)
      throw incompleteFailure(
        reading,
        `the list's pages were inconsistent in ${MOST_TRIES} attempts: the list changes too fast, or the service does not support StartIndex`,
      )
  }
}

/**
 * Reads the window once. If the pages shift meanwhile, `askedAt` in the result is `null`, and records may be missing.
 */
async function* readPages(reading: Reading, range: TimeRange | null) {
  const input = windowInput(reading, range)
  const { resource } = reading
  let firstAsked: RequestTime | null = null
  let last: SyncRecord | null = null
  let records = 0
  for (let requests = 1; ; requests++) {
    // Request the last record again. If its position now has a different record, the pages have shifted.
    const StartIndex = Math.max(0, records - 1)
    const asked = resource.isPaged ? { ...input, query: { ...input.query, StartIndex } } : input
    const page: Page = yield* readPage(reading, asked, records, last)
    firstAsked ??= page.askedAt
    if (page.end === null) return { askedAt: null, requests, records }
    const fresh = page.end.records - (last === null ? 0 : 1)
    records += fresh
    last = page.last
    const isWhole = !resource.isPaged || fresh === 0 || isLastPage(page.end, records)
    if (!isWhole) continue
    if (fresh === 0) requireAll(reading, page.end, records)
    return { askedAt: firstAsked, requests, records }
  }
}

interface Page {
  readonly askedAt: RequestTime
  /**
   * The page's totals, or `null` if the pages have shifted, so that the page does not start with the last record of the
   * previous page.
   */
  readonly end: ListEnd | null
  readonly last: SyncRecord | null
}

/** Reads one page. `before` is the number of records on earlier pages, and `last` is the last of those records. */
async function* readPage(
  { caller, resource, clock, parses, isLazy }: Reading,
  input: CallInput,
  before: number,
  last: SyncRecord | null,
): AsyncGenerator<readonly SyncRecord[], Page, undefined> {
  let askedAt: RequestTime | null = null
  const setRequestTime = clock.ask()
  const onHead = (headers: Readonly<Record<string, string>>) => {
    askedAt = setRequestTime(headers)
  }
  const batches = streamList(caller, resource.endpoint, input, { before, isPage: resource.isPaged, onHead })
  let expected = last
  let previous = last
  const ended = (end: ListEnd | null): Page => ({ askedAt: askedAt ?? setRequestTime({}), end, last: previous })
  try {
    for (;;) {
      const step = await batches.next()
      if (step.done) return ended(expected === null ? step.value : null)
      const records = step.value.map((wire) =>
        isLazy ? toLazyRecord(wire, resource) : toSyncRecord(wire.text, resource, parses),
      )
      const [first] = records
      if (first === undefined) continue
      previous = records.at(-1) ?? previous
      if (expected !== null) {
        if (!isSame(first, expected)) return ended(null)
        expected = null
        records.shift()
      }
      if (records.length > 0) yield records
    }
  } finally {
    // End the response if it is unfinished. It would otherwise occupy its connection and block the next request.
    await batches.return({ envelope: {}, records: 0 })
  }
}

function isSame(one: SyncRecord, other: SyncRecord): boolean {
  return one.id === null ? one.version === other.version : one.id === other.id
}

/**
 * Returns whether the number of records read has reached the service's stated total. Ignores a total that counts only
 * this page.
 */
function isLastPage(end: ListEnd, read: number): boolean {
  const stated = readStatedCount(end.envelope)
  return stated !== null && stated > end.records && stated <= read
}

/** Throws INCOMPLETE if the service reported a higher total than the number of records it sent. */
function requireAll(reading: Reading, end: ListEnd, read: number): void {
  const stated = readStatedCount(end.envelope)
  if (stated === null || stated <= Math.max(read, end.records)) return
  throw incompleteFailure(reading, `the service reported a total of ${stated} records, but sent only ${read}`)
}

function incompleteFailure({ caller, resource: { endpoint } }: Reading, why: string): Failure {
  return new Failure('INCOMPLETE', why, {
    request: { method: endpoint.method, path: endpoint.path, profile: caller.profile, status: 200, attempts: 1 },
  })
}
