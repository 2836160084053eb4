/** One write that the service has performed. */
export interface Commit {
  readonly command: 'redeem' | 'cancel' | 'sale'
  readonly target: string
  /** The amount in cents, or `null` if no money moves. */
  readonly cents: bigint | null
  /** The notes in the request. Tests use them to identify the write. */
  readonly notes: unknown
}

export interface Card {
  cents: bigint
  status: string
  /** The total amount ever loaded onto the card, in cents. Defaults to 100,000. */
  total?: bigint
}

interface Sale {
  readonly saleId: string
  /** The sale's booking, or `null` if it has none. The service does not list a sale without a booking. */
  readonly bookingId: string | null
  readonly cents: bigint | null
  /** When the service received the sale, in milliseconds since 1970. */
  readonly at: number
}

export interface Reply {
  readonly status: number
  readonly body: unknown
}

type Body = Readonly<Record<string, unknown>>

/** How long, in milliseconds, the service rejects a second sale with the same ID. */
export const DEDUPLICATION_MS = 10 * 60_000

const TOTAL = 100_000n

/**
 * The cards and sales of a simulated service, and the writes that it has performed. `now` is the clock of the service,
 * in milliseconds since 1970.
 */
export class Ledger {
  readonly cards = new Map<string, Card>()
  readonly sales: Sale[] = []
  readonly commits: Commit[] = []
  readonly #past = new Map<string, Card[]>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns a card as it was before its last `changesAgo` changes. */
  show(number: string, changesAgo = 0): Reply {
    const card = this.cards.get(number)
    if (!card) return missing(number)
    const past = this.#past.get(number) ?? []
    const { cents, status, total = TOTAL } = past[Math.max(0, past.length - changesAgo)] ?? card
    return ok({ cardNumber: number, amount: units(total), remainingAmount: units(cents), status })
  }

  /** Redeems an amount from a card. `body` is the raw request body. */
  redeem(number: string, body: string): Reply {
    const card = this.cards.get(number)
    if (!card) return missing(number)
    const cents = centsIn(body)
    const failed = (errorMessage: string) =>
      ok({ cardNumber: number, amountRedeemed: 0, status: 'Error', isSuccess: false, errorMessage })
    if (card.status !== 'Active') return failed(`The card is ${card.status}.`)
    if (cents > card.cents) return failed('The amount is more than the remaining balance.')
    this.take(number, cents)
    const { notes } = JSON.parse(body) as { notes?: unknown }
    this.commits.push({ command: 'redeem', target: number, cents, notes })
    const { status } = card
    return ok({ cardNumber: number, amountRedeemed: units(cents), status, isSuccess: true, errorMessage: null })
  }

  cancel(number: string): Reply {
    const card = this.cards.get(number)
    if (!card) return missing(number)
    if (card.status === 'Cancelled') return { status: 304, body: '' }
    if (card.status === 'Redeemed')
      return { status: 400, body: { message: `Gift card '${number}' is fully redeemed and cannot be cancelled.` } }
    this.#change(number, { status: 'Cancelled' })
    this.commits.push({ command: 'cancel', target: number, cents: null, notes: null })
    return ok({ cardNumber: number, status: 'Cancelled' })
  }

  sell(saleId: string, body: Body): Reply {
    const at = this.#now()
    if (this.sales.some((sale) => sale.saleId === saleId && at - sale.at <= DEDUPLICATION_MS))
      return { status: 409, body: { message: 'The sale was submitted before.' } }
    const { amount } = (body['total'] ?? {}) as { amount?: number }
    const bookingId = typeof body['bookingId'] === 'string' ? body['bookingId'] : null
    const cents = amount === undefined ? null : BigInt(amount)
    this.sales.push({ saleId, bookingId, cents, at })
    this.commits.push({ command: 'sale', target: saleId, cents, notes: body['notes'] ?? null })
    return ok({ saleId })
  }

  /** Lists the sales with a booking that the service received between two times, in milliseconds since 1970. */
  list(from: number, to: number, startIndex: number): Reply {
    const linked = this.sales.filter(({ bookingId, at }) => bookingId !== null && at >= from && at <= to)
    const items = linked.slice(startIndex).map(({ saleId, bookingId, cents }) => ({
      bookingId,
      saleDetail: { transactionId: saleId, total: cents === null ? null : units(cents) },
    }))
    return ok({ from: startIndex, to: linked.length, length: items.length, items })
  }

  /** Deducts an amount from a card, or its whole balance if that is less. */
  take(number: string, cents: bigint): void {
    const left = (this.cards.get(number)?.cents ?? 0n) - cents
    this.#change(number, left > 0n ? { cents: left } : { cents: 0n, status: 'Redeemed' })
  }

  topUp(number: string, cents: bigint): void {
    const { cents: left = 0n, total = TOTAL } = this.cards.get(number) ?? {}
    this.#change(number, { cents: left + cents, total: total + cents })
  }

  /** Expires a card, which forfeits its balance. */
  expire(number: string): void {
    if (this.cards.get(number)?.status === 'Active') this.#change(number, { cents: 0n, status: 'Expired' })
  }

  #change(number: string, change: Partial<Card>): void {
    const card = this.cards.get(number)
    if (!card) return
    this.#past.set(number, [...(this.#past.get(number) ?? []), { ...card }])
    Object.assign(card, change)
  }
}

const ok = (body: unknown): Reply => ({ status: 200, body })
const missing = (number: string): Reply => ({ status: 404, body: { message: `Gift card '${number}' not found.` } })
const units = (cents: bigint) => Number(cents) / 100

/** Parses the decimal digits of the amount in a request, without floating-point arithmetic. */
function centsIn(body: string): bigint {
  const [, whole = '0', decimals = ''] = /"amount":(\d+)(?:\.(\d{1,2}))?[,}]/.exec(body) ?? []
  return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
}
