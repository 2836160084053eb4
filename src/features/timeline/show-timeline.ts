import { existsSync, statSync } from 'node:fs'
import { joinNames } from '../../base/counted.ts'
import type { Failure } from '../../base/failure/failure.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import { describeRange } from '../../base/time/range-words.ts'
import { databaseKind } from '../../sync/database-kind.ts'
import { type FlagValues, flag, repeated } from '../../terminal/input/flags.ts'
import type { Problems } from '../../terminal/input/problems.ts'
import { optionalRange } from '../../terminal/input/values/time-range.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { journalExists } from '../../webhooks/events/journal/closed-days.ts'
import { storedDeliveries } from '../../webhooks/gaps/source.ts'
import { isDatabase } from '../../webhooks/inbox/open-inbox.ts'
import { sourceName } from '../shared/copies.ts'
import { counted } from '../shared/views/wording.ts'
import { type Entry, toEntryRecord } from './entry.ts'
import type { Timeline, TimelineSources } from './timeline.ts'
import { timelineList } from './views.ts'

export const TIMELINE_FLAGS = {
  journal: repeated({
    helpValue: 'FILE',
    summary: 'Read deliveries from this journal or inbox (postgres://…) written by webhooks listen. May be repeated.',
  }),
  copy: repeated({
    helpValue: 'FILE',
    summary: 'Read a copy made by a sync command: .ndjson (all versions), .csv, .db, postgres://…. May be repeated.',
  }),
  source: flag('NAME', "Source of the records in a database (default: the profile's name)."),
} as const

export const SALES_RANGE_FLAGS = {
  from: flag('TIME', 'Search for sales that were closed at TIME or later.'),
  to: flag('TIME', 'Search for sales that were closed at TIME or earlier (default: now).'),
} as const

type TimelineFlags = FlagValues<typeof TIMELINE_FLAGS> & Partial<FlagValues<typeof SALES_RANGE_FLAGS>>

/**
 * Prints a timeline, then throws its `failure` if it has one, such as NOT_FOUND. Throws USAGE before sending any
 * request.
 */
export async function showTimeline(
  { flags, connection, show, operations, host, say }: Opened<TimelineFlags, object>,
  problems: Problems,
  read: (sources: TimelineSources) => Promise<Timeline>,
): Promise<void> {
  const { journal = [], copy = [], from, to } = flags
  const nowMs = host.now()
  for (const name of journal)
    if (!isDatabase(name) && (existsSync(name) || !journalExists(name))) checkFileExists(name, '--journal', problems)
  for (const name of copy) checkCopy(name, problems)
  const journals = journal.map((name) => ({ name, deliveries: problems.check(() => storedDeliveries(name, host)) }))
  const range = optionalRange({ from, to }, { fromFlag: '--from', toFlag: '--to', openEnd: 'now' }, nowMs)
  problems.check(() => range(null))
  problems.throwIfAny()
  const session = await connection.session()
  const timezone = await connection.timezone()
  const { profile } = session.caller
  const ofDatabase = copy.some((name) => databaseKind(name) !== null)
  const source = sourceName(flags.source, ofDatabase ? 'sqlite' : 'file', { profile, service: session.service })
  const timeline = await read({
    caller: session.caller,
    service: session.service,
    store: await operations.open(),
    journals: journals.map(({ name, deliveries }) => ({ name, deliveries: problems.valueOrThrow(deliveries) })),
    copies: copy,
    place: { source, env: host.env, timezone },
    salesRange: range(timezone),
    ...{ nowMs, timezone },
  })
  const { entries, failure } = timeline
  const rows = entries.map((entry) => toEntryRecord(entry, { timezone, nowMs }))
  if (rows.length > 0) await show.all(rows, timelineList)
  for (const line of buildNotes(timeline, { timezone, nowMs })) await say(line)
  const looked = [
    "this machine's operations",
    ...journal.slice(0, 1).map(() => 'the journal'),
    ...copy.slice(0, 1).map(() => 'the copy'),
  ]
  if (failure !== null) throw addSourcesHint(failure, rows.length > 0, looked)
}

function checkFileExists(name: string, flagName: string, problems: Problems): void {
  try {
    if (statSync(name).isDirectory()) problems.add(`${flagName} ${name} is a directory`)
  } catch (error) {
    problems.add(`${flagName}: cannot read ${name}: ${describeSystemError(error)}`)
  }
}

function checkCopy(name: string, problems: Problems): void {
  if (databaseKind(name) === 'postgres') return
  if (!/\.(?:ndjson|csv|db)$/.test(name))
    problems.add(`--copy ${name} must end in .ndjson, .csv or .db, or be postgres://…`)
  else checkFileExists(name, '--copy', problems)
}

function buildNotes(
  { searched, undated, entries }: Timeline,
  at: { timezone: string | null; nowMs: number },
): string[] {
  return [
    ...(searched === null ? [] : [`searched for sales closed ${describeRange(searched, at.timezone)}`]),
    ...(at.timezone === null && entries.some(({ kind }) => kind === 'booking-time')
      ? ["no timezone is set: the venue's local times are read as UTC"]
      : []),
    ...(undated === 0 ? [] : [`skipped ${counted(undated, 'record', 'records')} without a date`]),
    ...entries.filter(({ oddity }) => oddity !== null).map((entry) => formatOddity(entry, at)),
  ]
}

function formatOddity(entry: Entry, at: { timezone: string | null; nowMs: number }): string {
  const { local, oddity, subject, where } = toEntryRecord(entry, at)
  const when = local ?? `${new Date(entry.atMs).toISOString().slice(0, 19)}Z`
  return `odd: ${subject}, ${when}: ${oddity} (${where ?? 'service'})`
}

/** Mentions in a failure's hint whether sources other than the service have entries for the record. */
function addSourcesHint(failure: Failure, isKnown: boolean, looked: readonly string[]): Failure {
  if (failure.code === 'INCOMPLETE') return failure
  if (failure.code !== 'NOT_FOUND')
    return isKnown
      ? failure.withHint(`the entries shown are from other sources; ${failure.hint ?? 'try again'}`)
      : failure
  if (isKnown)
    return failure.withHint('the entries shown are from other sources; check that this profile is for the right venue')
  return failure.withHint(`${joinNames(looked)} do not have it either; ${failure.hint ?? 'check the ID'}`)
}
