import { seedVenue, topUp } from './seed/fill.ts'
import { SandboxState } from './state.ts'
import { damage, databasePath, Store } from './store.ts'

/**
 * Opens the state of a sandbox: made and filled when it is new, else brought up to the present.
 * Fails: INTERNAL when it cannot be opened or is damaged; it is then left as it is.
 */
export function openState(
  data: string,
  options: { readonly seed: number; readonly clock: { readonly startAt?: number; readonly frozen?: boolean } },
): SandboxState {
  const store = Store.open(data)
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Another process may have been faster since the look above.
        if (store.hasTables()) return
        store.createTables()
        seedVenue(store, options.seed, options.clock.startAt ?? Date.now())
      })
    }
    const state = new SandboxState(store)
    const { startAt, frozen } = options.clock
    if (startAt !== undefined) state.world.clock.set(startAt, frozen ?? false)
    else if (frozen) state.world.clock.set(state.world.clock.now(), true)
    topUp(store, state.world.clock.now())
    return state
  } catch (error) {
    store.close()
    throw damage(error, databasePath(data)) ?? error
  }
}
