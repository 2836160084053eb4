import { tryParseDuration } from '../../base/time/duration.ts'
import { parseInstant } from '../../base/time/instant.ts'
import { SYDNEY } from '../../sandbox/venue/zone.ts'
import { type FlagValues, flag, toggle } from '../../terminal/input/flags.ts'
import type { Problems } from '../../terminal/input/problems.ts'

export const VENUE_FLAGS = {
  seed: flag('N', 'The random seed for a new venue; the same seed produces the same venue.'),
  clock: flag('TIME', "Set the venue's clock to TIME; it keeps running from there."),
  'clock-frozen': toggle('Freeze the clock.'),
  snapshot: flag(
    'NAME|FILE',
    'Start with this snapshot (see sandbox snapshot list); its clock continues from the saved time.',
  ),
  'rate-limit': flag(
    'COUNT/MS',
    'Allow COUNT requests per MS milliseconds for each endpoint and key (default: no limit).',
  ),
  'list-unlinked-sales': toggle('Make GET /Sales also list sales that are not linked to a booking.'),
} as const

export type VenueFlags = Partial<FlagValues<typeof VENUE_FLAGS>>

/**
 * Reads the flags and adds any problems. `now` is this machine's time. `timezone` is the venue's time zone, if it is
 * known.
 */
export function parseVenueFlags(flags: VenueFlags, now: number, problems: Problems, timezone?: string | undefined) {
  const seed = problems.wholeNumber('--seed', flags.seed, 0, 4_294_967_295)
  if (flags.seed !== undefined && flags.snapshot !== undefined)
    problems.add('--seed and --snapshot cannot be used together', 'a snapshot already contains a venue: omit --seed')
  if (flags.snapshot === '') problems.add('--snapshot must not be empty', 'see partner sandbox snapshot list')
  const startAt =
    flags.clock === undefined ? undefined : parseSandboxTime(flags.clock, '--clock', now, problems, timezone)
  const frozen = flags['clock-frozen'] ?? false
  const rateLimit = flags['rate-limit'] === undefined ? undefined : readRateLimit(flags['rate-limit'], problems)
  const clock = startAt === undefined && !frozen ? undefined : { startAt, frozen }
  return { seed, clock, rateLimit, listUnlinkedSales: flags['list-unlinked-sales'] }
}

/** The range of times that the service supports. */
const EARLIEST = Date.UTC(1970, 0, 1)
const LATEST = Date.UTC(9000, 0, 1)

/**
 * Parses a time and returns it in milliseconds since 1970. If the time is invalid, adds a problem and returns
 * `undefined`. `now` is this machine's time.
 */
export function parseSandboxTime(
  text: string,
  flag: string,
  now: number,
  problems: Problems,
  timezone: string = SYDNEY.name,
): number | undefined {
  if (tryParseDuration(text.trim()) !== null) {
    problems.add(
      `${flag}: ${JSON.stringify(text)} could be in the past or the future`,
      `write -${text.trim()} for a time in the past, or +${text.trim()} for a time in the future`,
    )
    return undefined
  }
  const at = problems.check(() => parseInstant(text, { now, timezone, edge: 'lower', flag }))
  if (at === undefined || (at >= EARLIEST && at <= LATEST)) return at
  problems.add(`${flag}: ${JSON.stringify(text)} must be between the years 1970 and 9000`)
  return undefined
}

function readRateLimit(text: string, problems: Problems) {
  const [, count = '0', window = '0'] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? []
  const limit = { count: Number(count), windowMs: Number(window) }
  if (limit.count > 0 && limit.windowMs > 0) return limit
  problems.add(
    `--rate-limit must be COUNT/MS, both above 0, not ${JSON.stringify(text)}`,
    'for example --rate-limit 10/1000, which allows ten requests per second',
  )
  return undefined
}
