import { Failure } from '../../base/failure/failure.ts'
import type { ListEnd } from '../../base/json/list/record-splitter.ts'
import type { TimeRange } from '../../base/time/window.ts'
import type { Caller } from '../../client/calls/caller.ts'
import { statedCount, streamList } from '../../client/calls/list.ts'
import type { CallInput } from '../../client/calls/prepare.ts'
import type { SyncRecord } from '../record.ts'
import type { Resource } from '../resources.ts'
import type { AskedAt, ServiceClock } from './service-clock.ts'
import { toSyncRecord } from './sync-record.ts'

/** How a resource is read. */
export interface Reading {
  readonly caller: Caller
  readonly resource: Resource
  readonly extra: Pick<CallInput, 'query' | 'extraQuery'>
  readonly clock: ServiceClock
  /** Whether the copy takes records apart, so that each of them is parsed as it comes. */
  readonly parses?: boolean
}

/** What is known once a window has been read. */
export interface WindowEnd {
  /** When it was asked for. What changed later may be missing from it. */
  readonly askedAt: AskedAt
  readonly requests: number
  /** How many were given, also those that came twice. */
  readonly records: number
}

/** How many records a page is asked to have; the service may give fewer. */
const PAGE_SIZE = 250

/** How often a window is read whose pages moved meanwhile. */
const MOST_TRIES = 5

/** The request for a window; for the first of its pages. Null: for everything. */
export function windowInput(
  { resource, extra }: Pick<Reading, 'resource' | 'extra'>,
  range: TimeRange | null,
): CallInput {
  const window = range && resource.windowQuery ? resource.windowQuery(range) : {}
  const paging = resource.isPaged ? { Limit: PAGE_SIZE, StartIndex: 0 } : {}
  return { ...extra, query: { ...window, ...resource.query, ...extra.query, ...paging } }
}

/**
 * Reads what changed in a span of time, both ends included; null: everything. Yields batches; memory does not grow with the window.
 * A record may come more than once: when pages move while they are read, all of them are read again.
 * Fails: as `streamList`; INCOMPLETE when the pages do not come to rest.
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
    if (tries === MOST_TRIES) throw unsteadyFailure(reading)
  }
}

/** Reads the window once. `askedAt` is null when its pages moved meanwhile, and not all may have been seen. */
async function* readPages(reading: Reading, range: TimeRange | null) {
  const input = windowInput(reading, range)
  const { resource } = reading
  let firstAsked: AskedAt | null = null
  let last: SyncRecord | null = null
  let records = 0
  for (let requests = 1; ; requests++) {
    // The last record that was read comes again: another in its place shows that the pages have moved.
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
  readonly askedAt: AskedAt
  /** Null: the page does not begin with the record that was the last before. */
  readonly end: ListEnd | null
  readonly last: SyncRecord | null
}

/** Reads an answer. `before`: how many records came before it, the last of which is `last`. */
async function* readPage(
  { caller, resource, clock, parses }: Reading,
  input: CallInput,
  before: number,
  last: SyncRecord | null,
): AsyncGenerator<readonly SyncRecord[], Page, undefined> {
  let askedAt: AskedAt | null = null
  const tell = clock.ask()
  const onHead = (headers: Readonly<Record<string, string>>) => {
    askedAt = tell(headers)
  }
  const batches = streamList(caller, resource.endpoint, input, { before, isPage: resource.isPaged, onHead })
  let expected = last
  let previous = last
  const ended = (end: ListEnd | null): Page => ({ askedAt: askedAt ?? tell({}), end, last: previous })
  try {
    for (;;) {
      const step = await batches.next()
      if (step.done) return ended(expected === null ? step.value : null)
      const records = step.value.map(({ text }) => toSyncRecord(text, resource, parses))
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
    // An answer that is not read to its end keeps its connection, and the next request would wait for that without end.
    await batches.return({ envelope: {}, records: 0 })
  }
}

function isSame(one: SyncRecord, other: SyncRecord): boolean {
  return one.id === null ? one.version === other.version : one.id === other.id
}

/** Whether the service says how many there are, and that these are all. It may also count the page alone, which says nothing. */
function isLastPage(end: ListEnd, read: number): boolean {
  const stated = statedCount(end.envelope)
  return stated !== null && stated > end.records && stated <= read
}

/** Fails: INCOMPLETE when the service says that there are more than it gives. */
function requireAll(reading: Reading, end: ListEnd, read: number): void {
  const stated = statedCount(end.envelope)
  if (stated === null || stated <= Math.max(read, end.records)) return
  throw incompleteFailure(reading, `the service says that there are ${stated}, and gives no more after ${read}`)
}

function unsteadyFailure(reading: Reading): Failure {
  return incompleteFailure(
    reading,
    `the pages of the list do not follow one another, in ${MOST_TRIES} tries: it changes too fast, or the service does not know StartIndex`,
  )
}

function incompleteFailure({ caller, resource: { endpoint } }: Reading, why: string): Failure {
  return new Failure('INCOMPLETE', why, {
    request: { method: endpoint.method, path: endpoint.path, profile: caller.profile, status: 200, attempts: 1 },
  })
}
