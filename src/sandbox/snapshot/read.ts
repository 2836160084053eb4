import { Failure } from '../../base/failure/failure.ts'
import { findNearest } from '../../base/failure/nearest.ts'
import { isJsonObject, parseExact } from '../../base/json/exact.ts'
import { TooDeepError } from '../../base/json/parse.ts'
import { Clock } from '../clock/clock.ts'
import { listUnlinkedSales } from '../records/sales.ts'
import { storeDiary } from '../seed/diary-state.ts'
import type { Store } from '../store/store.ts'
import { dayOf } from '../venue/time.ts'
import { getZone } from '../venue/zone.ts'
import { END_LINE, FORMAT_VERSION, type Header, readHeader, readVersion } from './form/header.ts'
import { expandRecord, InvalidLine, type RecordData, type VenueDefaults } from './form/members.ts'
import type { Kind } from './kinds/kind.ts'
import { KINDS } from './kinds/kinds.ts'

export type Snapshot = Readonly<ReturnType<typeof readSnapshot>>

/**
 * Reads and checks the text of a snapshot. `name` identifies the snapshot in messages. Throws USAGE with the line
 * number if the text is invalid, truncated, not a snapshot, or written by a newer version. In the result, `counts` has
 * the number of records of each kind, and `withoutCredentials` lists the events whose subscriptions had credentials,
 * which a snapshot never contains. `records` rereads the records one at a time to save memory. `fill` stores the venue
 * in empty tables; call it in the transaction that empties them.
 */
export function readSnapshot(text: string, name: string) {
  const lineFailure = (number: number, problem: string) =>
    new Failure('USAGE', `${name}, line ${number}: ${problem}`, {
      hint: 'nothing was changed; correct the line, or use a different snapshot',
      guide: 'snapshots',
      details: { line: number },
    })
  const read = <T>(number: number, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw error instanceof InvalidLine ? lineFailure(number, error.message) : error
    }
  }
  const lines = splitLines(text)
  const header = read(1, () => readHeaderLine(lines.next().value ?? '', name))
  const { venues } = header
  const defaults: VenueDefaults = { location: venues[0].id, toInstant: getZone(venues[0].timezone).toInstant }
  const seen = new Map(KINDS.map((kind) => [kind.name, new Set<string>()]))
  const counts = Object.fromEntries(KINDS.map((kind) => [kind.name, 0]))
  const withoutCredentials = new Set<string>()
  let number = 1
  let hasEnded = false
  for (const line of lines) {
    number += 1
    if (hasEnded) throw lineFailure(number, `no line may follow ${END_LINE}`)
    hasEnded = line === END_LINE
    if (hasEnded) continue
    const { kind, record } = read(number, () => readRecord(line, defaults))
    read(number, () => checkRecord(kind, record, seen))
    counts[kind.name] = (counts[kind.name] ?? 0) + 1
    if (record['hadCredentials'] === true) withoutCredentials.add(String(record[kind.name]))
  }
  if (!hasEnded) throw lineFailure(number, `the file is truncated: its last line is not ${END_LINE}`)
  const records = () => readRecords(text, defaults)
  const fill = (store: Store) => fillStore(store, header, records())
  return { header, counts, withoutCredentials: [...withoutCredentials], records, fill }
}

function fillStore(store: Store, header: Header, records: ReturnType<typeof readRecords>): void {
  const { venues, clock, frozen, diary } = header
  store.writeVenues(venues)
  for (const { kind, record } of records) kind.insert(store, record)
  const now = Date.parse(clock)
  const toppedUp = dayOf(store.zone.toLocal(now))
  storeDiary(store, diary === 'given' ? { seed: 0, days: [], given: true, toppedUp } : { ...diary, toppedUp })
  if (header.listsUnlinkedSales) listUnlinkedSales(store)
  new Clock(store).set(now, frozen)
}

/** Yields the lines of `text` without their line breaks. Skips empty lines at the end. */
function* splitLines(text: string): Generator<string, undefined> {
  const end = text.trimEnd().length
  for (let from = text.startsWith('\ufeff') ? 1 : 0; from < end; ) {
    const to = text.indexOf('\n', from)
    yield text.slice(from, to === -1 ? end : to).trimEnd()
    from = to === -1 ? end : to + 1
  }
}

function* readRecords(text: string, defaults: VenueDefaults) {
  const lines = splitLines(text)
  lines.next()
  for (const line of lines) if (line !== END_LINE) yield readRecord(line, defaults)
}

function readHeaderLine(line: string, name: string): Header {
  const first = parseObject(line)
  const version = first && readVersion(first)
  if (!first || version === null)
    throw new Failure('USAGE', `${name} is not a sandbox snapshot`, {
      hint: 'save a snapshot: partner sandbox snapshot save venue',
      guide: 'snapshots',
    })
  if (version > FORMAT_VERSION)
    throw new Failure(
      'USAGE',
      `${name} was written by a newer version of partner (format ${version}; this version reads format ${FORMAT_VERSION})`,
      { hint: 'update partner, or save the snapshot again with this version', guide: 'snapshots' },
    )
  return readHeader(first)
}

function parseObject(line: string): RecordData | null {
  try {
    const value = parseExact(line)
    return isJsonObject(value) ? value : null
  } catch (error) {
    if (error instanceof TooDeepError) throw new InvalidLine(error.message)
    return null
  }
}

const NAMES = KINDS.map(({ name }) => name)

function readRecord(line: string, defaults: VenueDefaults) {
  const object = parseObject(line)
  if (!object) throw new InvalidLine(line.trim() === '' ? 'the line is empty' : 'the line is not a JSON object')
  const [tag = ''] = Object.keys(object)
  const kind = KINDS.find(({ name }) => name === tag)
  if (!kind) {
    const near = findNearest(tag, NAMES)
    const help = near === null ? `the kinds are ${NAMES.join(', ')}` : `did you mean "${near}"?`
    throw new InvalidLine(`"${tag}" is not a kind of record; ${help}`)
  }
  return { kind, record: expandRecord(object, kind.members, defaults) }
}

/** Checks that a record is not a duplicate and refers only to earlier records. Throws {@link InvalidLine}. */
function checkRecord(kind: Kind, record: RecordData, seen: ReadonlyMap<string, Set<string>>): void {
  const key = String(record[kind.name])
  const known = seen.get(kind.name) ?? new Set()
  if (!kind.repeats && known.has(key)) throw new InvalidLine(`duplicate ${kind.name} ${JSON.stringify(key)}`)
  const problem = kind.problem?.(record, seen) ?? null
  if (problem !== null) throw new InvalidLine(problem)
  known.add(key)
}
