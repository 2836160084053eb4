import type { Answer } from '../../../client/calls/answer.ts'
import type { createBooking } from '../../../contract/bookings/changes.ts'
import type { createReservation } from '../../../contract/bookings/reservations.ts'
import type { RunParts } from '../../../terminal/runtime/run.ts'
import { reservationCard, reservationList } from '../views/receipt.ts'
import { type RequestFlags, readRequest, sendRequest } from './request.ts'

/**
 * Creates a booking and prints it. `isPlaced` means that its service and section were chosen from the schedule. Throws
 * USAGE. Also throws any error from `Service.send`.
 */
export async function makeBooking(
  endpoint: typeof createReservation | typeof createBooking,
  flags: RequestFlags,
  parts: RunParts,
  { accept, isPlaced = false }: { readonly accept: (answer: Answer) => void; readonly isPlaced?: boolean },
): Promise<void> {
  const hint = `see partner ${endpoint.id.replace('.', ' ')} --help; nothing was sent`
  const request = await readRequest(endpoint.body, flags, parts, hint)
  const names = isPlaced ? { status: flags.status, table: flags.table } : flags
  const check = 'partner bookings list --updated-from 10m --include-customer'
  await sendRequest(parts, names, request, async (body) => {
    const answer = await parts.service.send(endpoint, { body }, { check, accept })
    await parts.show.answer(answer, { card: reservationCard, list: reservationList }, { bookingId: null })
    return answer
  })
}
