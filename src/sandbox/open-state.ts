import { existsSync } from 'node:fs'
import { Clock } from './clock/clock.ts'
import { listUnlinkedSales } from './records/sales.ts'
import { DEFAULT_SEED, seedVenue } from './seed/fill.ts'
import { SandboxState, type Tell } from './state.ts'
import { databasePath } from './store/data-directory.ts'
import { Store } from './store/store.ts'
import { asDamage } from './store/trouble.ts'
import { USUAL_VENUE } from './venue/venue.ts'

export interface StateOptions extends Tell {
  /** The seed of a new venue. */
  readonly seed?: number | undefined
  /** `startAt` in milliseconds since 1970. Without it the stored time continues. */
  readonly clock?: { readonly startAt?: number | undefined; readonly frozen?: boolean } | undefined
  /** Fills the tables of a new venue instead of a seed. */
  readonly fill?: ((store: Store) => void) | undefined
  /** Makes `GET /Sales` list sales without a booking, too, from now on. */
  readonly listUnlinkedSales?: boolean | undefined
}

/** Opens the state of a sandbox, or makes a new one. Fails: INTERNAL when it cannot be opened or is damaged. */
export function openState(data: string, options: StateOptions = {}): SandboxState {
  const { seed, clock, fill } = options
  const store = Store.open(data)
  const { startAt, frozen = false } = clock ?? {}
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Another process may have made them meanwhile.
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
    throw asDamage(error, databasePath(data)) ?? error
  }
}

/** Reads the IANA zone of a directory's venue, or of a new venue. Fails: as {@link openState}. */
export function readTimezone(data: string): string {
  if (!existsSync(databasePath(data))) return USUAL_VENUE.timezone
  const store = Store.open(data)
  try {
    return store.venue.timezone
  } finally {
    store.close()
  }
}
