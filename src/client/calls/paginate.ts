import { createHash } from 'node:crypto'
import type { Endpoint } from '../../contract/endpoint.ts'
import { Failure } from '../../failure/failure.ts'
import type { ListEnd } from '../../json/record-splitter.ts'
import type { Caller } from './caller.ts'
import { streamList, toIncomplete } from './list.ts'
import type { CallInput } from './prepare.ts'

/** How many records are asked for, and how many at a time. */
export interface Paging {
  /** Records a page, unless the service gives fewer or more. */
  readonly pageSize: number
  /** Records in all; undefined: every one. */
  readonly limit?: number | undefined
}

/** Of a page, so many of its last records are looked for at the start of the next: what came in between moves them along. */
const REMEMBERED_RECORDS = 1000

/**
 * The records of a list that comes in pages (`Limit` from the zero-based offset `StartIndex`), in batches, each record as the
 * text that was sent. Memory does not grow with the list.
 *
 * Nobody knows whether `length` counts the page or the whole result, so it is believed only where it can mean one thing: a
 * `length` larger than its page is the whole. Otherwise an empty page is the end, whatever the size of the one before it, as
 * the service may give fewer records than it was asked for. A record that the page before it had is given out once.
 * Fails: like `listed` before the first record; INCOMPLETE after it, also when a page repeats an earlier one, or the whole is said to be more.
 * Source: "Other endpoints"; the paging is assumed.
 */
export async function* paginate<E extends Endpoint>(
  caller: Caller,
  endpoint: E,
  input: CallInput<E>,
  { pageSize, limit = Number.POSITIVE_INFINITY }: Paging,
): AsyncGenerator<readonly string[], void, undefined> {
  const starts = new Set<string>()
  let previous = new Set<string>()
  let startIndex = 0
  let given = 0
  let whole: number | null = null
  const incomplete = (why: string, hint: string) =>
    new Failure('INCOMPLETE', `the list stopped after ${given} records: ${why}`, {
      hint,
      request: { method: endpoint.method, path: endpoint.path, profile: caller.profile, status: 200, attempts: 1 },
      details: { records: given },
    })
  while (given < limit) {
    const asked = Math.min(pageSize, limit - given)
    const query = { ...input.query, Limit: asked, StartIndex: startIndex }
    const page = streamList(caller, endpoint, { ...input, query }, given)
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
        const [first = ''] = step.value
        if (received === 0 && isKnown(starts, first))
          throw incomplete(
            'the service gives the same page again',
            'it does not seem to know StartIndex; ask for all in one page: --page-size N',
          )
        const news = previous.size === 0 ? step.value : step.value.filter((record) => !previous.has(record))
        received += step.value.length
        fresh += news.length
        last.push(...step.value.slice(-REMEMBERED_RECORDS))
        if (last.length > 2 * REMEMBERED_RECORDS) last.splice(0, last.length - REMEMBERED_RECORDS)
        const taken = news.slice(0, limit - given)
        if (taken.length > 0) yield taken
        given += taken.length
        if (given >= limit) return
      }
    } catch (error) {
      throw toIncomplete(error, given)
    } finally {
      await page.return({ envelope: {}, records: received })
    }
    whole = wholeLength(end, received) ?? whole
    startIndex += received
    if (received === 0) {
      if (whole === null || whole <= startIndex) return
      throw incomplete(
        `the service says that there are ${whole}, and gives no more after ${startIndex}`,
        'what was printed is right, but not all there is; try again, or another --page-size',
      )
    }
    if (fresh === 0)
      throw incomplete(
        'the service gives the same records again',
        'what was printed is right, but perhaps not all there is; try again, or another --page-size',
      )
    if (whole !== null && whole <= startIndex) return
    previous = new Set(last.slice(-REMEMBERED_RECORDS))
  }
}

/** Whether a page began like this before; it is remembered. */
function isKnown(starts: Set<string>, record: string): boolean {
  const mark = createHash('sha1').update(record).digest('base64')
  if (starts.has(mark)) return true
  starts.add(mark)
  return false
}

/** The size of the whole result, where `length` can mean nothing else: it counts more than its page. */
function wholeLength(end: ListEnd | undefined, received: number): number | null {
  const length = end?.envelope['length']
  return typeof length === 'number' && Number.isSafeInteger(length) && length > received ? length : null
}
