import { formatInZone, instantsOf } from '../../../base/time/zone.ts'
import type { Occasion } from './asked.ts'
import type { FreeTable, Offer, ScheduleSeen } from './venue.ts'

/** A time at which the request would be accepted. */
export interface NearTime {
  /** As `--time` takes it: on the venue's clock, or in UTC where that shows it twice or its zone is not known. */
  readonly time: string
  readonly atMs: number
  readonly serviceId: string
  readonly serviceName: string
  readonly sectionId: string
  readonly sectionName: string
}

/** What is looked for beside the time. */
export interface Wish {
  readonly serviceId: string | null
  readonly sectionId: string
  /** Whether only that section will do, as its tables are named. */
  readonly isFixed: boolean
}

/** So many are named at most. */
const MOST = 5
/** Of so many it is asked whether they would do, where the schedule does not tell. */
const MOST_ASKED = 8

/**
 * The times that would do: of the same service and section first, then of other sections, then of other services; each group by
 * how near they are. `isRoom` asks about one that the schedule cannot tell; null: it tells all.
 */
export async function nearestTimes(
  { atMs, timezone }: Occasion,
  seen: readonly ScheduleSeen[],
  wish: Wish,
  isRoom: ((offer: Offer, sectionId: string, atMs: number) => Promise<boolean>) | null,
): Promise<NearTime[]> {
  const found: NearTime[] = []
  let asked = 0
  for (const candidate of candidatesIn(seen, wish, atMs)) {
    const { offer, section, startMs } = candidate
    if (found.length === MOST || asked === MOST_ASKED) break
    if (isRoom !== null) {
      asked++
      if (!(await isRoom(offer, section.id, startMs))) continue
    }
    found.push({
      time: timeValue(startMs, timezone),
      atMs: startMs,
      serviceId: offer.id,
      serviceName: offer.names[0] ?? offer.id,
      sectionId: section.id,
      sectionName: section.names[0] ?? section.id,
    })
  }
  return found
}

/** Whether the tables that are named, or else one of the section, are among those that are free. */
export function isRoomAmong(
  free: readonly FreeTable[],
  named: readonly FreeTable[],
  fits: (table: FreeTable) => boolean,
): boolean {
  if (named.length > 0) return named.every(({ id }) => free.some((table) => table.id === id))
  return free.some(fits)
}

interface Candidate {
  readonly offer: Offer
  readonly section: { readonly id: string; readonly names: readonly string[] }
  readonly startMs: number
  /** 0 is the nearest to what was asked for. */
  readonly tier: number
}

function candidatesIn(seen: readonly ScheduleSeen[], wish: Wish, atMs: number): Candidate[] {
  const all = new Map<string, Candidate>()
  for (const offer of seen.flatMap(({ offers }) => offers))
    for (const { atMs: startMs, isFree, sections } of offer.times) {
      const key = `${startMs} ${offer.id}`
      if (!isFree || all.has(key)) continue
      const open = offer.sections.filter(({ id }) => sections?.has(id) ?? true)
      const own = open.find(({ id }) => id === wish.sectionId)
      const section = own ?? (wish.isFixed ? undefined : open[0])
      if (section === undefined || (startMs === atMs && offer.id === wish.serviceId && own !== undefined)) continue
      const tier = offer.id !== wish.serviceId ? 2 : own === undefined ? 1 : 0
      all.set(key, { offer, section, startMs, tier })
    }
  const away = ({ startMs }: Candidate) => Math.abs(startMs - atMs)
  return [...all.values()].sort((a, b) => a.tier - b.tier || away(a) - away(b) || a.startMs - b.startMs)
}

function timeValue(atMs: number, timezone: string | null): string {
  const local = formatInZone(atMs, timezone).slice(0, 16)
  const isPlain = timezone !== null && instantsOf(local.replace(' ', 'T'), timezone).length === 1
  return isPlain ? local : `${new Date(atMs).toISOString().slice(0, 19)}Z`
}
