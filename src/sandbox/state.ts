import type { Clock, VenueTime } from './clock/clock.ts'
import { Faults } from './faults/faults.ts'
import { Journal } from './journal/journal.ts'
import { expireCards } from './records/giftcards.ts'
import { topUp } from './seed/fill.ts'
import { databasePath } from './store/data-directory.ts'
import { asDiary, type Diary } from './store/diary.ts'
import type { Store } from './store/store.ts'
import { asDamage } from './store/trouble.ts'

/** What a person sets on a sandbox, as every process on its data sees it at the moment. */
export interface Settings {
  readonly clock: VenueTime
  readonly faults: Faults
}

/** Who is told of what happens in a sandbox. */
export interface Tell {
  /** Told of errors that should never happen. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined
  /** Told of what may be a mistake of whoever uses it, each once. */
  readonly onWarning?: ((text: string) => void) | undefined
}

/** Everything behind a sandbox: its records, its clock and faults, and the journal of its requests. */
export class SandboxState {
  readonly store: Store
  readonly journal: Journal
  readonly #clock: Clock
  readonly #faults: Faults
  readonly #tell: Tell
  readonly #warned = new Set<string>()
  #foreignVersion: number
  /** The moment that the diary is still to be brought up to, milliseconds since 1970; null when it has been. */
  #diaryDue: number | null

  /** Expires cards right away. The diary, which takes longer, is brought up to date when somebody asks for it. */
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

  /** The clock and the faults, with what other processes have set meanwhile. */
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

  /** Applies what has fallen due by the venue's time: guests come and go, cards expire. */
  passTime(): void {
    const now = this.settings().clock.now()
    topUp(this.diary(), now)
    expireCards(this.store, now)
  }

  /** Moves the venue's time on by a part of a longer way: cards expire. The diary is brought up to date at the end of it. */
  stepClock(byMs: number): void {
    this.settings()
    this.#clock.advance(byMs)
    expireCards(this.store, this.#clock.now())
  }

  /** Changes the venue's time, and applies what has fallen due by it. */
  changeClock(change: (clock: Clock) => void): VenueTime {
    this.settings()
    // What happened before the change must not depend on when somebody first looks.
    this.diary()
    change(this.#clock)
    this.passTime()
    return this.#clock
  }

  /**
   * Puts another venue in place of this one, in one step: everything that `fill` puts into the empty tables, the clock and faults
   * among it. The journal begins anew. Returns the clock.
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

  /** Reads what has been set elsewhere. A diary that is still to be made is one of the venue's time as it is now. */
  #reload(): void {
    this.store.reloadVenues()
    this.#clock.reload()
    this.#faults.reload()
    if (this.#diaryDue !== null) this.#diaryDue = this.#clock.now()
  }

  /** Reports an unexpected error and returns it, in plain words when it means that the data is damaged. */
  report(error: unknown): unknown {
    const { directory } = this.store
    const told = (directory === null ? null : asDamage(error, databasePath(directory))) ?? error
    this.#tell.onUnexpected?.(told)
    return told
  }

  /** Warns whoever serves it, once of each thing. */
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
