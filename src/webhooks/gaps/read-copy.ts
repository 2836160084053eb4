import { usageFailure } from '../../base/failure/failure.ts'
import { formatCommand } from '../../base/failure/suggested.ts'
import { isJsonObject, parseExact } from '../../base/json/exact.ts'
import { parseJson } from '../../base/json/parse.ts'
import type { CardChange } from '../../sync/copy.ts'
import type { CopyToRead } from '../../sync/open-target.ts'
import { topStrings } from '../../sync/reading/top-members.ts'
import { parseMemo } from '../../sync/running/memo.ts'
import { CLOCK_SKEW_MS } from './arrivals.ts'
import type { BookingVersions, Span } from './change.ts'

interface CopiedBooking extends BookingVersions {
  readonly versionsMs: number[]
  readonly locationId: string | null
}

/**
 * Returns the period for which a copy contains all changes. Throws USAGE if the copy is empty or does not contain
 * bookings.
 */
export async function knownSpan(copy: CopyToRead, source: string): Promise<Span> {
  const state = await copy.state()
  if (state !== null && state.resource !== 'bookings')
    throw usageFailure(
      [`${copy.name} contains the ${state.resource} of ${state.source}, not bookings`],
      'use a copy of the bookings instead',
    )
  const whose = source === '' ? '' : ` of ${source}`
  if (state?.cursorMs == null)
    throw usageFailure(
      [`${copy.name} contains no copy of the bookings${whose}`],
      `create it: ${formatCommand`bookings sync --to ${copy.name}`}`,
    )
  return { fromMs: parseMemo(state.memo).sinceMs ?? Number.NEGATIVE_INFINITY, toMs: state.cursorMs }
}

/**
 * Reads the IDs of all venues, and the bookings that changed since `fromMs` or that `isIncluded` accepts. Throws if the
 * copy cannot be read.
 */
export async function readBookings(
  copy: CopyToRead,
  fromMs: number,
  isIncluded: (id: string) => boolean,
  signal: AbortSignal,
) {
  const byId = new Map<string, CopiedBooking>()
  const locations = new Map<string, string>()
  for await (const batch of copy.records('all')) {
    signal.throwIfAborted()
    for (const { id, changedMs, text } of batch) {
      const [bookedAt, locationId] = topStrings(text, ['bookedAt', 'locationId']) ?? parsedStrings(text)
      if (locationId && !locations.has(locationId)) locations.set(ownText(locationId), ownText(locationId))
      if (id === null || changedMs === null) continue
      const bookedMs = bookedAt === undefined ? Number.NaN : Date.parse(bookedAt)
      const known = byId.get(id)
      if (known === undefined && changedMs < fromMs && !(bookedMs >= fromMs) && !isIncluded(id)) continue
      if (known !== undefined) known.versionsMs.push(changedMs)
      else
        byId.set(ownText(id), {
          bookedMs: Number.isNaN(bookedMs) ? null : bookedMs,
          versionsMs: [changedMs],
          locationId: locationId ? (locations.get(locationId) ?? null) : null,
        })
    }
  }
  return { byId, locations: new Set(locations.values()) }
}

/** Copies a substring, so that it does not keep the whole original text in memory. */
function ownText(part: string): string {
  return parseJson(JSON.stringify(part))
}

function parsedStrings(text: string): (string | undefined)[] {
  const value = parseExact(text)
  const members = isJsonObject(value) ? [value['bookedAt'], value['locationId']] : []
  return members.map((member) => (typeof member === 'string' ? member : undefined))
}

/**
 * Reads changes to gift cards. `range` is the time from the first to the last snapshot in the given period, or `null`
 * if the period contains fewer than two. Throws if the copy cannot be read.
 */
export async function readCards(copy: CopyToRead, { fromMs, toMs }: Span) {
  const firstMs = fromMs - CLOCK_SKEW_MS
  const { takenMs = [], changes = [] } = (await copy.snapshots?.(firstMs)) ?? {}
  const byNumber: Map<string, readonly CardChange[]> = Map.groupBy(changes, ({ id }) => id)
  const asked = takenMs.filter((ms) => ms >= firstMs && ms <= toMs)
  const range = asked.length > 1 ? spanOf(asked) : null
  return { byNumber, known: spanOf(takenMs), range, snapshots: asked.length }
}

function spanOf(times: readonly number[]): Span {
  return { fromMs: times[0] ?? 0, toMs: times.at(-1) ?? 0 }
}
