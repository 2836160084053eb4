import type { Store } from '../store/store.ts'

/** Read access to the venue's time. */
export interface VenueTime {
  /** Milliseconds since 1970. */
  now(): number
  /** Whether the venue's time differs from the machine's. */
  readonly shifted: boolean
  readonly frozen: boolean
}

/**
 * The difference between the venue's and the machine's time. `frozenAt` is in milliseconds since 1970; `null` if
 * running.
 */
type Shift = { readonly offsetMs: number; readonly frozenAt: number | null }

const NO_SHIFT: Shift = { offsetMs: 0, frozenAt: null }

/** The venue's clock: the machine's time, shifted or frozen. It is stored, so all processes have the same time. */
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

  /** Sets the time. The clock continues from there unless it is frozen. */
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

  /** Reads the stored clock again, because another process may have changed it. */
  reload(): void {
    if (!this.#store.hasTables()) return
    this.#shift = (this.#store.readMeta('clock') as Shift | undefined) ?? NO_SHIFT
  }

  #save(shift: Shift): void {
    this.#store.writeMeta('clock', shift)
    this.#shift = shift
  }
}
