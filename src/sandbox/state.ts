import type { Clock, VenueTime } from './clock/clock.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { expireCards } from './records/giftcards.ts'
import { topUp } from './seed/fill.ts'
import { databasePath } from './store/data-directory.ts'
import { asDiary, type Diary } from './store/diary.ts'
import { toDamageFailure } from './store/failures.ts'
import type { Store } from './store/store.ts'

/** The clock and the faults. All processes that use the same data share them. */
export type Settings = { readonly clock: VenueTime; readonly faults: Faults }

export interface StateListeners {
  /** Called with unexpected errors. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined
  /** Called with warnings about possible user mistakes. Each warning is reported only once. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** A sandbox's state: its records, clock, faults and journal. */
export class SandboxState {
  readonly store: Store
  readonly journal: Journal
  readonly #clock: Clock
  readonly #faults: Faults
  readonly #listeners: StateListeners
  readonly #warned = new Set<string>()
  #foreignVersion: number
  /** The pending diary update's target time, in milliseconds since 1970; `null` if the diary is up to date. */
  #diaryDue: number | null

  /** Expires gift cards immediately. Postpones the diary update, which takes longer, until the diary is first used. */
  constructor(store: Store, clock: Clock, listeners: StateListeners) {
    this.store = store
    this.#clock = clock
    this.#listeners = listeners
    this.#faults = new Faults(store)
    this.journal = new Journal(store.directory)
    this.#foreignVersion = store.foreignVersion
    this.#diaryDue = clock.now()
    expireCards(store, this.#diaryDue)
  }

  /** Returns the clock and the faults, after applying changes made by other processes. */
  settings(): Settings {
    const version = this.store.directory === null ? this.#foreignVersion : this.store.foreignVersion
    if (version !== this.#foreignVersion) {
      this.#foreignVersion = version
      this.#reload()
    }
    return { clock: this.#clock, faults: this.#faults }
  }

  /** Updates the bookings, customers and sales, and then returns the store. */
  diary(): Diary {
    if (this.#diaryDue !== null) this.settings()
    const due = this.#diaryDue
    if (due !== null) {
      topUp(this.store, due)
      this.#diaryDue = null
      this.applyDueChanges()
    }
    return asDiary(this.store)
  }

  /** Applies all changes that are due at the venue's current time: guests arrive and leave, and gift cards expire. */
  applyDueChanges(): void {
    const now = this.settings().clock.now()
    topUp(this.diary(), now)
    expireCards(this.store, now)
  }

  /**
   * Advances the clock by one step of a longer jump and expires gift cards. The diary is updated only after the last
   * step.
   */
  stepClock(byMs: number): void {
    this.settings()
    this.#clock.advance(byMs)
    expireCards(this.store, this.#clock.now())
  }

  /** Changes the venue's time and applies the changes that are due at the new time. */
  changeClock(change: (clock: Clock) => void): VenueTime {
    this.settings()
    // Update the diary now, so that its content does not depend on when it is first read.
    this.diary()
    change(this.#clock)
    this.applyDueChanges()
    return this.#clock
  }

  /**
   * Replaces the venue, the clock and the faults in one transaction, and clears the journal. `fill` fills the emptied
   * tables.
   */
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

  /** Picks up changes by other processes. If a diary update is pending, moves its target to the current time. */
  #reload(): void {
    this.store.reloadVenues()
    this.#clock.reload()
    this.#faults.reload()
    if (this.#diaryDue !== null) this.#diaryDue = this.#clock.now()
  }

  /**
   * Reports an unexpected error to the listener and returns it. If damaged data caused the error, reports and returns a
   * Failure with a hint instead.
   */
  report(error: unknown): unknown {
    const { directory } = this.store
    const reported = (directory === null ? null : toDamageFailure(error, databasePath(directory))) ?? error
    this.#listeners.onUnexpected?.(reported)
    return reported
  }

  /** Warns the user, unless the same warning has already been given. */
  warn(text: string): void {
    if (this.#warned.has(text)) return
    this.#warned.add(text)
    this.#listeners.onWarning?.(text)
  }

  close(): void {
    this.journal.flush()
    this.store.close()
  }
}
