import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { formatCount } from '../../../base/counted.ts'
import { parseDuration } from '../../../base/time/duration.ts'
import { isWholeDay } from '../../../base/time/instant.ts'
import { dateIn } from '../../../base/time/zone.ts'
import { SYDNEY } from '../../../sandbox/venue/zone.ts'
import type { Speed } from '../../../studio/rehearsal/clock-driver.ts'
import { findDay, type RehearsedDay } from '../../../studio/rehearsal/day.ts'
import { checkCopyLocation } from '../../../sync/comparing/read-copy.ts'
import { type FlagValues, flag, toggle } from '../../../terminal/input/flags.ts'
import type { Problems } from '../../../terminal/input/problems.ts'

export const REHEARSAL_FLAGS = {
  day: flag('DATE', "The day in the venue's calendar, such as 2026-12-18 (default: today)."),
  speed: flag(
    'N|max',
    'Speed relative to real time, or max to run without waiting (default: 60, one minute per second).',
  ),
  seed: flag('N', 'Random seed for the venue and its day; the same seed produces the same day (default: 1).'),
  faults: flag('PERCENT', "Make this percentage of your integration's requests fail or take longer (default: 0)."),
  'webhook-faults': flag('PERCENT', 'Deliver this percentage of webhooks twice, late or never (default: 0).'),
  webhooks: flag('URL', 'Subscribe this address to all events.'),
  wait: toggle('Start the day when your integration makes its first request.'),
  report: flag(
    'WHERE',
    "At the end, compare your integration's copy (http://…, a file, x.db or postgres://…) with the venue.",
  ),
  source: flag('NAME', 'The source to compare, if the database contains several.'),
  settle: flag('DUR', 'How long to wait at the end for your integration to catch up (default: 10s).'),
  port: flag('N', 'Port to listen on (default: a free one).'),
  data: flag('DIR', 'Store the venue in DIR, which must not already contain a venue (default: in memory).'),
} as const

type RehearsalFlags = Partial<FlagValues<typeof REHEARSAL_FLAGS>>

/** The values of the flags. Fault rates are percentages. */
export type RehearsalSettings = ReturnType<typeof readRehearsalFlags>

const ZONE = SYDNEY

const DEFAULTS = { speed: 60, seed: 1, settleMs: 10_000 } as const
/** The length of the active part of a day, in minutes. */
const AWAKE_MINUTES = 15 * 60
/** The maximum speed. At this speed, a day takes half a second. */
const FASTEST = 100_000
const MAX_SETTLE_MS = 3_600_000

/** Reads the flags. `now` is this machine's time. Throws a USAGE error that lists all problems. */
export function readRehearsalFlags(flags: RehearsalFlags, now: number, problems: Problems) {
  const day = readDay(flags.day ?? 'today', now, problems)
  const speed = readSpeed(flags.speed, problems)
  const share = (name: 'faults' | 'webhook-faults') => readShare(`--${name}`, flags[name], problems)
  const settings = {
    speed,
    seed: problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295) ?? DEFAULTS.seed,
    faults: share('faults'),
    webhookFaults: share('webhook-faults'),
    webhookUrl: flags.webhooks ?? null,
    settleMs:
      flags.settle === undefined
        ? DEFAULTS.settleMs
        : (problems.check(() => parseDuration(flags.settle ?? '', '--settle', { maxMs: MAX_SETTLE_MS })) ?? 0),
    port: problems.wholeNumber('--port', flags.port, 0, 65_535) ?? 0,
    data: flags.data ?? ':memory:',
  }
  if (flags.webhooks !== undefined && !/^https?:\/\/[^/]/.test(flags.webhooks))
    problems.add(`--webhooks must be an http:// or https:// address, not ${JSON.stringify(flags.webhooks)}`)
  const { report } = flags
  if (report !== undefined) problems.check(() => checkCopyLocation(report))
  for (const name of ['settle', 'source'] as const)
    if (flags[name] !== undefined && report === undefined) problems.add(`--${name} needs --report`)
  if (flags.data === '') problems.add('--data must not be empty', 'pass a directory')
  else if (flags.data !== undefined && existsSync(join(flags.data, 'sandbox.db')))
    problems.add(
      `--data ${flags.data} already has a venue, and a rehearsal needs a new one`,
      'choose another directory',
    )
  return { ...settings, day: problems.valueOrThrow(day) }
}

/** Returns a message about how long the day takes, or `null` if it takes less than a minute. */
export function durationNotice({ speed }: RehearsalSettings, isSpeedGiven: boolean): string | null {
  const minutes = speed === 'max' ? 0 : Math.round(AWAKE_MINUTES / speed)
  if (minutes < 1) return null
  const takes = `the day takes about ${formatCount(minutes, 'minute')}`
  return isSpeedGiven ? takes : `${takes}; --speed max runs it without waiting`
}

function readDay(text: string, now: number, problems: Problems): RehearsedDay | undefined {
  const typed = text.trim().toLowerCase()
  const named = ['yesterday', 'today', 'tomorrow'].indexOf(typed)
  const day = isWholeDay(typed) ? findDay(named < 0 ? typed : dateIn(now, ZONE.name, named - 1), ZONE) : null
  if (day !== null) return day
  problems.add(
    `--day: ${JSON.stringify(text)} is not a date from 1971 to 8999`,
    'use a date such as 2026-12-18, or yesterday, today or tomorrow',
  )
  return undefined
}

function readSpeed(text: string | undefined, problems: Problems): Speed {
  if (text === undefined) return DEFAULTS.speed
  const typed = text.trim().toLowerCase()
  if (typed === 'max') return 'max'
  const speed = /^\d{1,6}(?:\.\d{1,3})?$/.test(typed) ? Number(typed) : 0
  if (speed > 0 && speed <= FASTEST) return speed
  problems.add(
    `--speed must be a number above 0 and up to ${FASTEST}, or max, not ${JSON.stringify(text)}`,
    'at speed 60, a minute at the venue takes a second',
  )
  return DEFAULTS.speed
}

function readShare(name: string, text: string | undefined, problems: Problems): number {
  if (text === undefined) return 0
  const share = /^\d{1,3}(?:\.\d{1,3})?%?$/.test(text.trim()) ? Number.parseFloat(text) : Number.NaN
  if (share >= 0 && share <= 100) return share
  problems.add(`${name} must be a percentage from 0 to 100, not ${JSON.stringify(text)}`)
  return 0
}
