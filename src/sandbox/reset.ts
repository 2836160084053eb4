import { existsSync } from 'node:fs'
import { removeJournal } from './journal/journal.ts'
import { DEFAULT_SEED, seedVenue } from './seed/fill.ts'
import { databasePath, isInUse, removeStore } from './store/data-directory.ts'
import { Store } from './store/store.ts'

/**
 * Removes the sandbox in a data directory. Sandboxes that are running on the directory get a new venue immediately; if
 * there are none, the next start creates one. Returns whether there was a sandbox. Throws INTERNAL if data in use
 * cannot be opened or is damaged.
 */
export function resetSandbox(data: string): boolean {
  if (!existsSync(databasePath(data))) return false
  removeJournal(data)
  if (isInUse(data)) makeAnew(data)
  else removeStore(data)
  return true
}

/** Recreates the tables and the venue in one transaction, so that other processes never see missing tables. */
function makeAnew(data: string): void {
  const store = Store.open(data)
  try {
    store.transaction(() => {
      store.dropTables()
      store.createTables()
      seedVenue(store, DEFAULT_SEED, Date.now(), 'full')
    })
  } finally {
    store.close()
  }
}
