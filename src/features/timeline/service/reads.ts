import { Failure } from '../../../base/failure/failure.ts'
import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { call } from '../../../client/calls/call.ts'
import type { Caller } from '../../../client/calls/caller.ts'
import { getBooking } from '../../../contract/bookings/booking.ts'
import { getGiftCard } from '../../../contract/giftcards.ts'

/** Reads a booking, or returns why that failed. Fails: Interrupted. */
export function readBooking(caller: Caller, id: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getBooking, { path: { id } })).value))
}

/** Reads a gift card, or returns why that failed. Fails: Interrupted. */
export function readCard(caller: Caller, cardNumber: string): Promise<JsonObject | Failure> {
  return attemptRead(async () => objectOf((await call(caller, getGiftCard, { path: { cardNumber } })).value))
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Returns a failure of the service, as other sources may know something. Fails: Interrupted. */
export async function attemptRead<T>(read: () => Promise<T>): Promise<T | Failure> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.code !== 'INTERRUPTED') return error
    throw error
  }
}

/** The failure of a timeline that lacks a part. */
export function incomplete(what: string, failure: Failure): Failure {
  const { hint, request, said, details } = failure
  const words = failure.words === '' ? what : `${what}: ${failure.words}`
  return new Failure('INCOMPLETE', words, { hint, request, said, details, cause: failure })
}
