import { ConnectionFault } from '../../../src/http/server/connection-fault.ts'
import { jsonReply } from '../../../src/http/server/reply.ts'
import { type RunningServer, serve } from '../../../src/http/server/serve.ts'
import type { Transport } from '../../../src/http/transport.ts'
import { sandboxApp } from '../../../src/sandbox/app/app.ts'
import { CONTROL_PATH, TOKEN_HEADER, withControl } from '../../../src/sandbox/control/endpoint.ts'
import { localControl } from '../../../src/sandbox/control/local.ts'
import { openState } from '../../../src/sandbox/open-state.ts'
import type { SandboxState } from '../../../src/sandbox/state.ts'
import { type ApiRequest, buildRequest, VALID } from './exchange.ts'
import { instantOf, localText } from './local-time.ts'
import { RECEIVER } from './rules/time.ts'
import { type Card, iso, type Limit, type Model, type Service, type Venue } from './state.ts'
import { type Reply, Wire, type WireRequest } from './wire.ts'

/** The start time of every random test, which is noon on a Friday in Sydney. */
export const BEGINNING = Date.UTC(2026, 10, 20, 1)
const DAY = 86_400_000
export const END = BEGINNING + 1500 * DAY

const TOKEN = 'the model'

/**
 * Runs one sandbox after another at the same address, together with a webhook receiver. Requests are sent over real
 * connections.
 */
export class Rig {
  readonly transcript: string[] = []
  /** All distinct responses so far, each with the request's method and path, the status, and the message. */
  readonly met = new Set<string>()
  readonly origin: string
  readonly receiverOrigin: string
  readonly #serving: readonly RunningServer[]
  readonly #wire: Wire
  readonly #received: unknown[]
  readonly #transport: { current: Transport }
  #state: SandboxState | null = null
  readonly #found = new Map<string, Pick<Model, 'venue' | 'cards'>>()

  private constructor(
    [served, receiver]: readonly [RunningServer, RunningServer],
    received: unknown[],
    transport: { current: Transport },
  ) {
    this.#serving = [served, receiver]
    this.origin = served.origin
    this.#wire = new Wire(served.port)
    this.#received = received
    this.receiverOrigin = receiver.origin
    this.#transport = transport
  }

  static async open(): Promise<Rig> {
    const received: unknown[] = []
    const transport: { current: Transport } = { current: () => Promise.reject(new Error('no history yet')) }
    return new Rig(
      [await serve((request) => transport.current(request)), await openReceiver(received)],
      received,
      transport,
    )
  }

  /** Starts a new sandbox with no bookings and a frozen clock. Returns its model. */
  async begin(
    limit: { readonly count: number } | null,
    { timezone, listsUnlinkedSales }: { readonly timezone: string; readonly listsUnlinkedSales: boolean },
  ): Promise<Model> {
    this.#state?.close()
    this.transcript.length = 0
    this.arrivals()
    const unexpected: unknown[] = []
    const state = openState(':memory:', {
      clock: { startAt: BEGINNING, frozen: true },
      listUnlinkedSales: listsUnlinkedSales,
      onUnexpected: (error) => unexpected.push(error),
    })
    this.#state = state
    leaveDiaryEmpty(state, timezone)
    this.#serve(state, null)
    const found = this.#found.get(timezone) ?? { venue: await findVenue(this, timezone), cards: await findCards(this) }
    this.#found.set(timezone, found)
    const windowMs = 3_600_000
    this.#serve(state, limit && { ...limit, windowMs })
    return {
      venue: found.venue,
      now: BEGINNING,
      limit: limit && { ...limit, windowMs, counts: new Map() },
      listsUnlinkedSales,
      cards: structuredClone(found.cards),
      bookings: [],
      customers: [],
      sales: [],
      subscriptions: new Map(),
      deliveries: [],
      arrivals: [],
    }
  }

  /** Removes the rate limit from the sandbox. */
  liftLimit(model: Model): void {
    if (this.#state && model.limit) this.#serve(this.#state, null)
    model.limit = null
  }

  #serve(state: SandboxState, limit: Omit<Limit, 'counts'> | null): void {
    this.#transport.current = withControl(localControl(state), TOKEN)(sandboxApp(state, limit))
  }

  async send(request: WireRequest): Promise<Reply> {
    const reply = await this.#wire.send(request)
    const { message = '' } = (reply.body ?? {}) as { readonly message?: string }
    this.met.add(`${request.method} ${request.path.replace(/\?.*/s, '')} ${reply.status} ${message}`)
    const { 'x-api-key': key = 'no key' } = request.headers
    this.transcript.push(
      `${request.method} ${request.path} ${request.body ?? ''} (${key})\n    ${reply.status} ${reply.text}`,
    )
    return reply
  }

  /** Performs an operation of the sandbox's control API. */
  async control(operation: string, ...input: readonly unknown[]): Promise<unknown> {
    const headers = { 'content-type': 'application/json', [TOKEN_HEADER]: TOKEN }
    const body = JSON.stringify({ operation, input })
    const { body: response } = await this.#wire.send({ method: 'POST', path: CONTROL_PATH, headers, body })
    const { result, error } = response as { readonly result?: unknown; readonly error?: unknown }
    if (error) throw new Error(`${operation} failed: ${JSON.stringify(error)}`)
    this.transcript.push(`${operation} ${JSON.stringify(input)}`)
    return result
  }

  arrivals(): readonly unknown[] {
    return this.#received.splice(0)
  }

  async close(): Promise<void> {
    this.#wire.close()
    await Promise.all(this.#serving.map((server) => server.close()))
    this.#state?.close()
  }
}

/** Creates a venue without the seeded diary, so that the model contains all of its bookings. */
function leaveDiaryEmpty({ store }: SandboxState, timezone: string): void {
  store.writeVenues([{ ...store.venue, timezone }])
  const days = Array.from({ length: 2000 }, (_none, at) => Math.floor(BEGINNING / DAY) - 400 + at)
  const diary = { seed: 1, days, toppedUp: Math.floor(BEGINNING / DAY), next: { booking: 1001, sale: 1001 } }
  store.run("INSERT OR REPLACE INTO meta VALUES ('diary', ?)", JSON.stringify(diary))
}

// biome-ignore lint/suspicious/noExplicitAny: the sandbox returns arbitrary JSON
type Found = any

async function look(rig: Rig, apiRequest: ApiRequest): Promise<Found> {
  return (await rig.send(buildRequest(apiRequest, VALID, rig.origin))).body
}

/** Reads the data that the specification leaves to the venue: its statuses, tables, services and service times. */
async function findVenue(rig: Rig, timezone: string): Promise<Venue> {
  const sections = await look(rig, { endpoint: 'bookings.tables', query: { Date: '2027-03-01T00:00:00.000Z' } })
  return {
    locationId: LOCATION_ID,
    timezone,
    statuses: await look(rig, { endpoint: 'bookings.statuses' }),
    tables: sections.flatMap((section: Found) =>
      section.tables.map(({ _id: id, ...table }: Found) => ({ id, ...table })),
    ),
    services: await findServices(rig, timezone),
  }
}

/** The location ID that every sandbox has, as documented in docs/sandbox.md. */
const LOCATION_ID = '5f1d7a3e9b2c4d0012ab34cd'

/** A week from Sunday to Saturday with no clock change and no bookings. */
const WEEK = { from: '2027-02-28 00:00', to: '2027-03-06 23:59' }

async function findServices(rig: Rig, timezone: string): Promise<Service[]> {
  const [from, to] = [instantOf(WEEK.from, timezone), instantOf(WEEK.to, timezone)]
  const query = { BookingDateTimeStart: iso(from ?? 0), BookingDateTimeEnd: iso(to ?? 0), NumOfPeople: '2' }
  const week: Found = await look(rig, { endpoint: 'bookings.schedule', query })
  const services = new Map<string, Service & { readonly minutes: number[][] }>()
  for (const [weekday, day] of week.entries())
    for (const { id, name, serviceType, duration, sections, times } of day.services) {
      const sectionIds = sections.map((section: Found) => section.id)
      const service = services.get(id) ?? { id, name, serviceType, duration, sectionIds, minutes: [] }
      service.minutes[weekday] = times.map(({ time }: Found) => minuteOf(Date.parse(time), timezone))
      services.set(id, service)
    }
  return [...services.values()]
}

function minuteOf(instant: number, timezone: string): number {
  const local = localText(instant, timezone)
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
}

/** Reads a new sandbox's gift cards, by number. The model predicts only later changes to them. */
async function findCards(rig: Rig): Promise<Map<string, Card>> {
  const query = { IncludeCancelled: 'true', IncludeRedeemed: 'true', IncludeExpired: 'true' }
  const cards = (await look(rig, { endpoint: 'giftcards.list', query })).items.map((item: Found): Card => {
    const { status, remainingAmount, ...lasting } = item
    return {
      number: item.cardNumber,
      status,
      remainingCents: Math.round(remainingAmount * 100),
      issued: Date.parse(item.issuedDate),
      expires: Date.parse(item.expiryDate),
      email: item.recipientEmail || item.purchaserEmail,
      lasting,
    }
  })
  return new Map(cards.map((card: Card) => [card.number, card]))
}

async function openReceiver(received: unknown[]): Promise<RunningServer> {
  return serve(async ({ url: { pathname: path }, headers, body }) => {
    const { 'x-security-key': securityKey = null, 'x-security-token': securityToken = null } = headers
    received.push({ path, securityKey, securityToken, body: JSON.parse(Buffer.from(body ?? []).toString()) })
    const status = RECEIVER[path] ?? null
    if (status === null) throw new ConnectionFault('close')
    return jsonReply(status, undefined)
  })
}
