import { buildBody, type ExtraBody } from '../../cli/input/body.ts'
import { Problems } from '../../cli/input/problems.ts'
import { validate } from '../../cli/input/validate.ts'
import type { RunParts } from '../../cli/runtime/run.ts'
import type { Answer } from '../../client/calls/answer.ts'
import type { createBooking } from '../../contract/bookings/changes.ts'
import type { createReservation } from '../../contract/bookings/reservations.ts'
import { reservationCard, reservationList } from '../../views/bookings/reservation.ts'
import { otherTables, withRealHints } from './_answer.ts'
import { buildReservationMembers, RESERVATION_FLAG_NAMES, type ReservationFlags } from './_flags.ts'
import { lookUp } from './_look-up.ts'
import { checkTimeGiven, instantOf, readTimeFlags, withTime } from './_time.ts'

type CreateFlags = ReservationFlags & ExtraBody & { readonly 'no-validate'?: boolean | undefined }

/**
 * Makes a reservation or a walk-in as the flags say, and shows it.
 * `accept` says what the answer must be, `isPlaced` that the service and section come from the schedule already.
 * Fails: USAGE with every problem; as `Service.send`.
 */
export async function makeBooking(
  endpoint: typeof createReservation | typeof createBooking,
  flags: CreateFlags,
  { connection, service, show, host, warn }: RunParts,
  { accept, isPlaced = false }: { readonly accept: (answer: Answer) => void; readonly isPlaced?: boolean },
): Promise<void> {
  const problems = new Problems()
  const isChecked = !flags['no-validate']
  const typed = isChecked ? problems : new Problems()
  const now = host.now()
  // Without the zone first, so that mistakes are reported before a profile is needed.
  const { members } = readTimeFlags(flags, { now, timezone: null }, typed)
  const given = await buildBody(flags, { ...buildReservationMembers(flags, typed), ...members }, problems)
  if (isChecked) {
    await validate(endpoint.body, given, RESERVATION_FLAG_NAMES, problems)
    checkTimeGiven(given, problems)
  }
  problems.throwIfAny(`see partner ${endpoint.id.replace('.', ' ')} --help; nothing was sent`)
  const timezone = await connection.timezone()
  const time = readTimeFlags(flags, { now, timezone }, typed)
  if (isChecked) problems.throwIfAny()
  for (const note of time.notes) await warn(note)
  const asked = withTime(given, time)
  const occasion = { at: instantOf(asked, timezone), people: asked['numOfPeople'], timezone }
  const toLookUp = isPlaced ? { status: flags.status, table: flags.table } : flags
  const { body, tables } = isChecked ? await lookUp(service, toLookUp, asked, occasion) : { body: asked, tables: null }
  const check = 'partner bookings list --updated-from 10m --include-customer'
  const answer = await withRealHints(occasion, () => service.send(endpoint, { body }, { check, accept }))
  await show.answer(answer, { card: reservationCard, list: reservationList }, { bookingId: null })
  const others = answer && otherTables(answer.value, tables ?? [])
  if (others) await warn(others)
}
