import { Failure } from '../../base/failure/failure.ts'
import { isJsonObject } from '../../base/json/exact.ts'
import { WEBHOOK_EVENTS } from '../../contract/events.ts'
import { PARTNER_NAME } from '../../sandbox/credentials.ts'
import { listDeliveries } from '../../sandbox/deliveries/deliveries.ts'
import type { JournalEntry } from '../../sandbox/journal/journal.ts'
import { JournalHash } from '../../sandbox/journal/journal-hash.ts'
import { openState } from '../../sandbox/open-state.ts'
import type { SandboxState } from '../../sandbox/state.ts'
import { type Sandbox, serveState } from '../start.ts'
import { Agenda } from './agenda.ts'
import { ClockHand, type Speed } from './clock-hand.ts'
import type { RehearsedDay } from './day.ts'
import { type OwnReply, type OwnRequest, ownRequests } from './own-requests.ts'
import { planDay } from './script/script.ts'
import { sourcesOf } from './script/stage.ts'
import { deliveryPlans, faultsFor } from './spoiling.ts'
import { emptyTally, type Tally } from './tally.ts'
import { readTruth, type Truth } from './truth.ts'

/** What is rehearsed, and how. */
export interface RehearsalOptions {
  readonly day: RehearsedDay
  /** What the venue and the day are drawn from. */
  readonly seed: number
  readonly speed: Speed
  /** A directory without a sandbox, or `:memory:`. */
  readonly data: string
  /** 0: any free one. */
  readonly port: number
  /** The share of the requests of others that a fault strikes, in percent. */
  readonly faults: number
  /** The share of webhooks that come twice, late or never, in percent. */
  readonly webhookFaults: number
  /** Where all events are delivered from the beginning; null: whoever wants them subscribes. */
  readonly webhookUrl: string | null
  readonly signal: AbortSignal
  /** Is told where the venue's time stands, milliseconds since 1970. */
  readonly onMoved: (at: number) => void
  readonly onUnexpected: (error: unknown) => void
}

/** What others did, and what became of the webhooks. */
export interface Attendance {
  /** Requests that were not the rehearsal's own, and how many of them were refused, or struck by a fault. */
  readonly requests: number
  readonly refused: number
  readonly struck: number
  readonly webhooks: {
    readonly events: number
    readonly delivered: number
    readonly pending: number
    readonly lost: number
  }
}

/** A rehearsal: a venue of its own that others can call, and a day of it. */
export interface Rehearsal {
  readonly sandbox: Sandbox
  readonly currency: string
  /** Resolves when somebody else has made a request; never when nobody does. */
  readonly firstRequest: Promise<void>
  /** Plays the day. Fails: as the signal says. */
  play(): Promise<void>
  /** Lets the venue's time go by while others catch up, until midnight at most. Fails: as the signal says. */
  wait(forMs: number): Promise<void>
  /** The hash of the journal of the rehearsal's own requests, so far. */
  readonly journalHash: string
  /** How many requests of its own it has made. */
  readonly ownRequests: number
  readonly tally: Tally
  attendance(): Attendance
  /** What the venue has now, and what it had before the day. */
  truth(): Promise<{ readonly before: Truth; readonly now: Truth }>
  close(): Promise<void>
}

/**
 * Opens a new venue around the day, whose clock stands at its first moment, and serves it.
 * Fails: INTERNAL when the data cannot be opened, NETWORK_ERROR when the port is taken, USAGE when webhooks cannot go to the URL.
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

async function prepare(state: SandboxState, sandbox: Sandbox, options: RehearsalOptions): Promise<Rehearsal> {
  const { day, seed, speed, signal, onMoved } = options
  // The venue is made now, and not when somebody first looks.
  state.diary()
  const unheard = ownRequests(state, { seed, journal: { add: () => undefined } })
  const before = await readTruth(unheard)
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
  const send = ownRequests(state, { seed, journal, deliveryPlan: deliveryPlans(options.webhookFaults, seed) })
  if (options.webhookUrl !== null) await subscribe(unheard, options.webhookUrl)
  for (const fault of faultsFor(options.faults, seed)) state.settings().faults.add(fault)
  const hand = new ClockHand(state, speed, signal, onMoved)
  const tally = emptyTally()
  return {
    sandbox,
    currency: state.store.venue.currency,
    tally,
    firstRequest: watched.first,
    play: () => play({ state, hand, send, tally, day, seed }),
    wait: (forMs) => hand.wait(forMs, day.ends),
    get journalHash() {
      return hash.digest
    },
    get ownRequests() {
      return own
    },
    attendance: () => ({ ...watched.counts(), webhooks: countWebhooks(state) }),
    truth: async () => ({ before, now: await readTruth(unheard) }),
    close: () => sandbox.close(),
  }
}

interface Playing {
  readonly state: SandboxState
  readonly hand: ClockHand
  readonly send: (request: OwnRequest) => Promise<OwnReply>
  readonly tally: Tally
  readonly day: RehearsedDay
  readonly seed: number
}

/** The last guests are still at dessert a minute before midnight. */
const BEFORE_MIDNIGHT_MS = 60_000
/** What is left of the day after the last thing that happens. */
const AFTER_LAST_MS = 60_000

async function play({ state, hand, send, tally, day, seed }: Playing): Promise<void> {
  const agenda = new Agenda(day.ends - BEFORE_MIDNIGHT_MS)
  let sales = 0
  await planDay({
    day,
    agenda,
    tally,
    send,
    currency: state.store.venue.currency,
    locationId: state.store.venue.id,
    partnerName: PARTNER_NAME,
    now: () => hand.now,
    drawFor: sourcesOf(seed, day),
    nextSaleId: () => `TILL-${String(++sales).padStart(4, '0')}`,
  })
  for (let next = agenda.next(); next !== null; next = agenda.next()) {
    await hand.moveTo(next.at)
    await next.act()
  }
  await hand.moveTo(Math.min(day.ends, hand.now + AFTER_LAST_MS))
}

/** Counts what others ask, of the journal that everybody's requests go into. */
function watchOthers(state: SandboxState) {
  const own = new WeakSet<JournalEntry>()
  let [requests, refused, struck] = [0, 0, 0]
  let tell: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    tell = resolve
  })
  state.journal.watch((entry) => {
    if (own.has(entry)) return
    requests++
    if (entry.status === null || entry.status >= 400) refused++
    if (entry.faults.length > 0) struck++
    tell()
  })
  return {
    first,
    counts: () => ({ requests, refused, struck }),
    addOwn: (entry: JournalEntry) => {
      own.add(entry)
      void state.journal.add(entry)
    },
  }
}

function countWebhooks(state: SandboxState): Attendance['webhooks'] {
  const all = listDeliveries(state.store)
  const count = (wanted: (state: string) => boolean) => all.filter(({ state }) => wanted(state)).length
  return {
    events: all.length,
    delivered: count((state) => state === 'delivered'),
    pending: count((state) => state === 'pending'),
    lost: count((state) => state === 'failed' || state === 'dropped'),
  }
}

async function subscribe(send: (request: OwnRequest) => Promise<OwnReply>, webhookUrl: string): Promise<void> {
  for (const event of WEBHOOK_EVENTS) {
    const { status, body } = await send({ method: 'POST', path: '/Webhooks', body: { event, webhookUrl } })
    if (status === 200) continue
    const why = isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : `status ${status}`
    throw new Failure('USAGE', `--webhooks ${JSON.stringify(webhookUrl)} cannot be subscribed`, {
      said: [why],
      hint: 'name an address that takes POST requests',
    })
  }
}
