import { statSync } from 'node:fs'
import { Failure, usageFailure } from '../../../base/failure/failure.ts'
import { formatCommand } from '../../../base/failure/suggested.ts'
import { describeSystemError } from '../../../base/storage/system-error.ts'
import { toWireTime } from '../../../base/time/instant.ts'
import { formatInZone } from '../../../base/time/zone.ts'
import { SANDBOX_PROFILE } from '../../../client/profiles/profile.ts'
import { kindToRead, openToRead } from '../../../sync/open-target.ts'
import { copyOwner, settingsOf, sourceName } from '../../shared/copies.ts'
import { counted } from '../../shared/views/wording.ts'
import type { PrintedDifference } from '../output.ts'
import { checkArguments, parseDay, type ReconcileParts } from './arguments.ts'
import { countDays, daysOfClosings, formatDays, readRange } from './closing.ts'
import { openPosFile } from './closings.ts'
import { compare, type Report } from './compare.ts'
import { writeFix } from './fix-file.ts'
import { type Days, KINDS, type PosFile } from './ledger.ts'
import { buildNotes, findLastClosing } from './printed/notes.ts'
import { differenceLines, reconciledCard, reconciledList, statementList } from './printed/views.ts'
import { listServiceSales, readCopiedSales } from './reading/service-sales.ts'
import { unitsText } from './units.ts'

/** The maximum number of days to compare. A longer period suggests a mistyped year. */
const MAX_DAYS = 400

/**
 * Compares a file with the service or a copy. Throws PARTIAL_FAILURE if the two sides differ. Also throws USAGE and any
 * error from the service or the copy.
 */
export async function reconcile(given: ReconcileParts): Promise<void> {
  const opened = checkArguments(given)
  const { args, flags, say } = opened
  const pos = await openPosFile(args.file, flags.map ?? [], opened.host.standardInput)
  try {
    const { file, name } = pos
    const { days, service, venue } = await readServiceSide(opened, file, name)
    // Read the known sales after the list of sales, to include sales that an import submits while the list is read.
    const { readKnownSales } = await import('./reading/known-sales.ts')
    const known = await readKnownSales(opened, venue)
    const report = compare(file, service, days, known)
    await showReport(opened, report)
    for (const note of buildNotes(file, report)) await say(note)
    if (flags.copy !== undefined && report.totals.byKind.doubled !== 0n)
      await say(
        'a copy keeps every booking that a sale was ever linked to: to confirm the doubled sales, compare again without --copy',
      )
    const { timezone } = days
    const written = flags.fix === undefined ? 0 : await writeFix(flags.fix, pos, report, known, { ...opened, timezone })
    if (report.differences.length > 0) throw differenceFailure(report, opened, written > 0)
    const { count } = report.statement.at(-1) ?? { count: 0 }
    await say(
      `the books agree: ${counted(count, 'sale', 'sales')}, ${unitsText(report.totals.pos)}, ${formatDays(days)}`,
    )
  } finally {
    pos.close()
  }
}

async function readServiceSide(opened: ReconcileParts, file: PosFile, name: string) {
  const { flags, connection, debug } = opened
  if (flags.copy !== undefined) return readCopySide(opened, flags.copy, file, name)
  // If the days to compare are unknown, report that before making any request.
  if (flags.date === undefined) chooseDays(opened, { file, name, timezone: null })
  const session = await connection.session('list')
  const timezone = await connection.timezone('list')
  const days = chooseDays(opened, { file, name, timezone })
  const range = readRange(days)
  await debug(`window: ${toWireTime(range.fromMs)} to ${toWireTime(range.toMs)}`)
  const service = await listServiceSales(session.caller, range)
  await reportDays(opened, days, await connection.destination())
  return { days, service, venue: { service: session.service, profile: session.caller.profile } }
}

async function readCopySide(opened: ReconcileParts, copyName: string, file: PosFile, name: string) {
  const { flags, host, connection, warn } = opened
  checkCopy(copyName)
  const whose = copyOwner(settingsOf(host, flags))
  const source = sourceName(flags.source, kindToRead(copyName, '--copy'), whose)
  const timezone = await connection.zoneOf(whose.profile)
  connection.zone = timezone
  const days = chooseDays(opened, { file, name, timezone })
  const copy = await openToRead(copyName, '--copy', { resource: 'sales', source, env: host.env, timezone })
  try {
    const cursorMs = (await copy.state())?.cursorMs ?? null
    if (cursorMs === null)
      throw usageFailure(
        [`--copy ${copy.name} has no sales${source === '' ? '' : ` of ${source}`}`],
        `sync the sales: ${formatCommand`sales sync --to ${copy.name}`}; or name the source of the copy's records with --source`,
      )
    const service = await readCopiedSales(copy, readRange(days))
    await reportDays(opened, days, `the copy ${copy.name}`)
    const last = findLastClosing(file, days)
    if (last !== null && cursorMs < last)
      await warn(
        `the copy ends at ${formatInZone(cursorMs, timezone)}, before the last closing in the file: missing sales may not have been synced yet`,
      )
    const at = whose.service ?? (whose.profile === SANDBOX_PROFILE ? 'sandbox' : null)
    return { days, service, venue: { service: at, profile: whose.profile } }
  } finally {
    await copy.close()
  }
}

function checkCopy(name: string): void {
  if (/^postgres/.test(name)) return
  try {
    statSync(name)
  } catch (error) {
    throw usageFailure(
      [`--copy ${name} cannot be read: ${describeSystemError(error)}`],
      `create the copy: ${formatCommand`sales sync --to ${name}`}`,
    )
  }
}

/**
 * Returns the days to compare. Throws USAGE if neither `--date` nor the file specifies the days, or if there are too
 * many.
 */
function chooseDays(
  { flags, host }: ReconcileParts,
  { file, name, timezone }: { readonly file: PosFile; readonly name: string; readonly timezone: string | null },
): Days {
  const day = parseDay(flags.date, { now: host.now(), timezone })
  if (day !== null) return { from: day, to: day, timezone }
  const days = daysOfClosings(file.sales, timezone)
  if (days === null)
    throw usageFailure(
      [file.sales.length === 0 ? `${name} has no sales` : `${name} does not say when its sales were closed`],
      'pass the day to compare, such as --date yesterday',
    )
  if (countDays(days) > MAX_DAYS)
    throw usageFailure(
      [`the sales in ${name} were closed from ${days.from} to ${days.to}, which is more than ${MAX_DAYS} days`],
      'correct its times, or pass the day to compare, such as --date yesterday',
    )
  return days
}

async function reportDays({ say }: ReconcileParts, days: Days, place: string | null): Promise<void> {
  const zone = days.timezone ?? 'UTC, because no time zone is set'
  await say(`compared: sales closed ${formatDays(days)} (${zone})${place === null ? '' : ` with ${place}`}`)
}

async function showReport({ show, host, flags }: ReconcileParts, report: Report): Promise<void> {
  const differences = report.differences.map((one): PrintedDifference => {
    return { ...one, pos: textOf(one.pos), service: textOf(one.service), difference: unitsText(one.difference) }
  })
  if (show.isPlain) {
    if (differences.length > 0) {
      await show.text(await differenceLines(differences, host.stdoutScreen, flags['no-header'] === true))
      // With several venues, one statement for all of them is printed later, so print no blank line here.
      if (host.venue === undefined) await show.text('\n')
    }
    const rows = report.statement.map(({ kind, count, pos, service, difference }) => {
      return { kind, sales: count, pos: textOf(pos), service: textOf(service), difference: unitsText(difference) }
    })
    return show.all(rows, statementList)
  }
  if (show.format !== 'json' && !show.isQueried) return show.all(differences, reconciledList)
  const { pos, service, difference, byKind } = report.totals
  const totals = {
    ...{ pos: unitsText(pos), service: unitsText(service), difference: unitsText(difference) },
    byKind: Object.fromEntries(KINDS.map((kind) => [kind, unitsText(byKind[kind])])),
  }
  return show.one({ differences, totals }, { card: reconciledCard, list: reconciledList })
}

function textOf(units: bigint | null): string | null {
  return units === null ? null : unitsText(units)
}

function differenceFailure({ differences, totals }: Report, { flags }: ReconcileParts, isFixed: boolean): Failure {
  const kinds = KINDS.flatMap((kind) => {
    const count = differences.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [`${count} ${kind}`]
  })
  const isMissing = differences.some(({ kind }) => kind === 'missing')
  const hint = isFixed
    ? `check what sales import would submit, submit it, and compare again: ${formatCommand`sales import ${flags.fix ?? ''} --dry-run`}`
    : isMissing && flags.fix === undefined
      ? 'each row says what to do; --fix FILE writes the missing sales to a file for sales import'
      : 'each row says what to do'
  return new Failure('PARTIAL_FAILURE', `the books differ by ${unitsText(totals.difference)}: ${kinds.join(', ')}`, {
    hint,
    details: { differences: differences.length, difference: unitsText(totals.difference) },
  })
}
