import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../../../base/attempt.ts'
import { formatCount } from '../../../../base/counted.ts'
import { quoteShellWord } from '../../../../base/failure/shell-word.ts'
import { DAY_MS } from '../../../../base/time/units.ts'
import { companionFiles } from '../../../../sync/files/file-location.ts'
import { readState } from '../../../../sync/files/file-state.ts'
import { readInstant } from '../../../../sync/reading/sync-record.ts'
import { type ClosedPart, closedPartsOf, dayOf } from '../../../../webhooks/events/journal/closed-days.ts'
import { defaultJournal, pastListeners } from '../../../../webhooks/listener/listeners.ts'
import type { Examination, Section } from '../examination.ts'
import { type Finding, ok, skip, warn } from '../finding.ts'
import { diskUsageCommand, freeBytes, sizeText } from '../machine.ts'
import { bytesSince } from './recent-bytes.ts'

const GROWTH = 'growth'
/** The doctor warns if a disk will be full within this number of days. */
const WARNED_DAYS = 7
/** The warnings name only files that cause at least this fraction of their disk's growth. */
const NAMED_FRACTION = 0.1
/** The number of days that the doctor suggests for `--keep` if none is set. */
const KEPT_DAYS = 90

/** A growing file. `next` is the command that the doctor suggests for it. */
interface GrowingFile {
  readonly path: string
  /** The growth in bytes per day. */
  readonly bytesPerDay: number
  readonly next: string
}

/**
 * Warns about journals and logs that will fill their disk within a week. The growth is the number of bytes that were
 * added in the last day, according to the times in the lines.
 */
export const growthSection: Section = {
  rows: [GROWTH],
  needs: [],
  *examine(given) {
    const files = [...journals(given), ...logs(given)]
    if (files.length === 0) return yield skip(GROWTH, 'there is no journal, and no .ndjson copy was given')
    const disks = Map.groupBy(files, ({ path }) => statSync(dirname(path)).dev)
    const findings = [...disks.values()].flatMap(diskFindings)
    if (findings.length > 0) return yield* findings
    const [are, fill] = files.length === 1 ? ['journal or log', 'does'] : ['journals and logs', 'do']
    yield ok(GROWTH, `${files.length} ${are} ${fill} not fill a disk within a week at the last day's rate`)
  },
}

/** Returns the warnings about the files on one disk. */
function diskFindings(files: readonly GrowingFile[]): Finding[] {
  const free = freeBytes(dirname(files[0]?.path ?? ''))
  const total = files.reduce((sum, { bytesPerDay }) => sum + bytesPerDay, 0)
  if (free === null || total === 0 || free >= total * WARNED_DAYS) return []
  const days = Math.floor(free / total)
  const when = days < 1 ? 'within a day' : `in ${formatCount(days, 'day')}`
  return files
    .filter(({ bytesPerDay }) => bytesPerDay >= total * NAMED_FRACTION)
    .sort((a, b) => b.bytesPerDay - a.bytesPerDay)
    .map(({ path, bytesPerDay, next }) => {
      const grows = `${path} grows by ${sizeText(bytesPerDay)} a day`
      return warn(GROWTH, `${grows}; its disk has ${sizeText(free)} free and will be full ${when}`, next)
    })
}

/** Returns the journals of all listeners that have run on this machine. */
function journals({ around: { env, now } }: Examination): GrowingFile[] {
  const usual = { journal: defaultJournal(env), keepMs: null }
  const all = new Map([usual, ...pastListeners(env)].map((one) => [one.journal, one.keepMs]))
  return [...all].flatMap(([path, keepMs]) => {
    if (!existsSync(path)) return []
    const bytesPerDay = keepMs === null ? recentBytes(path, now(), deliveryTime) : keptBytes(path, keepMs, now())
    // If old deliveries are already dropped, suggest keeping them for half as long.
    const days = keepMs === null ? KEPT_DAYS : Math.max(1, Math.floor(keepMs / DAY_MS / 2))
    return [{ path, bytesPerDay, next: `partner webhooks listen --journal ${quoteShellWord(path)} --keep ${days}d` }]
  })
}

/**
 * Returns the daily growth of a journal that compresses past days and drops them after `keepMs`. Returns 0 once the
 * oldest day is about to be dropped, because the journal then stops growing.
 */
function keptBytes(path: string, keepMs: number, nowMs: number): number {
  const today = recentBytes(path, nowMs, deliveryTime)
  // The current day's file is not compressed yet. If it can fill the disk by itself, the other files do not matter.
  if (today > (freeBytes(dirname(path)) ?? Number.POSITIVE_INFINITY)) return today
  const parts = attempt(() => closedPartsOf(path), [])
  const [oldest, newest] = [parts[0], parts.at(-1)]
  if (oldest === undefined || newest === undefined || oldest.day <= dayOf(nowMs - keepMs)) return 0
  return parts.filter(({ day }) => day === newest.day).reduce((sum, part) => sum + sizeOf(part), 0)
}

function sizeOf({ plain, compressed, hasCompressed }: ClosedPart): number {
  return attempt(() => statSync(hasCompressed ? compressed : plain).size, 0)
}

/** Returns the local copies that are .ndjson files. */
function logs({ syncTargets, around: { now } }: Examination): GrowingFile[] {
  return syncTargets.flatMap((path) => {
    if (!path.endsWith('.ndjson') || !existsSync(path)) return []
    const state = attempt(() => readState(companionFiles(path).state), null)
    const isOfBookings = state !== null && state !== 'damaged' && state.resource === 'bookings'
    const next = isOfBookings
      ? `partner bookings sync compact ${quoteShellWord(path)}`
      : diskUsageCommand(dirname(path))
    return [{ path, bytesPerDay: recentBytes(path, now(), changeTime), next }]
  })
}

function recentBytes(path: string, nowMs: number, timeOf: (line: string) => number | null): number {
  return attempt(() => bytesSince(path, nowMs - DAY_MS, timeOf), 0)
}

function deliveryTime(line: string): number | null {
  return timeIn(/^\{"time":"([^"]{1,40})"/, line)
}

function changeTime(line: string): number | null {
  return timeIn(/"lastModifiedDate" ?: ?"([^"]{1,40})"/, line)
}

function timeIn(pattern: RegExp, line: string): number | null {
  const text = pattern.exec(line)?.[1]
  return text === undefined ? null : readInstant(text)
}
