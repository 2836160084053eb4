import type { JsonObject } from '../../../base/json/exact.ts'
import type { Schema } from '../../../contract/shapes/schema.ts'
import { buildBody, type ExtraBody } from '../../../terminal/input/body.ts'
import { Problems } from '../../../terminal/input/problems.ts'
import { validate } from '../../../terminal/input/validate.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import type { Occasion } from '../../shared/look-up.ts'
import { buildReservationMembers, RESERVATION_FLAG_NAMES, type ReservationFlags } from './flags.ts'
import { checkTimeGiven, instantOf, readTimeFlags, withTime } from './time.ts'

/** The flags of what makes a booking. */
export type CreateFlags = ReservationFlags & ExtraBody & { readonly 'no-validate'?: boolean | undefined }

/** A request as it was typed: names are still names. */
export interface TypedRequest {
  readonly asked: JsonObject
  readonly occasion: Occasion
  /** False, as with `--no-validate`: everything goes as it is. */
  readonly isChecked: boolean
}

/** Reads the request that flags and a body make, and checks it as far as that needs no service. Fails: USAGE with every problem. */
export async function readRequest(
  body: Schema,
  flags: CreateFlags,
  { connection, host, warn }: RunParts,
  hint: string,
): Promise<TypedRequest> {
  const problems = new Problems()
  const isChecked = !flags['no-validate']
  const typed = isChecked ? problems : new Problems()
  const now = host.now()
  // Without the zone first, so that mistakes are reported before a profile is needed.
  const { members } = readTimeFlags(flags, { now, timezone: null }, typed)
  const given = await buildBody(flags, { ...buildReservationMembers(flags, typed), ...members }, problems)
  if (isChecked) {
    await validate(body, given, RESERVATION_FLAG_NAMES, problems)
    checkTimeGiven(given, problems)
  }
  problems.throwIfAny(hint)
  const timezone = await connection.timezone()
  const time = readTimeFlags(flags, { now, timezone }, typed)
  if (isChecked) problems.throwIfAny()
  for (const note of time.notes) await warn(note)
  const asked = withTime(given, time)
  return { asked, occasion: { at: instantOf(asked, timezone), people: asked['numOfPeople'], timezone }, isChecked }
}
