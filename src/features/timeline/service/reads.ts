import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { call } from '../../../client/calls/call.ts'
import type { Caller } from '../../../client/calls/caller.ts'
import { getBooking } from '../../../contract/bookings/booking.ts'
import { getGiftCard } from '../../../contract/giftcards.ts'

/** Reads a booking; gives why the service does not say. Fails: Interrupted. */
export function readBooking(caller: Caller, id: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getBooking, { path: { id } })).value))
}

/** Reads a gift card, likewise. Fails: Interrupted. */
export function readCard(caller: Caller, cardNumber: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getGiftCard, { path: { cardNumber } })).value))
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Does something with the service; a failure of it is kept, as others may know something too. */
export async function attemptRead<T>(read: () => Promise<T>): Promise<T | Failure> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.code !== 'INTERRUPTED') return error
    throw error
  }
}

/** What is missing of a timeline whose subject is known: it is not whole, whatever the reason. */
export function incomplete(what: string, failure: Failure): Failure {
  const { hint, request, said, details } = failure
  const words = failure.words === '' ? what : `${what}: ${failure.words}`
  return new Failure('INCOMPLETE', words, { hint, request, said, details, cause: failure })
}
