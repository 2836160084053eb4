import { existsSync } from 'node:fs'
import { Clock } from './clock/clock.ts'
import { listUnlinkedSales } from './records/sales.ts'
import { DEFAULT_SEED, seedVenue } from './seed/fill.ts'
import { SandboxState, type StateListeners } from './state.ts'
import { databasePath } from './store/data-directory.ts'
import { toDamageFailure } from './store/failures.ts'
import { Store } from './store/store.ts'
import { DEFAULT_VENUE } from './venue/venue.ts'

export interface StateOptions extends StateListeners {
  /** The seed for a new venue's random data. */
  readonly seed?: number | undefined
  /** How to set the venue's clock. `startAt` is in milliseconds since 1970. Without it, the stored clock continues. */
  readonly clock?: { readonly startAt?: number | undefined; readonly frozen?: boolean } | undefined
  /** Fills a new venue's tables. Without this function, the tables are filled with generated data. */
  readonly fill?: ((store: Store) => void) | undefined
  /** Makes `GET /Sales` also list sales without a booking. This setting is stored with the data. */
  readonly listUnlinkedSales?: boolean | undefined
}

/** Opens or creates a sandbox's state. Throws INTERNAL if the data is damaged or cannot be opened. */
export function openState(data: string, options: StateOptions = {}): SandboxState {
  const { seed, clock, fill } = options
  const store = Store.open(data)
  const { startAt, frozen = false } = clock ?? {}
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Check again, because another process might have created the tables since the first check.
        if (store.hasTables()) return
        store.createTables()
        if (fill) fill(store)
        else seedVenue(store, seed ?? DEFAULT_SEED, startAt ?? Date.now(), 'later')
      })
    }
    const time = new Clock(store)
    if (options.listUnlinkedSales) listUnlinkedSales(store)
    if (startAt !== undefined || frozen) time.set(startAt ?? time.now(), frozen)
    return new SandboxState(store, time, options)
  } catch (error) {
    store.close()
    throw toDamageFailure(error, databasePath(data)) ?? error
  }
}

/**
 * Returns the IANA time zone of the venue in a data directory. If the directory has no venue yet, returns the time zone
 * of new venues. Throws INTERNAL if the data is damaged or cannot be opened.
 */
export function readTimezone(data: string): string {
  if (!existsSync(databasePath(data))) return DEFAULT_VENUE.timezone
  const store = Store.open(data)
  try {
    return store.venue.timezone
  } finally {
    store.close()
  }
}
