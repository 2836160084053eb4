import type { WebhookEvent } from '../contract/webhooks.ts'
import { Clock } from './clock/clock.ts'
import type { FaultEffect } from './faults/fault.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { topUp } from './seed/fill.ts'
import type { Store } from './store/store.ts'
import { VENUE } from './venue/venue.ts'
import type { World } from './world.ts'

/** Everything behind a sandbox: the world that handlers see, what makes it misbehave, and what it remembers of requests. */
export class SandboxState {
  readonly world: World
  readonly faults: Faults
  readonly journal: Journal
  /** Told of what should never happen. */
  onUnexpected: (error: unknown) => void = () => undefined
  readonly #store: Store
  readonly #clock: Clock
  #foreignVersion: number
  #webhookFaults: readonly FaultEffect[] = []
  /** The moment at which the diary is to be made, milliseconds since 1970; null when it stands. */
  #diaryOf: number | null = null

  constructor(store: Store) {
    this.#store = store
    this.#clock = new Clock(store)
    this.faults = new Faults(store)
    this.journal = new Journal(store.directory)
    this.#foreignVersion = store.foreignVersion
    this.world = { store, clock: this.#clock, emit: (event, subject) => this.#emit(event, subject) }
  }

  /** Takes over what another process has set since the last time: its clock, its faults. */
  refresh(): void {
    if (this.#store.directory === null) return
    const version = this.#store.foreignVersion
    if (version === this.#foreignVersion) return
    this.#foreignVersion = version
    this.#clock.reload()
    this.faults.reload()
  }

  /** Brings the cards up to the present, and leaves the diary as it is to be now to {@link catchUp}. */
  catchUpLater(): void {
    this.#diaryOf = this.#clock.now()
    this.#expireCards(this.#diaryOf)
  }

  /** Brings the diary up to where it was left for later. Everything that looks at it, or moves the time, must call this first. */
  catchUp(): void {
    if (this.#diaryOf === null) return
    topUp(this.#store, this.#diaryOf)
    this.#diaryOf = null
    this.letTimePass()
  }

  /** Lets happen what falls due by itself: the diary moves on, and cards expire. */
  letTimePass(): void {
    this.catchUp()
    const now = this.#clock.now()
    topUp(this.#store, now)
    this.#expireCards(now)
  }

  #expireCards(now: number): void {
    const dueCards = "FROM gift_cards WHERE status = 'Active' AND expires <= ?"
    if (!this.#store.get(`SELECT 1 ${dueCards} LIMIT 1`, now)) return
    this.#store.transaction(() => {
      for (const row of this.#store.all(`SELECT number, location ${dueCards}`, now)) {
        const number = String(row['number'])
        this.#store.run("UPDATE gift_cards SET status = 'Expired' WHERE number = ?", number)
        if (row['location'] === VENUE.id) this.#emit('GIFTCARDS_UPDATED', number)
      }
    })
  }

  /** Does some work whose webhooks come late or several times. */
  withWebhookFaults<T>(effects: readonly FaultEffect[], work: () => T): T {
    this.#webhookFaults = effects
    try {
      return work()
    } finally {
      this.#webhookFaults = []
    }
  }

  close(): void {
    this.journal.flush()
    this.#store.close()
  }

  #emit(event: WebhookEvent, subject: string): void {
    let times = 1
    let delay = 0
    for (const effect of this.#webhookFaults) {
      if (effect.kind === 'duplicate-webhook') times = effect.times ?? 2
      if (effect.kind === 'late-webhook') delay = effect.ms
    }
    const now = this.#clock.now()
    for (; times > 0; times--) {
      this.#store.run(
        `INSERT INTO deliveries (event, subject, location, created, due)
         SELECT event, ?, location, ?, ? FROM subscriptions WHERE location = ? AND event = ?`,
        subject,
        now,
        now + delay,
        VENUE.id,
        event,
      )
    }
  }
}
