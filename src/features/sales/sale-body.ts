import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/exact.ts'
import { valueAt } from '../../base/json/paths.ts'
import { toWireTime } from '../../base/time/instant.ts'
import { hasOffset, parseWireTime } from '../../base/time/wire-time.ts'
import type { Problems } from '../../terminal/input/problems.ts'

/**
 * Adds the members that are missing: type `SALE`, source `POS`, and an opening time. The opening time is the closing
 * time, or `now` if there is none.
 */
export function withSaleDefaults(body: JsonObject, now: number): JsonObject {
  const source = body['source'] ?? {}
  const closed = body['closedZonedDateTime']
  return {
    ...body,
    source: isJsonObject(source) ? { type: 'POS', ...source } : source,
    type: body['type'] ?? 'SALE',
    openedZonedDateTime: body['openedZonedDateTime'] ?? (isText(closed) ? closed : toWireTime(now)),
  }
}

/** Adds empty parent objects for required members, so that validation names each missing member. */
export function withRequiredParents(body: JsonObject): JsonObject {
  return { origin: {}, staff: {}, table: {}, ...body }
}

type TimeFlags = { readonly [F in 'opened' | 'closed']?: string | undefined }

/**
 * Checks that a sale was opened before it was closed. `flags` contains the times as typed, or is `null` for a sale in a
 * file.
 */
export function checkSaleTimes(body: JsonObject, problems: Problems, flags: TimeFlags | null): void {
  const [opened, closed] = [body['openedZonedDateTime'], body['closedZonedDateTime']]
  // A time without an offset can be compared only with another time without an offset.
  if (!isText(opened) || !isText(closed) || hasOffset(opened) !== hasOffset(closed)) return
  const [first, last] = flags ? ['--opened', '--closed'] : ['openedZonedDateTime', 'closedZonedDateTime']
  if (parseWireTime(opened) > parseWireTime(closed))
    problems.add(
      `${first} ${quoteIfSpaced(flags?.opened ?? opened)} is after ${last} ${quoteIfSpaced(flags?.closed ?? closed)}`,
      'a sale must be opened before it is closed; nothing was sent',
    )
}

function quoteIfSpaced(text: string): string {
  return /\s/.test(text) ? JSON.stringify(text) : text
}

/** Returns whether a sale names a booking or a table, which lets the service link the sale. */
export function isLinked(body: JsonObject): boolean {
  return [body['bookingId'], valueAt(body, 'table.number')].some((name) => (name ?? '') !== '')
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
