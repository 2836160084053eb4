import { Clock } from './clock/clock.ts'
import { seedVenue, USUAL_SEED } from './seed/fill.ts'
import { SandboxState } from './state.ts'
import { databasePath } from './store/data-directory.ts'
import { Store } from './store/store.ts'
import { damageIn } from './store/trouble.ts'

/** How to open a sandbox. */
export interface StateOptions {
  /** The seed of a new venue. */
  readonly seed?: number | undefined
  /** `startAt` in milliseconds since 1970; without it the clock goes on from where the store has it. */
  readonly clock?: { readonly startAt?: number; readonly frozen?: boolean } | undefined
  /** Called with errors that should never happen. */
  readonly onUnexpected?: ((error: unknown) => void) | undefined
}

/**
 * Opens the state of a sandbox, and makes a venue when there is none.
 * Fails: INTERNAL when the data cannot be opened or is damaged; it is left as it is.
 */
export function openState(data: string, { seed, clock, onUnexpected }: StateOptions = {}): SandboxState {
  const store = Store.open(data)
  const { startAt, frozen = false } = clock ?? {}
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Another process may have made them since the check above.
        if (store.hasTables()) return
        store.createTables()
        seedVenue(store, seed ?? USUAL_SEED, startAt ?? Date.now(), 'later')
      })
    }
    const time = new Clock(store)
    if (startAt !== undefined || frozen) time.set(startAt ?? time.now(), frozen)
    return new SandboxState(store, time, onUnexpected ?? (() => undefined))
  } catch (error) {
    store.close()
    throw damageIn(error, databasePath(data)) ?? error
  }
}
