import type { WebhookEvent } from '../contract/webhooks.ts'
import { Clock } from './clock.ts'
import { Faults } from './faults.ts'
import type { Store } from './store.ts'
import { VENUE } from './venue.ts'
import type { World } from './world.ts'

/** Everything behind a sandbox: the world that handlers see, and what makes it misbehave. */
export class SandboxState {
  readonly world: World
  readonly faults: Faults
  /** Told of what should never happen. */
  onUnexpected: (error: unknown) => void = () => undefined
  readonly #store: Store
  readonly #clock: Clock
  #foreignVersion: number

  constructor(store: Store) {
    this.#store = store
    this.#clock = new Clock(store)
    this.faults = new Faults(store)
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

  close(): void {
    this.#store.close()
  }

  #emit(event: WebhookEvent, subject: string): void {
    this.#store.run(
      `INSERT INTO deliveries (event, subject, location, created, due)
       SELECT event, ?, location, ?, ? FROM subscriptions WHERE location = ? AND event = ?`,
      subject,
      this.#clock.now(),
      this.#clock.now(),
      VENUE.id,
      event,
    )
  }
}
