import { MAX_HOURS, MAX_ROWS, SLOT_MINUTES, SLOTS_AN_HOUR } from '../grid-style.ts'
import type { DiaryBooking } from './read.ts'

/** A group of rows in the grid. It contains the bookings of one table, or all bookings without a table. */
export interface GridRow {
  /** The table ID, or `null` for the bookings without a table. */
  readonly tableId: string | null
  /** The number of the group's first row. It is at least 2, because row 1 contains the hours. */
  readonly row: number
  /** The number of rows in the group. It is the maximum number of bookings that overlap, but at least 1. */
  readonly tall: number
}

/**
 * A booking's position in the grid. A booking has one at each of its tables, and `again` is true for all but the first.
 */
export type GridPlace = Readonly<ReturnType<typeof layOut>['places'][number]>

/** The grid always shows at least these hours. */
const DEFAULT_FROM_HOUR = 11
const DEFAULT_TO_HOUR = 23
/** The minimum width of a booking, in columns. It corresponds to half an hour and leaves room for a name. */
const FEWEST_SLOTS = 6
/** Bookings without a table are shown above the tables if they need at most this many rows, otherwise below. */
const FEW_ROWS = 3
const NO_TABLE = ''

/**
 * Arranges a day's bookings in a grid. There is a group of rows for each table, in the given order, and a group for
 * bookings without a table.
 */
export function layOut(bookings: readonly DiaryBooking[], tableIds: readonly string[]) {
  const from = Math.min(DEFAULT_FROM_HOUR * 60, ...bookings.map(({ fromMinute }) => fromMinute))
  const firstHour = Math.max(0, Math.floor(from / 60))
  const to = Math.max(DEFAULT_TO_HOUR * 60, ...bookings.map(({ toMinute }) => toMinute))
  const hours = Math.min(MAX_HOURS, Math.ceil(to / 60) - firstHour)
  const known = new Set(tableIds)
  const perTable = new Map([NO_TABLE, ...tableIds].map((id): [string, number[]] => [id, []]))
  const placed = bookings.flatMap((booking) => {
    const column = slotOf(booking.fromMinute, firstHour)
    const room = hours * SLOTS_AN_HOUR - column
    const wanted = Math.ceil(booking.toMinute / SLOT_MINUTES) - Math.floor(booking.fromMinute / SLOT_MINUTES)
    const slots = Math.max(1, Math.min(room, Math.max(FEWEST_SLOTS, wanted)))
    const own = booking.tableIds.filter((id) => known.has(id))
    return (own.length === 0 ? [NO_TABLE] : own).map((id, at) => {
      const lane = reserveLane(perTable.get(id) ?? [], column, column + slots)
      return { booking, column, slots, id, lane, again: at > 0 }
    })
  })
  const rows: GridRow[] = []
  let next = 2
  const isFew = (perTable.get(NO_TABLE)?.length ?? 0) <= FEW_ROWS
  for (const id of isFew ? [NO_TABLE, ...tableIds] : [...tableIds, NO_TABLE]) {
    const tall = perTable.get(id)?.length ?? 0
    if (id === NO_TABLE && tall === 0) continue
    rows.push({ tableId: id === NO_TABLE ? null : id, row: next, tall: Math.max(1, tall) })
    next += Math.max(1, tall)
  }
  const firstRow = new Map(rows.map(({ tableId, row }) => [tableId ?? NO_TABLE, row]))
  const rowOf = (id: string, lane: number) => Math.min(MAX_ROWS, (firstRow.get(id) ?? 2) + lane)
  const places = placed.map(({ id, lane, ...place }) => ({ ...place, row: rowOf(id, lane) }))
  return { firstHour, hours, rows, places }
}

function slotOf(minute: number, firstHour: number): number {
  const slot = Math.floor(minute / SLOT_MINUTES) - firstHour * SLOTS_AN_HOUR
  return Math.min(MAX_HOURS * SLOTS_AN_HOUR - 1, Math.max(0, slot))
}

/**
 * Reserves a row from column `start` to `end` and returns its index. Adds a row if none is free. `lanes` contains the
 * column at which each row becomes free.
 */
function reserveLane(lanes: number[], start: number, end: number): number {
  const free = lanes.findIndex((until) => until <= start)
  const lane = free === -1 ? lanes.length : free
  lanes[lane] = end
  return lane
}
