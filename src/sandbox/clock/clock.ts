import type { Store } from '../store/store.ts'

/** Read access to the venue's time. */
export interface VenueTime {
  /** Milliseconds since 1970. */
  now(): number
  /** True when it differs from the machine's time. */
  readonly shifted: boolean
  readonly frozen: boolean
}

/** How the venue's time differs from the machine's. `frozenAt`: milliseconds since 1970, null when it runs. */
type Shift = { readonly offsetMs: number; readonly frozenAt: number | null }

const NONE: Shift = { offsetMs: 0, frozenAt: null }

/** The venue's own time: the machine's, shifted or frozen. It is kept in the store, so that all its processes agree. */
export class Clock implements VenueTime {
  readonly #store: Store
  #shift = NONE

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

  /** Sets the time. It continues from there unless frozen. */
  set(at: number, frozen: boolean): void {
    this.#keep({ offsetMs: frozen ? 0 : at - Date.now(), frozenAt: frozen ? at : null })
  }

  /** Moves the time forward, or back when `byMs` is below 0. */
  advance(byMs: number): void {
    const { offsetMs, frozenAt } = this.#shift
    this.#keep(frozenAt === null ? { offsetMs: offsetMs + byMs, frozenAt } : { offsetMs, frozenAt: frozenAt + byMs })
  }

  restore(): void {
    this.#keep(NONE)
  }

  /** Reads what another process may have changed. */
  reload(): void {
    if (!this.#store.hasTables()) return
    this.#shift = (this.#store.readMeta('clock') as Shift | undefined) ?? NONE
  }

  #keep(shift: Shift): void {
    this.#store.keepMeta('clock', shift)
    this.#shift = shift
  }
}
