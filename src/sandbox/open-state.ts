import { existsSync } from 'node:fs'
import { Clock } from './clock/clock.ts'
import { listUnlinkedSales } from './records/sales.ts'
import { seedVenue, USUAL_SEED } from './seed/fill.ts'
import { SandboxState, type Tell } from './state.ts'
import { databasePath } from './store/data-directory.ts'
import { Store } from './store/store.ts'
import { asDamage } from './store/trouble.ts'
import { USUAL_VENUE } from './venue/venue.ts'

/** How to open a sandbox. */
export interface StateOptions extends Tell {
  /** What a new venue is drawn from. */
  readonly seed?: number | undefined
  /** `startAt` in milliseconds since 1970. Without it the time goes on as the store has it. */
  readonly clock?: { readonly startAt?: number | undefined; readonly frozen?: boolean } | undefined
  /** Fills the tables of a new venue, in place of a seed. */
  readonly fill?: ((store: Store) => void) | undefined
  /** True: `GET /Sales` lists the sales that are linked to no booking, too, from now on. */
  readonly listUnlinkedSales?: boolean | undefined
}

/**
 * Opens the state of a sandbox, and makes a new one where there is none.
 * Fails: INTERNAL when it cannot be opened or is damaged; it is then left as it is.
 */
export function openState(data: string, options: StateOptions = {}): SandboxState {
  const { seed, clock, fill } = options
  const store = Store.open(data)
  const { startAt, frozen = false } = clock ?? {}
  try {
    if (!store.hasTables()) {
      store.transaction(() => {
        // Another process may have made them since the look above.
        if (store.hasTables()) return
        store.createTables()
        if (fill) fill(store)
        else seedVenue(store, seed ?? USUAL_SEED, startAt ?? Date.now(), 'later')
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

/** Reads the IANA zone of the venue that a directory keeps, or is to keep. Fails: as {@link openState}. */
export function readTimezone(data: string): string {
  if (!existsSync(databasePath(data))) return USUAL_VENUE.timezone
  const store = Store.open(data)
  try {
    return store.venue.timezone
  } finally {
    store.close()
  }
}
