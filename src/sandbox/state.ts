import type { Clock, VenueTime } from './clock/clock.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { expireCards } from './records/giftcards.ts'
import { topUp } from './seed/fill.ts'
import { databasePath } from './store/data-directory.ts'
import { asDiary, type Diary } from './store/diary.ts'
import type { Store } from './store/store.ts'
import { asDamage } from './store/trouble.ts'

/** The clock and faults, as all processes on the data see them. */
export type Settings = { readonly clock: VenueTime; readonly faults: Faults }

export interface Tell {
  /** Called for errors that should never happen. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined
  /** Called once per possible mistake of the user. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** The state of a sandbox: records, clock, faults, and the journal. */
export class SandboxState {
  readonly store: Store
  readonly journal: Journal
  readonly #clock: Clock
  readonly #faults: Faults
  readonly #tell: Tell
  readonly #warned = new Set<string>()
  #foreignVersion: number
  /** When the diary must be up to date, milliseconds since 1970; null when it is. */
  #diaryDue: number | null

  /** Expires cards at once. The diary, which takes longer, is updated on first use. */
  constructor(store: Store, clock: Clock, tell: Tell) {
    this.store = store
    this.#clock = clock
    this.#tell = tell
    this.#faults = new Faults(store)
    this.journal = new Journal(store.directory)
    this.#foreignVersion = store.foreignVersion
    this.#diaryDue = clock.now()
    expireCards(store, this.#diaryDue)
  }

  /** The clock and faults, including changes by other processes. */
  settings(): Settings {
    const version = this.store.directory === null ? this.#foreignVersion : this.store.foreignVersion
    if (version !== this.#foreignVersion) {
      this.#foreignVersion = version
      this.#reload()
    }
    return { clock: this.#clock, faults: this.#faults }
  }

  /** The venue's bookings, customers and sales, up to date. */
  diary(): Diary {
    if (this.#diaryDue !== null) this.settings()
    const due = this.#diaryDue
    if (due !== null) {
      topUp(this.store, due)
      this.#diaryDue = null
      this.passTime()
    }
    return asDiary(this.store)
  }

  /** Applies what is due at the venue's time: guests come and go, cards expire. */
  passTime(): void {
    const now = this.settings().clock.now()
    topUp(this.diary(), now)
    expireCards(this.store, now)
  }

  /** Advances the clock by one step of a longer jump, and expires gift cards. The diary follows at the end. */
  stepClock(byMs: number): void {
    this.settings()
    this.#clock.advance(byMs)
    expireCards(this.store, this.#clock.now())
  }

  /** Changes the venue's time, and applies what is due then. */
  changeClock(change: (clock: Clock) => void): VenueTime {
    this.settings()
    // The diary up to now must not depend on when it is first read.
    this.diary()
    change(this.#clock)
    this.passTime()
    return this.#clock
  }

  /** Replaces the venue, clock and faults in one transaction, where `fill` fills empty tables. Clears the journal. */
  replaceVenue(fill: (store: Store) => void): VenueTime {
    this.store.transaction(() => {
      this.store.empty()
      fill(this.store)
    })
    this.journal.clear()
    this.#reload()
    this.#diaryDue = this.#clock.now()
    expireCards(this.store, this.#diaryDue)
    return this.#clock
  }

  /** Reads changes by other processes. A pending diary is made for the current time. */
  #reload(): void {
    this.store.reloadVenues()
    this.#clock.reload()
    this.#faults.reload()
    if (this.#diaryDue !== null) this.#diaryDue = this.#clock.now()
  }

  /** Reports an unexpected error and returns it, in plain words when it means that the data is damaged. */
  report(error: unknown): unknown {
    const { directory } = this.store
    const reported = (directory === null ? null : asDamage(error, databasePath(directory))) ?? error
    this.#tell.onUnexpected?.(reported)
    return reported
  }

  /** Warns the user of each thing once. */
  warn(text: string): void {
    if (this.#warned.has(text)) return
    this.#warned.add(text)
    this.#tell.onWarning?.(text)
  }

  close(): void {
    this.journal.flush()
    this.store.close()
  }
}
