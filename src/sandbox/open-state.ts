import { seedVenue } from './seed/fill.ts'
import { SandboxState } from './state.ts'
import { damage, databasePath, Store } from './store/store.ts'

const USUAL_SEED = 1

/**
 * Makes the venue of a store that running sandboxes have open anew, in one step that they all see.
 * Fails: INTERNAL when it cannot be opened or is damaged.
 */
export function refill(data: string): void {
  const store = Store.open(data)
  try {
    store.transaction(() => {
      store.dropTables()
      store.createTables()
      seedVenue(store, USUAL_SEED, Date.now(), 'full')
    })
  } finally {
    store.close()
  }
}

/**
 * Opens the state of a sandbox; a new one is made. Its diary is brought up to the present by `catchUp`, before anybody looks at
 * it: that way a sandbox answers sooner.
 * Fails: INTERNAL when it cannot be opened or is damaged; it is then left as it is.
 */
export function openState(
  data: string,
  options: {
    /** What a new venue is drawn from. */
    readonly seed?: number | undefined
    readonly clock?: { readonly startAt?: number; readonly frozen?: boolean } | undefined
  },
): SandboxState {
  const store = Store.open(data)
  const { startAt, frozen } = options.clock ?? {}
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Another process may have been faster since the look above.
        if (store.hasTables()) return
        store.createTables()
        seedVenue(store, options.seed ?? USUAL_SEED, startAt ?? Date.now(), 'later')
      })
    }
    const state = new SandboxState(store)
    if (startAt !== undefined) state.world.clock.set(startAt, frozen ?? false)
    else if (frozen) state.world.clock.set(state.world.clock.now(), true)
    state.catchUpLater()
    return state
  } catch (error) {
    store.close()
    throw damage(error, databasePath(data)) ?? error
  }
}
