import { statSync } from 'node:fs'
import { Failure, usageFailure } from '../../base/failure/failure.ts'
import { describeSystemError } from '../../base/storage/system-error.ts'
import type { Clock } from '../../base/time/instant.ts'
import { resolveWindow, type TimeRange } from '../../base/time/window.ts'
import { dateIn } from '../../base/time/zone.ts'
import { chooseProfiles } from '../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { describeAll } from '../../money/once/shown.ts'
import { literal } from '../../postgres/literal.ts'
import type { DatabaseRows } from '../../sync/database-rows.ts'
import { databaseToRead, openRows } from '../../sync/open-target.ts'
import { parseMemo } from '../../sync/running/memo.ts'
import type { Dialect } from '../../sync/tables/ddl.ts'
import { type FlagValues, flag, repeated, requiredFlag, toggle } from '../../terminal/input/flags.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { checkWritablePath } from '../shared/place.ts'
import { assemble } from './assemble.ts'
import { DEFAULT_DAY_START, lastNight, type Night, nightOf } from './business-day.ts'
import { syncLagSql } from './figures.ts'
import type { NightReport } from './printed/output.ts'
import { buildStatements, queryFigures, type Synced } from './publish.ts'

export const NIGHT_FLAGS = {
  copy: requiredFlag('TARGET', 'The copy that the sync commands write: x.db, or postgres://….'),
  date: flag(
    'DAY',
    "The day when the night began, in each venue's local time (default: the last night that has ended).",
  ),
  source: repeated({
    helpValue: 'NAME',
    summary: 'Report only this venue in the copy. May be repeated (default: all venues).',
  }),
  profiles: flag('all|tag:NAME|a,b', 'Report only the venues with the same names as these profiles.'),
  'day-starts': flag('HH:MM', "When a business day begins, in the venue's local time (default: 05:00)."),
  'no-show': repeated({
    helpValue: 'CODE',
    summary: 'A status code to count as a no-show, in addition to those that contain "no-show". May be repeated.',
  }),
  seated: repeated({
    helpValue: 'CODE',
    summary:
      'A status code of seated guests, in addition to those that contain "seated", "finished", "completed" or "departed". May be repeated.',
  }),
  html: flag('FILE', 'Also write the report as a printable HTML page, in one file that only you can read.'),
  sql: toggle('Print only the SQL for each figure.'),
} as const

const TIME_OF_DAY = /^(?:0\d|1[01]):[0-5]\d$|^12:00$/

/** Checks the flags. The returned `dateAt` function returns the night's date in a given time zone. */
function readFlags({ flags, host }: Opened<FlagValues<typeof NIGHT_FLAGS>, object>) {
  const problems = new Problems()
  const now = host.now()
  const kind = problems.check(() => copyKind(flags.copy))
  const dayStarts = flags['day-starts'] ?? DEFAULT_DAY_START
  if (!TIME_OF_DAY.test(dayStarts))
    problems.add(
      `--day-starts must be a time from 00:00 to 12:00, not ${JSON.stringify(dayStarts)}`,
      'write it like 05:00',
    )
  const { date } = flags
  const dateAt = (timezone: string | null) =>
    date === undefined ? lastNight(now, timezone, dayStarts) : dateIn(dayOf(date, { now, timezone }).fromMs, timezone)
  if (date !== undefined) problems.check(() => dateAt(null))
  const named = (flag: 'source' | 'no-show' | 'seated') => {
    const values = flags[flag] ?? []
    if (values.some((one) => one.trim() === '')) problems.add(`--${flag} must not be empty`)
    return values
  }
  if (flags.source !== undefined && flags.profiles !== undefined)
    problems.add('--source and --profiles cannot be used together', 'omit one of them')
  const sources = [...new Set(named('source'))]
  const noShow = named('no-show')
  const seated = named('seated')
  if (flags.html !== undefined) {
    const { html, yes } = flags
    if (flags.sql) problems.add('--sql and --html cannot be used together')
    else if (html === '-') problems.add('--html must name a file, not -')
    else problems.check(() => checkWritablePath(html, yes === true, { flag: '--html', example: 'DIR/night.html' }))
  }
  problems.throwIfAny('see partner report night --help')
  if (flags.profiles !== undefined)
    sources.push(...chooseProfiles(flags.profiles, readProfiles(profilesPath(host.env))))
  return { kind: problems.valueOrThrow(kind), dayStarts, sources, noShow, seated, dateAt }
}

function dayOf(date: string, clock: Clock): TimeRange {
  try {
    return resolveWindow({ date }, clock)
  } catch (error) {
    throw error instanceof Failure ? error.withHint('use a day, such as 2026-11-20 or yesterday') : error
  }
}

const CREATE_HINT = 'create a copy: partner bookings sync --to venue.db, and then partner sales sync --to venue.db'

/**
 * Returns the kind of database that a copy is: SQLite or PostgreSQL. Throws USAGE if it is neither or if the file does
 * not exist.
 */
function copyKind(name: string): Dialect {
  const kind = databaseToRead(name, '--copy', CREATE_HINT)
  if (kind === 'postgres') return kind
  try {
    if (statSync(name).isDirectory()) throw usageFailure([`--copy ${name} is a directory`], CREATE_HINT)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw usageFailure([`--copy ${name} cannot be read: ${describeSystemError(error)}`], CREATE_HINT)
  }
  return kind
}

/**
 * Reads a night report from a copy, together with the SQL that was used. Checks the flags before it opens anything.
 * Throws USAGE if a flag is invalid or a venue is unknown. Also throws NO_PROFILE and any error from the copy.
 */
export async function readReport(opened: Opened<FlagValues<typeof NIGHT_FLAGS>, object>) {
  const { flags, host, operations, connection } = opened
  const { kind, dayStarts, sources, noShow, seated, dateAt } = readFlags(opened)
  const nowMs = host.now()
  const over = host.waiting.begin('reading the copy')
  const copy = await openRows(flags.copy, kind, { ...host, flag: '--copy', hint: CREATE_HINT }).finally(over)
  try {
    const synced = await readSynced(copy, sources)
    await requireVenues(copy, synced, sources)
    const nights: Night[] = []
    for (const source of [...synced.keys()].sort()) {
      // The time zone that the bookings sync recorded takes precedence over the one from the sales sync.
      const noted = synced.get(source)?.find((one) => one.timezone !== null)
      const timezone = noted?.timezone ?? (await connection.zoneOf(source))
      nights.push(nightOf({ source, timezone }, dateAt(timezone), dayStarts))
    }
    const parts = { nights, synced, noShow, seated, withGuests: await venuesWithGuests(copy) }
    const published = buildStatements(copy.dialect, parts, sources)
    const answers = flags.sql ? new Map() : await queryFigures(copy, published)
    const store = flags.sql ? null : await operations.open()
    const open = store === null ? [] : [...describeAll(store, { state: 'open' })]
    const report = assemble(answers, { ...parts, nowMs, name: flags.copy, open })
    const warnings = [
      ...(await warnAboutUnknownCodes(copy, 'no-show', noShow)),
      ...(await warnAboutUnknownCodes(copy, 'seated', seated)),
      ...warnAboutUnknownZones(nights),
      ...(report.venues.length === 1 && report.group.elsewhere.length > 0
        ? [`open operations of other profiles: ${report.group.elsewhere.length}; see partner operations list`]
        : []),
    ]
    return { report, published, warnings }
  } finally {
    await copy.close()
  }
}

/**
 * Writes the report as an HTML page and prints its path. The file is written atomically, and only its owner can read
 * it.
 */
export async function writePage(
  { host, say }: Opened<object, object>,
  path: string,
  report: NightReport,
): Promise<void> {
  const [{ renderNightPage }, { writeFileDurably }] = await Promise.all([
    import('./page/page.ts'),
    import('../../base/storage/durable-write.ts'),
  ])
  writeFileDurably(path, renderNightPage(report, host.version))
  await say(`wrote ${path}: open it in a browser to print it`)
}

/**
 * Reads how up to date the copy is for these venues. An empty list means all venues. Throws if the copy cannot be read.
 */
export async function readSynced(copy: DatabaseRows, sources: readonly string[]): Promise<Synced> {
  const rows = await copy.rows(syncLagSql(copy.dialect, sources))
  const synced = rows.map(({ source, resource, up_to, timezone }) => ({
    source: source ?? '',
    resource: resource ?? '',
    upTo: up_to ?? null,
    timezone: timezone ?? null,
  }))
  return Map.groupBy(synced, ({ source }) => source)
}

async function venuesWithGuests(copy: DatabaseRows): Promise<ReadonlySet<string>> {
  const rows = await copy.rows(`SELECT source, memo FROM sync_state WHERE resource = 'bookings'`)
  const withGuests = rows.filter(({ memo = null }) =>
    parseMemo(memo).asked?.some(([name, value]) => name === 'IncludeCustomerDetails' && value === 'true'),
  )
  return new Set(withGuests.map(({ source }) => source ?? ''))
}

/** Checks that the copy contains these venues. Throws USAGE if a venue is missing or the copy is empty. */
async function requireVenues(copy: DatabaseRows, synced: Synced, sources: readonly string[]) {
  const missing = sources.filter((source) => !synced.has(source))
  if (missing.length === 0 && synced.size > 0) return
  const all = sources.length === 0 ? synced : await readSynced(copy, [])
  if (all.size === 0)
    throw usageFailure(
      ['the copy does not contain any venues yet'],
      'sync the bookings into the copy, and then the sales: partner bookings sync --to venue.db',
    )
  const known = [...all.keys()].sort()
  throw usageFailure(
    missing.map((source) => `the copy does not contain the venue ${JSON.stringify(source)}`),
    `it contains ${known.map((source) => JSON.stringify(source)).join(', ')}; to add another venue, use bookings sync with --source`,
  )
}

function warnAboutUnknownZones(nights: readonly Night[]): string[] {
  const without = nights.filter(({ timezone }) => timezone === null).map(({ source }) => source)
  if (without.length === 0) return []
  return [
    `the time zone of ${without.join(', ')} is unknown, so UTC is used; set it with partner profiles set NAME --timezone ZONE, and sync again`,
  ]
}

/**
 * Returns a warning for each status code that no booking has. Without the warning, a typo in a code would go unnoticed,
 * and no-shows would count as covers. `flag` is the name of the flag without dashes.
 */
async function warnAboutUnknownCodes(copy: DatabaseRows, flag: string, codes: readonly string[]): Promise<string[]> {
  const warnings: string[] = []
  for (const code of codes) {
    const found = await copy.rows(`SELECT id FROM bookings WHERE lower(status_code) = lower(${literal(code)}) LIMIT 1`)
    if (found.length === 0)
      warnings.push(
        `--${flag} ${JSON.stringify(code)}: no booking in the copy has this status; to list the codes: partner bookings statuses`,
      )
  }
  return warnings
}
