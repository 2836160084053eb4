import type { Answer } from '../../../client/calls/answer.ts'
import type { createBooking } from '../../../contract/bookings/changes.ts'
import type { createReservation } from '../../../contract/bookings/reservations.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { lookUp } from '../../shared/look-up.ts'
import { otherTables, withRealHints } from './answer.ts'
import { type CreateFlags, readRequest } from './request.ts'
import { reservationCard, reservationList } from './views.ts'

/**
 * Makes a reservation or a walk-in as the flags say, and shows it.
 * `accept` says what the answer must be, `isPlaced` that the service and section come from the schedule already.
 * Fails: USAGE with every problem; as `Service.send`.
 */
export async function makeBooking(
  endpoint: typeof createReservation | typeof createBooking,
  flags: CreateFlags,
  parts: RunParts,
  { accept, isPlaced = false }: { readonly accept: (answer: Answer) => void; readonly isPlaced?: boolean },
): Promise<void> {
  const { service, show, warn } = parts
  const hint = `see partner ${endpoint.id.replace('.', ' ')} --help; nothing was sent`
  const { asked, occasion, isChecked } = await readRequest(endpoint.body, flags, parts, hint)
  const toLookUp = isPlaced ? { status: flags.status, table: flags.table } : flags
  const { body, tables } = isChecked ? await lookUp(parts, toLookUp, asked, occasion) : { body: asked, tables: null }
  const check = 'partner bookings list --updated-from 10m --include-customer'
  const answer = await withRealHints(occasion, () => service.send(endpoint, { body }, { check, accept }))
  await show.answer(answer, { card: reservationCard, list: reservationList }, { bookingId: null })
  const others = answer && otherTables(answer.value, tables ?? [])
  if (others) await warn(others)
}
