import { secondsOnly } from '../../../base/time/booking-time.ts'
import { formatInZone, instantsOf } from '../../../base/time/zone.ts'
import type { Named } from '../../../client/named.ts'
import type { FreeTable, Offer, ScheduleSeen } from '../../shared/venue.ts'
import type { Explained } from './output.ts'
import { isSuitable } from './place.ts'
import type { VenueContext } from './venue-context.ts'

type NearTime = Explained['nearest'][number]

/** The desired service, section and tables. Suggestions that match them come first. */
export interface DesiredPlace {
  readonly serviceId: string | null
  readonly sectionId: string
  /** The requested tables, which are all in the desired section. */
  readonly tables: readonly FreeTable[]
}

const MAX_SUGGESTIONS = 5
/**
 * The maximum number of candidate times to check with the service if the schedule does not show whether they are free.
 */
const MAX_CHECKED = 8

/**
 * Finds the possible times that are nearest to the requested time. Times in the same service and section come first,
 * then other sections, then other services.
 */
export async function findNearest(context: VenueContext, wish: DesiredPlace): Promise<readonly NearTime[]> {
  const here = await findNearestIn(context, [context.day], wish)
  const own = here.filter((one) => one.serviceId === wish.serviceId && one.sectionId === wish.sectionId)
  return own.length >= 3 ? here : findNearestIn(context, [context.day, await context.week()], wish)
}

async function findNearestIn(
  context: VenueContext,
  seen: readonly ScheduleSeen[],
  wish: DesiredPlace,
): Promise<NearTime[]> {
  const found: NearTime[] = []
  const asks = wish.tables.length > 0 || context.asked.minutes !== null
  for (const [at, candidate] of candidatesIn(seen, wish, context.asked.atMs).entries()) {
    const { offer, section, startMs } = candidate
    if (found.length === MAX_SUGGESTIONS || (asks && at === MAX_CHECKED)) break
    if (asks && !(await hasRoom(context, candidate, wish.tables))) continue
    found.push({
      time: formatTimeFlag(startMs, context.timezone),
      timeUtc: secondsOnly(startMs),
      serviceId: offer.id,
      serviceName: offer.names[0] ?? offer.id,
      sectionId: section.id,
      sectionName: section.names[0] ?? section.id,
    })
  }
  return found
}

/**
 * Returns whether the requested tables are free for the whole booking. If no tables are requested, one suitable table
 * in the section is enough.
 */
async function hasRoom(context: VenueContext, { offer, section, startMs }: Candidate, tables: readonly FreeTable[]) {
  const minutes = context.minutesIn(offer)
  // For bookings that are no longer than the service's default duration, the schedule already shows what is free.
  if (tables.length === 0 && minutes <= (offer.minutes ?? minutes)) return true
  const free = await context.free(minutes, startMs)
  if (tables.length > 0) return tables.every(({ id }) => free.some((table) => table.id === id))
  return free.some((table) => table.sectionId === section.id && isSuitable(table, context.asked.people))
}

interface Candidate {
  readonly offer: Offer
  readonly section: Named
  readonly startMs: number
  /**
   * The rank: 0 if the service and section are the desired ones, 1 if only the section differs, 2 if the service
   * differs.
   */
  readonly tier: number
}

function candidatesIn(seen: readonly ScheduleSeen[], wish: DesiredPlace, atMs: number): Candidate[] {
  const all = new Map<string, Candidate>()
  for (const offer of seen.flatMap(({ offers }) => offers))
    for (const { atMs: startMs, isFree, sections } of offer.times) {
      const key = `${startMs} ${offer.id}`
      if (!isFree || all.has(key)) continue
      const open = offer.sections.filter(({ id }) => sections?.has(id) ?? true)
      const own = open.find(({ id }) => id === wish.sectionId)
      const section = own ?? (wish.tables.length > 0 ? undefined : open[0])
      if (section === undefined || (startMs === atMs && offer.id === wish.serviceId && own !== undefined)) continue
      const tier = offer.id !== wish.serviceId ? 2 : own === undefined ? 1 : 0
      all.set(key, { offer, section, startMs, tier })
    }
  const away = ({ startMs }: Candidate) => Math.abs(startMs - atMs)
  return [...all.values()].sort((a, b) => a.tier - b.tier || away(a) - away(b) || a.startMs - b.startMs)
}

/**
 * Formats an instant as a value for `--time`: a local time at the venue, or UTC if the local time would be ambiguous or
 * the time zone is unknown.
 */
function formatTimeFlag(atMs: number, timezone: string | null): string {
  const local = formatInZone(atMs, timezone).slice(0, 16)
  const isPlain = timezone !== null && instantsOf(local.replace(' ', 'T'), timezone).length === 1
  return isPlain ? local : secondsOnly(atMs)
}
