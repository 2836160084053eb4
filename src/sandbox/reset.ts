import { existsSync } from 'node:fs'
import { removeJournal } from './journal/journal.ts'
import { seedVenue, USUAL_SEED } from './seed/fill.ts'
import { databasePath, isInUse, removeStore } from './store/data-directory.ts'
import { Store } from './store/store.ts'

/**
 * Removes the sandbox of a data directory; the next start makes a new venue, and sandboxes that run on it get one at once. A
 * directory without a sandbox is left alone. Returns whether there was one.
 * Fails: INTERNAL when the data of running sandboxes cannot be opened or is damaged.
 */
export function resetSandbox(data: string): boolean {
  if (!existsSync(databasePath(data))) return false
  removeJournal(data)
  if (isInUse(data)) makeAnew(data)
  else removeStore(data)
  return true
}

/** In one step, so that nobody sees the tables missing. */
function makeAnew(data: string): void {
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
