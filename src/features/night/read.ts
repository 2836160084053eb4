import { Failure, usageFailure } from '../../base/failure/failure.ts'
import type { Clock } from '../../base/time/instant.ts'
import { resolveWindow, type TimeRange } from '../../base/time/window.ts'
import { dateIn } from '../../base/time/zone.ts'
import { chooseProfiles } from '../../client/profiles/names.ts'
import { profilesPath, readProfiles } from '../../client/profiles/read.ts'
import { describeOperation } from '../../money/operations/describe.ts'
import { literal } from '../../sync/postgres/literals.ts'
import { Problems } from '../../terminal/input/problems.ts'
import type { Opened } from '../../terminal/runtime/run.ts'
import { checkPlace } from '../shared/place.ts'
import { assemble } from './assemble.ts'
import { lastNight, type Night, nightOf, USUAL_DAY_STARTS } from './business-day.ts'
import { type NightCopy, nightCopyKind, openNightCopy, venuesWithGuests } from './copy.ts'
import { syncLagSql } from './figures.ts'
import { type Published, publish } from './publish.ts'
import { askFigures, type NightReport, type SyncedUpTo, syncedUpTo } from './report.ts'

/** The values of the flags. */
export interface NightFlags {
  readonly copy: string
  readonly date?: string | undefined
  readonly source?: readonly string[] | undefined
  readonly profiles?: string | undefined
  readonly 'day-starts'?: string | undefined
  readonly 'no-show'?: readonly string[] | undefined
  readonly seated?: readonly string[] | undefined
  readonly html?: string | undefined
  readonly sql?: boolean | undefined
}

/** What the command line asks for, checked. */
export interface AskedNight {
  readonly dayStarts: string
  readonly sources: readonly string[]
  readonly noShow: readonly string[]
  readonly seated: readonly string[]
  /** The date of the night, on the clock of a zone. */
  readonly dateAt: (timezone: string | null) => string
}

/** A report, and the statements that it was made with. */
export interface ReadReport {
  readonly report: NightReport
  readonly published: readonly Published[]
  readonly nowMs: number
  /** What a person should know beside it. */
  readonly warnings: readonly string[]
}

const TIME_OF_DAY = /^(?:0\d|1[01]):[0-5]\d$|^12:00$/

/** Checks the command line. Fails: USAGE with every problem, before anything is opened; NO_PROFILE. */
export function readNightFlags({ flags, host }: Opened<NightFlags, object>): AskedNight {
  const problems = new Problems()
  const now = host.now()
  problems.check(() => nightCopyKind(flags.copy))
  const dayStarts = flags['day-starts'] ?? USUAL_DAY_STARTS
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
    problems.add('--source and --profiles cannot be given together', 'leave one of them out')
  const sources = [...new Set(named('source'))]
  const noShow = named('no-show')
  const seated = named('seated')
  if (flags.html !== undefined) {
    const { html, yes } = flags
    if (flags.sql) problems.add('--sql and --html cannot be given together')
    else if (html === '-') problems.add('--html must name a file, not -')
    else problems.check(() => checkPlace(html, yes === true, { flag: '--html', example: 'DIR/night.html' }))
  }
  problems.throwIfAny('see partner report night --help')
  if (flags.profiles !== undefined)
    sources.push(...chooseProfiles(flags.profiles, readProfiles(profilesPath(host.env))))
  return { dayStarts, sources, noShow, seated, dateAt }
}

/** The day that a text names. Fails: USAGE. */
function dayOf(date: string, clock: Clock): TimeRange {
  try {
    return resolveWindow({ date }, clock)
  } catch (error) {
    throw error instanceof Failure ? error.withHint('give a day, such as 2026-11-20 or yesterday') : error
  }
}

/** Reads the night from the copy, and what this machine knows. Fails: USAGE for a venue that the copy does not know; as the copy does. */
export async function readReport(opened: Opened<NightFlags, object>, asked: AskedNight): Promise<ReadReport> {
  const { flags, host, operations, connection } = opened
  const { dayStarts, sources, noShow, seated, dateAt } = asked
  const nowMs = host.now()
  const over = host.waiting.begin('reading the copy')
  const copy = await openNightCopy(flags.copy, host).finally(over)
  try {
    const synced = syncedUpTo(await copy.rows(syncLagSql(copy.dialect, sources)))
    await refuseUnknown(copy, synced, sources)
    const nights: Night[] = []
    for (const source of [...new Set(synced.map((one) => one.source))].sort()) {
      const timezone = zoneIn(synced, source) ?? (await connection.zoneOf(source))
      nights.push(nightOf({ source, timezone }, dateAt(timezone), dayStarts))
    }
    const parts = { nights, synced, noShow, seated, withGuests: await venuesWithGuests(copy) }
    const published = publish(copy.dialect, parts, sources)
    const answers = flags.sql ? new Map() : await askFigures(copy, parts)
    const store = flags.sql ? null : await operations.open()
    const open = (store?.list() ?? []).filter(({ state }) => state === 'open').map(describeOperation)
    const report = assemble(answers, { ...parts, nowMs, name: flags.copy, open })
    const warnings = [
      ...(await unknownCodes(copy, 'no-show', noShow)),
      ...(await unknownCodes(copy, 'seated', seated)),
      ...zoneless(nights),
      ...(report.venues.length === 1 && report.group.elsewhere.length > 0
        ? [`open operations of other profiles: ${report.group.elsewhere.length}; see partner operations list`]
        : []),
    ]
    return { report, published, nowMs, warnings }
  } finally {
    await copy.close()
  }
}

/** Writes the page, whole or not at all, for its owner alone, and says where it is. */
export async function putPage(
  { host, say }: Opened<NightFlags, object>,
  path: string,
  read: ReadReport,
): Promise<void> {
  const [{ nightPage }, { writeFileDurably }] = await Promise.all([
    import('./page/page.ts'),
    import('../../base/storage/durable-write.ts'),
  ])
  writeFileDurably(path, nightPage(read.report, { nowMs: read.nowMs, version: host.version }))
  await say(`wrote ${path}: open it in a browser to print it`)
}

/** The zone that the syncs noted: that of bookings, else of sales. */
function zoneIn(synced: readonly SyncedUpTo[], source: string): string | null {
  return synced.find((one) => one.source === source && one.timezone !== null)?.timezone ?? null
}

/** Fails: USAGE for a venue that is not in the copy, or when there is none at all. */
async function refuseUnknown(
  copy: NightCopy,
  synced: readonly SyncedUpTo[],
  sources: readonly string[],
): Promise<void> {
  const missing = sources.filter((source) => !synced.some((one) => one.source === source))
  if (missing.length === 0 && synced.length > 0) return
  const all = sources.length === 0 ? synced : syncedUpTo(await copy.rows(syncLagSql(copy.dialect, [])))
  if (all.length === 0)
    throw usageFailure(
      ['the copy has no venue yet'],
      'read the bookings into it, and then the sales: partner bookings sync --to venue.db',
    )
  const known = [...new Set(all.map(({ source }) => source))].sort()
  throw usageFailure(
    missing.map((source) => `${JSON.stringify(source)} is no venue of this copy`),
    `it has ${known.map((source) => JSON.stringify(source)).join(', ')}; bookings sync with --source brings in another`,
  )
}

function zoneless(nights: readonly Night[]): string[] {
  const without = nights.filter(({ timezone }) => timezone === null).map(({ source }) => source)
  if (without.length === 0) return []
  return [
    `no time zone is known of ${without.join(', ')}: its clock is taken for UTC; set it with partner profiles set NAME --timezone ZONE, and sync again`,
  ]
}

/** What to say of codes that no booking of the copy has: a slip in one would count no-shows as covers. `flag`: its name, without dashes. */
async function unknownCodes(copy: NightCopy, flag: string, codes: readonly string[]): Promise<string[]> {
  const warnings: string[] = []
  for (const code of codes) {
    const found = await copy.rows(`SELECT id FROM bookings WHERE lower(status_code) = lower(${literal(code)}) LIMIT 1`)
    if (found.length === 0)
      warnings.push(
        `--${flag} ${JSON.stringify(code)}: no booking of the copy has that status; partner bookings statuses lists the codes`,
      )
  }
  return warnings
}
