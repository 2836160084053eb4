import type { Store } from '../store/store.ts'

/** Where the sandbox's time stands against the machine's. `frozenAt`: milliseconds since 1970, null when it runs. */
interface ClockState {
  readonly offsetMs: number
  readonly frozenAt: number | null
}

const REAL: ClockState = { offsetMs: 0, frozenAt: null }

/** The sandbox's own time: the machine's, moved or held. It is kept in the store, so every process on it agrees. */
export class Clock {
  readonly #store: Store
  #state = REAL

  constructor(store: Store) {
    this.#store = store
    this.reload()
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#state.frozenAt ?? Date.now() + this.#state.offsetMs
  }

  /** True when the sandbox's time is not the machine's. */
  get shifted(): boolean {
    return this.#state !== REAL
  }

  get frozen(): boolean {
    return this.#state.frozenAt !== null
  }

  /** Sets the time, which then runs on or is held. */
  set(at: number, frozen: boolean): void {
    this.#keep({ offsetMs: frozen ? 0 : at - Date.now(), frozenAt: frozen ? at : null })
  }

  /** Moves the time on; backwards is possible too. */
  advance(byMs: number): void {
    const { offsetMs, frozenAt } = this.#state
    this.#keep(frozenAt === null ? { offsetMs: offsetMs + byMs, frozenAt } : { offsetMs, frozenAt: frozenAt + byMs })
  }

  /** Back to the machine's time. */
  restore(): void {
    this.#keep(REAL)
  }

  /** Reads what another process may have set. */
  reload(): void {
    if (!this.#store.hasTables()) return
    const kept = this.#store.get("SELECT value FROM meta WHERE name = 'clock'")?.['value']
    const state = kept === undefined ? REAL : (JSON.parse(String(kept)) as ClockState)
    this.#state = state.offsetMs === 0 && state.frozenAt === null ? REAL : state
  }

  #keep(state: ClockState): void {
    this.#store.run("INSERT OR REPLACE INTO meta VALUES ('clock', ?)", JSON.stringify(state))
    this.#state = state.offsetMs === 0 && state.frozenAt === null ? REAL : state
  }
}
