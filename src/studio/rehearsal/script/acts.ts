import { isJsonObject } from '../../../base/json/exact.ts'
import { between, type Random } from '../../../sandbox/seed/random.ts'
import { type Stage, textIn, wireTime } from './stage.ts'

const MINUTE = 60_000

/** Guests with a booking, as the staff know them. */
export interface Party {
  readonly bookingId: string
  /** When they are expected, milliseconds since 1970. */
  starts: number
  /** Minutes. */
  readonly duration: number
  people: number
  /** The name of their table; empty: they have none. */
  table: string
  /** What becomes of them is drawn from this. */
  readonly random: Random
}

/** Sets the status of a booking. */
export async function setStatus(stage: Stage, { bookingId }: Party, status: string): Promise<void> {
  await stage.send({ method: 'PATCH', path: `/Bookings/${bookingId}/updatestatus`, body: { status } })
  if (status === 'NOSHOW') stage.tally.noShows++
  if (status === 'CANCELLED') stage.tally.cancelled++
}

/** A table, as the service names it. */
export interface FoundTable {
  readonly id: string
  readonly name: string
  readonly section: string
}

/** Finds a table that is free from now on and has room; null when there is none. `duration` in minutes. */
export async function findTable(
  { send, now }: Stage,
  people: number,
  duration: number,
  random: Random,
): Promise<FoundTable | null> {
  const { body } = await send({
    method: 'GET',
    path: '/Bookings/tables',
    query: { Date: wireTime(now()), Duration: String(duration) },
  })
  const sections = Array.isArray(body) ? body.filter(isJsonObject) : []
  const tables = sections.flatMap((section) => {
    const list = section['tables']
    return Array.isArray(list) ? list.filter(isJsonObject) : []
  })
  const fitting = tables.filter(
    ({ capacity, minCapacity }) => Number(capacity) >= people && Number(minCapacity) <= people,
  )
  const found = fitting[Math.floor(random() * fitting.length)]
  return found ? { id: textIn(found, '_id'), name: textIn(found, 'name'), section: textIn(found, 'sectionName') } : null
}

/** Draws a time of whole milliseconds: minutes, and some seconds, as life is not on the minute. */
export function minutes(random: Random, least: number, most: number): number {
  return between(random, least, most) * MINUTE + between(random, 0, MINUTE - 1)
}
