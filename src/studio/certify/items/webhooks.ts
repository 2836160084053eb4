import type { JsonObject } from '../../../base/json/exact.ts'
import type { Bench } from '../bench/bench.ts'
import { startReceiver } from '../bench/receiver.ts'
import type { Item } from '../certify.ts'

/**
 * Sends a duplicate event, a late event and an unknown event. The integration must accept all three, and its copy must
 * stay correct.
 */
export const survivesWebhooks: Item = {
  id: 'survives-webhooks',
  name: 'Handles duplicate, late and unknown webhooks',
  mend: 'Respond with a 2xx to every event that has the right credentials, even if it is a duplicate, late or unknown. An event only says that something changed: fetch the booking or card, and store its current state.',
  check: async (bench) => {
    const { venue, facts } = bench
    const bookingId = await venue.book(2)
    if (!(await bench.mustSucceed({ do: 'poll' }))) return
    const receiver = await startReceiver(bench)
    if (receiver === null) return
    const look = watchCopy(bench, bookingId)
    const guests = [2]
    const change = async (people: number, what: string) => {
      await venue.resize(bookingId, people)
      guests.push(people)
      for (const status of await receiver.deliver()) expectAccepted(bench, 'an event', status)
      await look(what, guests)
    }
    const post = async (what: string, told: string, event: JsonObject) => {
      expectAccepted(bench, what, await receiver.post(told, event))
      await look(what, guests)
    }
    const data = { bookingId, locationId: facts.locationId }
    const updated = { eventType: 'BOOKING_UPDATED', data }
    await change(3, 'an event')
    await post('a duplicate event', 'BOOKING_UPDATED, duplicate', updated)
    // Change the booking first, so that the next event (BOOKING_CREATED) arrives late.
    await change(5, 'a newer event')
    await post('a late event', 'BOOKING_CREATED, late', { eventType: 'BOOKING_CREATED', data })
    const unknown = { eventType: 'TABLES_MOVED', data: { tableId: 'T1', locationId: facts.locationId } }
    await post('an unknown event', 'TABLES_MOVED, unknown', unknown)
    if (await receiver.isAlive())
      expectAccepted(bench, 'an event after the unknown event', await receiver.post('BOOKING_UPDATED', updated))
    await receiver.stop()
  },
}

/**
 * Returns a function that checks a booking in the copy after an event. The copy may be outdated, but the booking must
 * not disappear from it or revert to an earlier state. `guests` lists every party size so far, oldest first.
 */
function watchCopy(bench: Bench, bookingId: string) {
  let isKept = bench.copy.has(bookingId)
  let seenAt = 0
  return async (after: string, guests: readonly number[]): Promise<void> => {
    await bench.waitUntilQuiet()
    const people = bench.copy.get(bookingId)?.['people']
    // Do not search before the last known state, because the copy must not revert.
    const at = guests.indexOf(Number(people), seenAt)
    if (at >= 0) {
      isKept = true
      seenAt = at
    } else if (isKept)
      bench.finding(
        `after ${after}, booking ${bookingId} has ${JSON.stringify(people ?? null)} guests in the copy, but ${guests.at(-1)} in the service`,
      )
  }
}

function expectAccepted(bench: Bench, what: string, status: number | null): void {
  if (status === null || status < 200 || status >= 300)
    bench.finding(`the response to ${what} must be a 2xx, but was ${describeResponse(status)}`)
}

function describeResponse(status: number | null): string {
  return status === null ? 'missing' : `a ${status}`
}

/**
 * Sends events with wrong credentials. The integration must reject these events and must not send any requests in
 * response.
 */
export const verifiesCredentials: Item = {
  id: 'verifies-credentials',
  name: 'Verifies webhook credentials',
  mend: "First compare X-Security-Key and X-Security-Token with the subscription's credentials, in constant time. If one is missing or wrong, respond with a 401 and do nothing else.",
  check: async (bench) => {
    const bookingId = await bench.venue.book(2)
    const receiver = await startReceiver(bench)
    if (receiver === null) return
    const { key, token } = receiver.credentials
    const wrong = 'certify-wrong-credentials'
    const forged = [
      ['a wrong key', { key: wrong, token }],
      ['a wrong token', { key, token: wrong }],
      ['neither key nor token', { key: null, token: null }],
      ['no key', { key: null, token }],
      ['no token', { key, token: null }],
    ] as const
    // No genuine event refers to this booking, so only a forged event can cause a request for it.
    const body = { eventType: 'BOOKING_UPDATED', data: { bookingId, locationId: bench.facts.locationId } }
    for (const [what, credentials] of forged) {
      const status = await receiver.post(`an event with ${what}`, body, credentials)
      if (status === null || status < 400 || status >= 500)
        bench.finding(`the response to an event with ${what} must be a 401, but was ${describeResponse(status)}`)
    }
    await bench.waitUntilQuiet()
    if (bench.wire.requestsTo('GET', `/Bookings/${bookingId}`).length > 0)
      bench.finding(`booking ${bookingId} was fetched because of an event without valid credentials`)
    const right = 'an event with valid credentials'
    if (await receiver.isAlive()) expectAccepted(bench, right, await receiver.post(right, body))
    await bench.waitUntilQuiet()
    await receiver.stop()
  },
}
