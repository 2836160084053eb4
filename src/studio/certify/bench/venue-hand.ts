import { isJsonObject, type JsonObject } from '../../../base/json/exact.ts'
import { randomHex } from '../../../sandbox/random-hex.ts'
import { insertCard } from '../../../sandbox/seed/cards.ts'
import type { SandboxState } from '../../../sandbox/state.ts'
import { DAY, MINUTE } from '../../../sandbox/venue/time.ts'
import { ownRequests, type Send } from '../../own-requests.ts'

/** Acts as the venue, its guests and other tills, not through wire and journal. Times in milliseconds since 1970. */
export class VenueHand {
  readonly #state: SandboxState
  readonly #send: Send
  #booked = 0

  constructor(state: SandboxState) {
    this.#state = state
    this.#send = ownRequests(state)
  }

  get now(): number {
    return this.#state.settings().clock.now()
  }

  /** Makes a request like another program, and returns the answer. Fails: Error when it is refused. */
  async ask(method: string, path: string, members?: object): Promise<JsonObject> {
    const { status, text, body } = await this.#send(method, path, members)
    if (status >= 300) throw new Error(`${method} ${path} was refused with ${status}: ${text}`)
    return isJsonObject(body) ? body : {}
  }

  /** Books a table and returns the ID. Default times differ, to tell bookings apart. */
  async book(people: number, at = this.now + (30 + 7 * this.#booked) * MINUTE): Promise<string> {
    this.#booked += 1
    const time = new Date(Math.ceil(at / MINUTE) * MINUTE).toISOString()
    const body = { numOfPeople: people, bookingTimeAsUtc: `${time.slice(0, 19)}Z`, notes: 'made by partner certify' }
    const { bookingId } = await this.ask('POST', '/Bookings', body)
    return String(bookingId)
  }

  async resize(bookingId: string, people: number): Promise<void> {
    await this.ask('PATCH', `/Bookings/${bookingId}/updatepax`, { pax: people })
  }

  /** Issues an active gift card with this balance, and returns its number, which is new. */
  issueCard(cents: number): string {
    const { store } = this.#state
    const number = `CERTI-${randomHex(4).toUpperCase()}-${randomHex(2).toUpperCase()}`
    const row = { number, status: 'Active', amountCents: cents, remainingCents: cents, sku: null } as const
    insertCard(store, { ...row, issued: this.now - DAY, expires: this.now + 1000 * DAY })
    return number
  }

  /** The balance of a card in cents, and its redemptions in order. */
  readCard(number: string): { readonly leftCents: number; readonly takenCents: readonly number[] } {
    const { store } = this.#state
    const card = store.get('SELECT remaining_cents AS cents FROM gift_cards WHERE number = ?', number)
    const taken = store.all('SELECT cents FROM redemptions WHERE card = ? ORDER BY rank', number)
    return { leftCents: Number(card?.['cents']), takenCents: taken.map(({ cents }) => Number(cents)) }
  }

  /** The total of a sale in cents; null when the service does not have it. */
  readSale(saleId: string): number | null {
    const sale = this.#state.diary().get('SELECT cents FROM sales WHERE sale_id = ?', saleId)
    return sale ? Number(sale['cents']) : null
  }

  /** A sale for `POST /Sales`, as a till closes it for two guests. */
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
