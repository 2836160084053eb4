import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { randomHex } from '../../../sandbox/random-hex.ts'
import { insertCard } from '../../../sandbox/seed/cards.ts'
import type { SandboxState } from '../../../sandbox/state.ts'
import { DAY, MINUTE } from '../../../sandbox/venue/time.ts'
import { createRequester, type Send } from '../../own-requests.ts'

/**
 * Sends requests as the venue, its guests and other tills. The requests are neither observed nor recorded in the
 * journal. Times are in milliseconds since 1970.
 */
export class VenueActor {
  readonly #state: SandboxState
  readonly #send: Send
  #booked = 0

  constructor(state: SandboxState) {
    this.#state = state
    this.#send = createRequester(state)
  }

  get now(): number {
    return this.#state.settings().clock.now()
  }

  /**
   * Sends a request as another client and returns the body of the response. Throws an Error if the service rejects the
   * request.
   */
  async request(method: string, path: string, members?: object): Promise<JsonObject> {
    const { status, text, body } = await this.#send(method, path, members)
    if (status >= 300) throw new Error(`${method} ${path} was rejected with ${status}: ${text}`)
    return isJsonObject(body) ? body : {}
  }

  /** Books a table and returns the booking's ID. By default, each booking has a different time. */
  async book(people: number, at = this.now + (30 + 7 * this.#booked) * MINUTE): Promise<string> {
    this.#booked += 1
    const time = new Date(Math.ceil(at / MINUTE) * MINUTE).toISOString()
    const body = { numOfPeople: people, bookingTimeAsUtc: `${time.slice(0, 19)}Z`, notes: 'made by partner certify' }
    const { bookingId } = await this.request('POST', '/Bookings', body)
    return String(bookingId)
  }

  async resize(bookingId: string, people: number): Promise<void> {
    await this.request('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: people })
  }

  /** Issues an active gift card with a balance in cents. Returns the card's number. */
  issueCard(cents: number): string {
    const { store } = this.#state
    const number = `CERTI-${randomHex(4).toUpperCase()}-${randomHex(2).toUpperCase()}`
    const row = { number, status: 'Active', amountCents: cents, remainingCents: cents, sku: null } as const
    insertCard(store, { ...row, issued: this.now - DAY, expires: this.now + 1000 * DAY })
    return number
  }

  /** Returns a gift card's balance and its redemptions, oldest first. All amounts are in cents. */
  readCard(number: string): { readonly leftCents: number; readonly takenCents: readonly number[] } {
    const { store } = this.#state
    const card = store.get('SELECT remaining_cents AS cents FROM gift_cards WHERE number = ?', number)
    const taken = store.all('SELECT cents FROM redemptions WHERE card = ? ORDER BY rank', number)
    return { leftCents: Number(card?.['cents']), takenCents: taken.map(({ cents }) => Number(cents)) }
  }

  /** Returns a sale's total in cents, or `null` if the service does not have that sale. */
  readSale(saleId: string): number | null {
    const sale = this.#state.diary().get('SELECT cents FROM sales WHERE sale_id = ?', saleId)
    return sale ? Number(sale['cents']) : null
  }

  /** Returns the body of a `POST /Sales` request for a closed sale at a table for two. */
  makeSale(totalCents: number): JsonObject {
    const { currency } = this.#state.store.venue
    const price = { amount: totalCents, currency }
    const [opened, closed] = [this.now - 90 * MINUTE, this.now].map((at) => new Date(at).toISOString())
    return {
      origin: { saleId: `CERTIFY-${randomHex(6)}` },
      source: { type: 'POS' },
      type: 'SALE',
      openedZonedDateTime: opened ?? '',
      closedZonedDateTime: closed ?? '',
      staff: { id: 'certify' },
      table: { seats: 2 },
      items: [{ id: 'menu', name: 'Menu', quantity: 1, unitPrice: price, total: price }],
      payments: [{ method: 'CARD', goodsAndServicesAmount: price }],
      total: price,
    }
  }
}
