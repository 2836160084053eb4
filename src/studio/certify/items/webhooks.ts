import type { Bench } from '../bench/bench.ts'
import { isTaken, Receiver } from '../bench/receiver.ts'
import type { Item } from '../item.ts'

/** An event twice, one that comes after a newer one, and one that nobody knows: all are taken, and the copy is none the worse. */
export const survivesWebhooks: Item = {
  id: 'survives-webhooks',
  name: 'Survives a duplicate, a late and an unknown webhook',
  mend: 'Answer 2xx to every event with the right credentials, also one that came before, is late or is unknown. An event says only that something changed: fetch the booking or card and store what it is now.',
  check: async (open) => {
    const bench = await open()
    const { venue } = bench
    const bookingId = await venue.book(2)
    if (!(await bench.must({ do: 'poll' }))) return
    const receiver = await Receiver.start(bench)
    if (receiver === null) return
    const copied = new CopyWatch(bench, bookingId, 2)
    const data = { bookingId, locationId: bench.facts.locationId }
    await venue.resize(bookingId, 3)
    copied.expect(3)
    for (const { attempts } of await receiver.deliver()) refuses(bench, 'an event', attempts.at(-1)?.status ?? null)
    await copied.look('an event')
    const updated = { eventType: 'BOOKING_UPDATED', data }
    refuses(bench, 'a duplicate', await receiver.post('BOOKING_UPDATED once more', updated))
    await copied.look('a duplicate')
    // The event of the first change is held up until that of the second has come.
    await venue.resize(bookingId, 5)
    copied.expect(5)
    for (const { attempts } of await receiver.deliver()) refuses(bench, 'an event', attempts.at(-1)?.status ?? null)
    await copied.look('a newer event')
    const created = { eventType: 'BOOKING_CREATED', data }
    refuses(bench, 'a late event', await receiver.post('BOOKING_CREATED, late', created))
    await copied.look('a late event')
    const unknown = { eventType: 'TABLES_MOVED', data: { tableId: 'T1', locationId: bench.facts.locationId } }
    refuses(bench, 'an unknown event', await receiver.post('TABLES_MOVED, which is unknown', unknown))
    await copied.look('an unknown event')
    if (await receiver.isAlive())
      refuses(bench, 'an event after all of these', await receiver.post('BOOKING_UPDATED', updated))
    await receiver.stop()
  },
}

/** A receiver keeps the copy up to date, or leaves that to the next poll; in neither case does an event make it worse. */
class CopyWatch {
  readonly #bench: Bench
  readonly #bookingId: string
  #allowed: number[]
  #isKept = false

  constructor(bench: Bench, bookingId: string, people: number) {
    this.#bench = bench
    this.#bookingId = bookingId
    this.#allowed = [people]
    this.#isKept = bench.copy.has(bookingId)
  }

  /** The booking is for so many from now on. */
  expect(people: number): void {
    this.#allowed = [...this.#allowed, people]
  }

  /** Looks at the copy once what an event has set off is over: it never goes back from what it had. */
  async look(after: string): Promise<void> {
    await this.#bench.quiet()
    const { copy } = this.#bench
    const people = copy.get(this.#bookingId)?.['people']
    const at = this.#allowed.indexOf(Number(people))
    if (at >= 0) {
      this.#isKept = true
      // What it has seen it must not forget.
      this.#allowed = this.#allowed.slice(at)
    } else if (this.#isKept)
      this.#bench.finding(
        `after ${after}, the copy says ${JSON.stringify(people ?? null)} guests of booking ${this.#bookingId}, which is for ${this.#allowed.at(-1)}`,
      )
  }
}

function refuses(bench: Bench, what: string, status: number | null): void {
  if (!isTaken(status))
    bench.finding(`${what} must be answered 2xx, and was ${status === null ? 'not answered' : `answered ${status}`}`)
}

/** Deliveries by somebody who does not have the credentials: refused, and nothing is fetched for them. */
export const verifiesCredentials: Item = {
  id: 'verifies-credentials',
  name: 'Verifies the credentials of webhooks',
  mend: 'Compare X-Security-Key and X-Security-Token with those of the subscription, in constant time, before anything else; answer 401 when one is missing or wrong, and do nothing.',
  check: async (open) => {
    const bench = await open()
    const { venue } = bench
    const bookingId = await venue.book(2)
    const receiver = await Receiver.start(bench)
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
    // A booking that no other event names, so that a request for it comes of the forged ones.
    const body = { eventType: 'BOOKING_UPDATED', data: { bookingId, locationId: bench.facts.locationId } }
    for (const [what, credentials] of forged) {
      const status = await receiver.post(`an event with ${what}`, body, credentials)
      if (status === null || status < 400 || status >= 500)
        bench.finding(
          `an event with ${what} must be answered 401, and was ${status === null ? 'not answered' : `answered ${status}`}`,
        )
    }
    await bench.quiet()
    if (bench.wire.to('GET', `/Bookings/${bookingId}`).length > 0)
      bench.finding(`booking ${bookingId} was fetched for an event without the right credentials`)
    if (await receiver.isAlive()) {
      const status = await receiver.post('an event with the right credentials', body)
      refuses(bench, 'an event with the right credentials', status)
    }
    await bench.quiet()
    await receiver.stop()
  },
}
