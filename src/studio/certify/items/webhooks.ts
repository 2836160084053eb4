import type { JsonObject } from '../../../base/json/exact.ts'
import type { Bench } from '../bench/bench.ts'
import { startReceiver } from '../bench/receiver.ts'
import type { Item } from '../certify.ts'

/** A repeated event, a late one and an unknown one: all are accepted, and none damages the copy. */
export const survivesWebhooks: Item = {
  id: 'survives-webhooks',
  name: 'Survives a duplicate, a late and an unknown webhook',
  mend: 'Answer 2xx to every event with the right credentials, also one that came before, is late or is unknown. An event says only that something changed: fetch the booking or card and store what it is now.',
  check: async (bench) => {
    const { venue, facts } = bench
    const bookingId = await venue.book(2)
    if (!(await bench.must({ do: 'poll' }))) return
    const receiver = await startReceiver(bench)
    if (receiver === null) return
    const look = watchCopy(bench, bookingId)
    const guests = [2]
    const change = async (people: number, what: string) => {
      await venue.resize(bookingId, people)
      guests.push(people)
      for (const status of await receiver.deliver()) expectTaken(bench, 'an event', status)
      await look(what, guests)
    }
    const post = async (what: string, told: string, event: JsonObject) => {
      expectTaken(bench, what, await receiver.post(told, event))
      await look(what, guests)
    }
    const data = { bookingId, locationId: facts.locationId }
    const updated = { eventType: 'BOOKING_UPDATED', data }
    await change(3, 'an event')
    await post('a duplicate', 'BOOKING_UPDATED once more', updated)
    // Delays the event of the first change until after the second.
    await change(5, 'a newer event')
    await post('a late event', 'BOOKING_CREATED, late', { eventType: 'BOOKING_CREATED', data })
    const unknown = { eventType: 'TABLES_MOVED', data: { tableId: 'T1', locationId: facts.locationId } }
    await post('an unknown event', 'TABLES_MOVED, which is unknown', unknown)
    if (await receiver.isAlive())
      expectTaken(bench, 'an event after all of these', await receiver.post('BOOKING_UPDATED', updated))
    await receiver.stop()
  },
}

/** Checks the copy after each event: it may be updated or not, but not damaged. `guests`: party sizes so far. */
function watchCopy(bench: Bench, bookingId: string) {
  let isKept = bench.copy.has(bookingId)
  let seenAt = 0
  return async (after: string, guests: readonly number[]): Promise<void> => {
    await bench.quiet()
    const people = bench.copy.get(bookingId)?.['people']
    // It must not go back to an earlier state.
    const at = guests.indexOf(Number(people), seenAt)
    if (at >= 0) {
      isKept = true
      seenAt = at
    } else if (isKept)
      bench.finding(
        `after ${after}, the copy says ${JSON.stringify(people ?? null)} guests of booking ${bookingId}, which is for ${guests.at(-1)}`,
      )
  }
}

function expectTaken(bench: Bench, what: string, status: number | null): void {
  if (status === null || status < 200 || status >= 300)
    bench.finding(`${what} must be answered 2xx, and was ${answerText(status)}`)
}

function answerText(status: number | null): string {
  return status === null ? 'not answered' : `answered ${status}`
}

/** Deliveries with wrong credentials: they are refused, and cause no request. */
export const verifiesCredentials: Item = {
  id: 'verifies-credentials',
  name: 'Verifies the credentials of webhooks',
  mend: 'Compare X-Security-Key and X-Security-Token with those of the subscription, in constant time, before anything else; answer 401 when one is missing or wrong, and do nothing.',
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
    // No other event names this booking, so only a forged one can cause a request for it.
    const body = { eventType: 'BOOKING_UPDATED', data: { bookingId, locationId: bench.facts.locationId } }
    for (const [what, credentials] of forged) {
      const status = await receiver.post(`an event with ${what}`, body, credentials)
      if (status === null || status < 400 || status >= 500)
        bench.finding(`an event with ${what} must be answered 401, and was ${answerText(status)}`)
    }
    await bench.quiet()
    if (bench.wire.to('GET', `/Bookings/${bookingId}`).length > 0)
      bench.finding(`booking ${bookingId} was fetched for an event without the right credentials`)
    const right = 'an event with the right credentials'
    if (await receiver.isAlive()) expectTaken(bench, right, await receiver.post(right, body))
    await bench.quiet()
    await receiver.stop()
  },
}
