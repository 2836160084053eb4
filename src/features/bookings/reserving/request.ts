import { Failure } from '../../../base/failure/failure.ts'
import type { JsonObject, JsonValue } from '../../../base/json/exact.ts'
import { valueAt } from '../../../base/json/paths.ts'
import type { Answer } from '../../../client/calls/answer.ts'
import type { Named } from '../../../client/named.ts'
import type { Schema } from '../../../contract/shapes/schema.ts'
import { buildBody, type ExtraBody } from '../../../terminal/input/body.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { validate } from '../../../terminal/input/validate.ts'
import { plainText } from '../../../terminal/render/text/plain-text.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { dateOf, lookUp, type Occasion } from '../../shared/look-up.ts'
import { buildReservationMembers, RESERVATION_FLAG_NAMES, type ReservationFlags } from './flags.ts'
import { checkTimeGiven, instantOf, readTimeFlags, withTime } from './time.ts'

export type RequestFlags = ReservationFlags & ExtraBody & { readonly 'no-validate'?: boolean | undefined }

/** A request before names are looked up. With `--no-validate`, it is sent as typed, without any checks. */
type TypedRequest = Awaited<ReturnType<typeof readRequest>>

/** Builds a request from flags and a body, and checks it locally. Throws a USAGE error that lists all problems. */
export async function readRequest(body: Schema, flags: RequestFlags, parts: RunParts, hint: string) {
  const { given, time, timezone, isChecked } = await readMembers(flags, parts, hint, async (members, problems) => {
    if (flags['no-validate']) return
    await validate(body, members, RESERVATION_FLAG_NAMES, problems)
    checkTimeGiven(members, problems)
  })
  const asked = withTime(given, time.members)
  const occasion: Occasion = { at: instantOf(asked, timezone), people: asked['numOfPeople'], timezone }
  return { asked, occasion, isChecked }
}

/** Reads the time and the other members of a request. Calls `check` before it needs a profile. Throws USAGE. */
export async function readMembers(
  flags: RequestFlags,
  { connection, host, warn }: RunParts,
  hint: string | undefined,
  check: (given: JsonObject, problems: Problems) => Promise<void>,
) {
  const problems = new Problems()
  const isChecked = !flags['no-validate']
  const typed = isChecked ? problems : new Problems()
  const now = host.now()
  // Parse the time without a time zone first, so that mistakes are reported even if no profile is configured.
  const { members } = readTimeFlags(flags, { now, timezone: null }, typed)
  const given = await buildBody(flags, { ...buildReservationMembers(flags, typed), ...members }, problems)
  await check(given, problems)
  problems.throwIfAny(hint)
  const timezone = await connection.timezone()
  const time = readTimeFlags(flags, { now, timezone }, typed)
  if (isChecked) problems.throwIfAny()
  for (const note of time.notes) await warn(note)
  return { given, time, timezone, isChecked }
}

/**
 * Looks up names and sends the request. Warns if the booking does not have the requested tables. Adds the requested
 * date and party size to error hints. Throws USAGE. Also throws any error from `send`.
 */
export async function sendRequest(
  parts: RunParts,
  names: ReservationFlags,
  { asked, occasion, isChecked }: TypedRequest,
  send: (body: JsonObject) => Promise<Answer | null>,
): Promise<void> {
  const { body, tables } = isChecked ? await lookUp(parts, names, asked, occasion) : { body: asked, tables: null }
  try {
    const answer = await send(body)
    const others = answer && otherTables(answer.value, tables ?? [])
    if (others) await parts.warn(others)
  } catch (error) {
    if (!(error instanceof Failure) || error.hint === undefined) throw error
    const { people } = occasion
    const hint = error.hint
      .replace(/(?<=--date )today\b/, dateOf(occasion) ?? 'today')
      .replace(/(?<=--people )2\b/, typeof people === 'number' ? String(people) : '2')
    throw error.withHint(hint)
  }
}

/**
 * Returns a warning if a booking has tables other than the requested ones. Returns `null` if it has the right tables or
 * if its tables are unknown.
 */
function otherTables(answer: JsonValue, asked: readonly Named[]): string | null {
  const has = valueAt(answer, 'tableNames')
  if (asked.length === 0 || !Array.isArray(has)) return null
  const names = has.map(plainText)
  const isKnown = asked.every((table) => table.names.length > 0)
  const isMissing = (table: Named) => !names.some((name) => table.names.includes(name) || name === table.id)
  if (names.length === asked.length && !(isKnown && asked.some(isMissing))) return null
  const wanted = asked.map(({ id, names: [name = id] }) => name).join(', ')
  return `you asked for ${wanted}, but the booking has ${names.length === 0 ? 'no table' : names.join(', ')}`
}
