import type { Store } from '../store/store.ts'

/** A read-only view of the venue's clock. */
export interface VenueTime {
  /** Returns the venue's time in milliseconds since 1970. */
  now(): number
  /** Whether the venue's time differs from the machine's time. */
  readonly shifted: boolean
  readonly frozen: boolean
}

/**
 * The difference between the venue's time and the machine's time. `frozenAt` is in milliseconds since 1970, or `null`
 * if the clock is running.
 */
type Shift = { readonly offsetMs: number; readonly frozenAt: number | null }

const NO_SHIFT: Shift = { offsetMs: 0, frozenAt: null }

/**
 * The venue's clock, which is the machine's clock shifted or frozen. The shift is kept in the store, so that all
 * processes see the same time.
 */
export class Clock implements VenueTime {
  readonly #store: Store
  #shift = NO_SHIFT

  constructor(store: Store) {
    this.#store = store
    this.reload()
  }

  now(): number {
    return this.#shift.frozenAt ?? Date.now() + this.#shift.offsetMs
  }

  get shifted(): boolean {
    return this.#shift.offsetMs !== 0 || this.frozen
  }

  get frozen(): boolean {
    return this.#shift.frozenAt !== null
  }

  /** Sets the time. The clock continues to run from there unless it is frozen. */
  set(at: number, frozen: boolean): void {
    this.#save({ offsetMs: frozen ? 0 : at - Date.now(), frozenAt: frozen ? at : null })
  }

  /** Moves the time forward, or back if `byMs` is negative. */
  advance(byMs: number): void {
    const { offsetMs, frozenAt } = this.#shift
    this.#save(frozenAt === null ? { offsetMs: offsetMs + byMs, frozenAt } : { offsetMs, frozenAt: frozenAt + byMs })
  }

  restore(): void {
    this.#save(NO_SHIFT)
  }

  /** Reads the clock from the store again, because another process might have changed it. */
  reload(): void {
    if (!this.#store.hasTables()) return
    this.#shift = (this.#store.readMeta('clock') as Shift | undefined) ?? NO_SHIFT
  }

  #save(shift: Shift): void {
    this.#store.writeMeta('clock', shift)
    this.#shift = shift
  }
}
