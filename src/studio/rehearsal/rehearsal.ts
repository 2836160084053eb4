import { Failure } from '../../base/failure/failure.ts'
import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { listDeliveries } from '../../sandbox/deliveries/deliveries.ts'
import type { JournalEntry } from '../../sandbox/journal/journal.ts'
import { JournalHash } from '../../sandbox/journal/journal-hash.ts'
import { openState } from '../../sandbox/open-state.ts'
import { mixSeeds, randomFrom } from '../../sandbox/seed/random.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { createRequester, type Send } from '../own-requests.ts'
import { type Sandbox, serveState } from '../start.ts'
import { Agenda } from './agenda.ts'
import { createClockDriver, type Speed } from './clock-driver.ts'
import type { RehearsedDay } from './day.ts'
import { createDeliveryPlanner, listFaults } from './faults.ts'
import { planDay } from './script/script.ts'
import { emptyTally } from './script/stage.ts'
import { readVenueData, stringAt } from './venue-data.ts'

export interface RehearsalOptions {
  readonly day: RehearsedDay
  readonly seed: number
  readonly speed: Speed
  /** The data directory, which must not contain a sandbox yet. `:memory:` keeps the data in memory. */
  readonly data: string
  /** The port to listen on, or 0 for any free port. */
  readonly port: number
  /** The percentage of the integration's requests that a fault affects. */
  readonly faults: number
  /** The percentage of webhooks that are duplicated, delayed or lost. */
  readonly webhookFaults: number
  /** The URL to subscribe to all events at the start, or `null` if the user creates the subscriptions. */
  readonly webhookUrl: string | null
  readonly signal: AbortSignal
  /** Called with the venue's time, in milliseconds since 1970, whenever the clock moves. */
  readonly onMoved: (at: number) => void
  readonly onUnexpected: (error: unknown) => void
}

/** A scripted day at a running venue that an integration can send requests to. */
export type Rehearsal = Awaited<ReturnType<typeof prepare>>

/**
 * Opens a new venue at the start of the day and serves it. Throws INTERNAL if the data is unusable, NETWORK_ERROR if
 * the port is in use, and USAGE if the webhook URL is rejected.
 */
export async function openRehearsal(options: RehearsalOptions): Promise<Rehearsal> {
  const { day, seed, data, port, onUnexpected } = options
  const state = openState(data, { seed, clock: { startAt: day.starts, frozen: true }, onUnexpected })
  const sandbox = await serveState(state, { port, background: true })
  try {
    return await prepare(state, sandbox, options)
  } catch (error) {
    await sandbox.close()
    throw error
  }
}

async function prepare(state: SandboxState, sandbox: Sandbox, options: RehearsalOptions) {
  const { day, seed, speed, signal, onMoved } = options
  // Create the diary now, so that the first request does not have to wait for it.
  state.diary()
  const unrecorded = createRequester(state, { seed })
  const before = await readVenueData(unrecorded)
  const watched = watchOthers(state)
  const hash = new JournalHash()
  let own = 0
  const journal = {
    add: (entry: JournalEntry) => {
      own++
      hash.add(entry)
      watched.addOwn(entry)
    },
  }
  if (options.webhookUrl !== null) await subscribe(unrecorded, options.webhookUrl)
  for (const fault of listFaults(options.faults, seed)) state.settings().faults.add(fault)
  const hand = createClockDriver(state, speed, signal, onMoved)
  const tally = emptyTally()
  const agenda = new Agenda(day.ends - BEFORE_MIDNIGHT_MS)
  const ofDay = mixSeeds(seed, Math.floor(day.starts / 1000) | 0)
  let sales = 0
  const stage = {
    ...{ day, agenda, tally, venue: state.store.venue },
    send: createRequester(state, { seed, journal, deliveryPlan: createDeliveryPlanner(options.webhookFaults, seed) }),
    now: hand.now,
    drawFor: (scene: number) => randomFrom(mixSeeds(ofDay, scene)),
    nextSaleId: () => `TILL-${String(++sales).padStart(4, '0')}`,
  }
  return {
    sandbox,
    currency: state.store.venue.currency,
    tally,
    /** Resolves when the integration sends its first request. */
    firstRequest: watched.first,
    play: async () => {
      await planDay(stage)
      for (let next = agenda.next(); next !== null; next = agenda.next()) {
        await hand.moveTo(next.at)
        await next.act()
      }
      await hand.moveTo(Math.min(day.ends, hand.now() + AFTER_LAST_MS))
    },
    /**
     * Lets time pass while the integration catches up, but not beyond midnight. If the rehearsal is aborted, throws the
     * signal's reason.
     */
    wait: (forMs: number) => hand.wait(forMs, day.ends),
    /** The journal hash of all requests that the rehearsal itself has sent so far. */
    get journalHash() {
      return hash.digest
    },
    get ownRequests() {
      return own
    },
    /**
     * Counts all requests from the integration, those that failed, and those that a fault affected. Also counts
     * webhooks by outcome.
     */
    attendance: () => ({ ...watched.counts, webhooks: countWebhooks(state) }),
    /** Reads the venue's current records. Returns them together with the records from before the rehearsed day. */
    truth: async () => ({ before, now: await readVenueData(unrecorded) }),
    close: () => sandbox.close(),
  }
}

/** How long before midnight, in milliseconds, actions stop. Guests who have not left by then stay seated. */
const BEFORE_MIDNIGHT_MS = 60_000
/** How long, in milliseconds, the day continues after the last action. */
const AFTER_LAST_MS = 60_000

function watchOthers(state: SandboxState) {
  const own = new WeakSet<JournalEntry>()
  const counts = { requests: 0, refused: 0, struck: 0 }
  const { promise: first, resolve: tell } = Promise.withResolvers<void>()
  state.journal.watch((entry) => {
    if (own.has(entry)) return
    counts.requests++
    if (entry.status === null || entry.status >= 400) counts.refused++
    if (entry.faults.length > 0) counts.struck++
    tell()
  })
  const addOwn = (entry: JournalEntry) => {
    own.add(entry)
    void state.journal.add(entry)
  }
  return { first, counts, addOwn }
}

function countWebhooks(state: SandboxState) {
  const states = listDeliveries(state.store).map((delivery) => delivery.state)
  const count = (...wanted: readonly string[]) => states.filter((one) => wanted.includes(one)).length
  const lost = count('failed', 'dropped')
  return { events: states.length, delivered: count('delivered'), pending: count('pending'), lost }
}

async function subscribe(send: Send, webhookUrl: string): Promise<void> {
  for (const event of WEBHOOK_EVENTS) {
    const { status, body } = await send('POST', '/Webhooks', { event, webhookUrl })
    if (status === 200) continue
    throw new Failure('USAGE', `the service rejected --webhooks ${JSON.stringify(webhookUrl)}`, {
      said: [stringAt(body, 'message') || `status ${status}`],
      hint: 'pass a URL that accepts POST requests',
    })
  }
}
