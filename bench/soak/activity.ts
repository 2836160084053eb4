import { writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { CARD } from '../support/service.ts'
import { DAY } from './clock.ts'
import type { World } from './world.ts'

interface Booking {
  readonly bookingId: string
}

/** A day's sales, and their file. */
export interface Closings {
  readonly file: string
  readonly lines: readonly string[]
}

const ALL_BOOKINGS = '/Bookings?UpdatedFromDate=2000-01-01T00:00:00.000Z&UpdatedToDate=2100-01-01T00:00:00.000Z'

/** The number of sales of a day. */
const SALES = 5
/** How long ago the sales were closed: earlier than any sale of the sandbox. */
const SALES_AGO_MS = 100 * DAY
/** The least time between two changes, in milliseconds. */
const PACE_MS = 400
/** The number of bookings that only faults change. */
const RESERVED = 20

/** What guests and tills do at the venue. */
export class Activity {
  readonly done = { created: 0, changed: 0, cancelled: 0, redeemed: 0, failed: 0 }
  readonly #world: World
  readonly #random: () => number
  readonly #ids: string[] = []
  readonly #reserved: string[] = []
  #pauses = 0
  #isBusy = false
  #hasEnded = false
  #running: Promise<void> = Promise.resolve()

  constructor(world: World, random: () => number) {
    this.#world = world
    this.#random = random
  }

  async start(): Promise<void> {
    const { bookings } = (await this.#world.ask('GET', ALL_BOOKINGS)) as { bookings: Booking[] }
    const ids = bookings.map(({ bookingId }) => bookingId).filter((id) => /^BK-\d+$/.test(id))
    this.#reserved.push(...ids.splice(0, RESERVED))
    this.#ids.push(...ids)
    this.#running = this.#run()
  }

  /** Returns a booking that nothing else changes. */
  takeReserved(): string {
    const id = this.#reserved.pop()
    if (id === undefined) throw new Error('all reserved bookings are taken')
    return id
  }

  /** Waits until the change that is being made has been made, and makes no more until `resume` is called. */
  async pause(): Promise<void> {
    this.#pauses++
    while (this.#isBusy) await delay(10)
  }

  resume(): void {
    this.#pauses--
  }

  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#hasEnded) {
      if (this.#pauses === 0) {
        this.#isBusy = true
        // The service may be down on purpose.
        await this.#change().catch(() => void this.done.failed++)
        this.#isBusy = false
      }
      await delay(PACE_MS * (0.5 + this.#random()))
    }
  }

  /** Changes the number of people of a booking. */
  async changePax(id: string): Promise<void> {
    await this.#world.ask('PATCH', `/Bookings/${id}/updatepax`, { pax: 1 + Math.floor(this.#random() * 8) })
    this.done.changed++
  }

  /** Redeems a little from a card at the service, as a till that does not use partner does. */
  async redeemElsewhere(): Promise<void> {
    await this.#world.ask('POST', '/GiftCards/redeem', { cardNumber: CARD, amount: 0.01 })
    this.done.redeemed++
  }

  async #change(): Promise<void> {
    const what = this.#random()
    const id = this.#ids[Math.floor(this.#random() * this.#ids.length)] as string
    if (what < 0.15) {
      const time = new Date(Date.now() + this.#random() * 6 * DAY).toISOString().slice(0, 16).replace('T', ' ')
      const made = (await this.#world.ask('POST', '/Bookings', { numOfPeople: 2, time })) as { bookingId?: string }
      if (made.bookingId === undefined) return
      this.#ids.push(made.bookingId)
      this.done.created++
    } else if (what < 0.8) await this.changePax(id)
    else if (what < 0.9) await this.redeemElsewhere()
    else {
      await this.#world.ask('PATCH', `/Bookings/${id}/updatestatus`, { status: 'CANCELLED' })
      this.done.cancelled++
    }
  }

  /** Writes the closings of a day in the past, on which the service has no other sales. */
  writeClosings(day: number): Closings {
    const file = this.#world.path(`closings-${day}.ndjson`)
    const date = new Date(Date.now() - SALES_AGO_MS).toISOString().slice(0, 10)
    const lines = Array.from({ length: SALES }, (_, n) => {
      const total = { amount: 1000 + Math.floor(this.#random() * 40_000), currency: 'AUD' }
      return JSON.stringify({
        origin: { saleId: `TILL-${day}-${n}` },
        staff: { id: 'staff-1' },
        table: { seats: 2 },
        bookingId: n % 2 === 0 ? 'BK-1003' : 'BK-1005',
        closedZonedDateTime: `${date}T09:${10 + n}:00Z`,
        total,
      })
    })
    writeFileSync(file, `${lines.join('\n')}\n`)
    return { file, lines }
  }
}
